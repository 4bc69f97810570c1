"""Judges tuned to people's labels: what is fitted, on which rows, and what it is worth on rows it never saw."""
