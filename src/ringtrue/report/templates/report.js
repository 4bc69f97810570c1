"use strict";
// Everything can be read without this: it adds a filter over the rows.
(() => {
  const rows = [...document.querySelectorAll("details.row")];
  const form = document.getElementById("filter");
  const find = document.getElementById("find");
  const show = document.getElementById("show");
  const shown = document.getElementById("shown");
  const texts = new Map();
  // Prompts are left out: they hold the same words in every row.
  const read = (row) => {
    if (!row.querySelector(".said")) return row.textContent.toLowerCase();
    const copy = row.cloneNode(true);
    for (const one of copy.querySelectorAll(".said")) one.remove();
    return copy.textContent.toLowerCase();
  };
  const text = (row) => {
    if (!texts.has(row)) texts.set(row, read(row));
    return texts.get(row);
  };
  const apply = () => {
    const wanted = find.value.trim().toLowerCase();
    const flag = show.value;
    let count = 0;
    for (const row of rows) {
      const fits = (!flag || row.dataset.flags.split(" ").includes(flag)) && (!wanted || text(row).includes(wanted));
      row.hidden = !fits;
      count += fits;
    }
    shown.textContent = `${count} of ${rows.length} rows`;
  };
  let waiting;
  find.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  show.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = rows.length < 2;
  apply();

  // Print shows all but the prompts and replies, of which only those that the reader has opened.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open]):not(.said)")];
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
})();
