"""Readings and diagnosis: what the configuration says of them, and what the doors call."""
