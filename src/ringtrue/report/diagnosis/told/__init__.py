"""A diagnosis told: terminal, Markdown, JSON."""
