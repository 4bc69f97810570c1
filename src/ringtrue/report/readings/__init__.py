"""What combinations of metrics mean, and what to do about it."""
