"""A comparison in a terminal, as JSON, as Markdown, and in files."""
