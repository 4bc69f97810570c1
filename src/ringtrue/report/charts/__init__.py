"""Charts for HTML pages: Vega-Lite specifications, each with its words and its numbers, and what draws them."""
