"""A run at the terminal: what is printed around it, and from start to exit code."""
