"use strict";
// Everything can be read without this: it adds a choice of theme, and unfolds for print what is marked for it.
(() => {
  const button = document.getElementById("theme");
  const names = ["system", "light", "dark"];
  let chosen = 0;
  button.hidden = false;
  button.addEventListener("click", () => {
    chosen = (chosen + 1) % names.length;
    document.documentElement.style.colorScheme = chosen ? names[chosen] : "";
    document.getElementById("theme-name").textContent = names[chosen];
  });

  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details[data-printed]:not([open])")];
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
})();
