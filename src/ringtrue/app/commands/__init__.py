"""The commands, one a file. Each is imported when it is called."""
