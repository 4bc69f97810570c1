"""Comparisons of stored runs, and a metric over runs."""
