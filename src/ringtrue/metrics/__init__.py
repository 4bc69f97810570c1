"""Metrics, one family a file; each is registered by the entry-point group ringtrue.metrics."""
