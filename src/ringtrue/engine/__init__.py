"""Plan, then run: which work is due, and the only place with concurrency."""
