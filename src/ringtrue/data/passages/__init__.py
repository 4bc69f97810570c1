"""Passages compared: which retrieved one is which golden one, and where a corpus comes from."""
