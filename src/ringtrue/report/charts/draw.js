"use strict";
// Draws the charts, each into its place. Without it the page has their numbers as tables.
(() => {
  const data = document.getElementById("charts-data");
  const options = {
    mode: "vega-lite",
    renderer: "svg",
    actions: false,
    ast: true, // expressions are interpreted: the page's policy forbids to evaluate text
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true },
  };
  for (const [id, spec] of Object.entries(JSON.parse(data.textContent))) {
    const place = document.getElementById(id);
    place.parentElement.hidden = false;
    vegaEmbed(place, spec, options).then(
      () => place.setAttribute("data-drawn", ""),
      (error) => {
        place.setAttribute("data-failed", String(error));
        place.textContent = "This chart could not be drawn. Its numbers stand in the table.";
      },
    );
  }
})();
