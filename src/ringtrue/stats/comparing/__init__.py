"""Two pipelines over the same questions: differences, tests, effect sizes, and what a comparison can show at all."""
