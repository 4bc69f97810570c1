"""Talking to models: what is asked, what comes back, and how every fault on the way is told by its kind."""
