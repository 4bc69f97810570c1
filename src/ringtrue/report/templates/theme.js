"use strict";
// A choice of theme, on every page; without it the page follows the system.
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
})();
