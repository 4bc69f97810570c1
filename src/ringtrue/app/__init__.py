"""The doors for people: configuration, command line, Python and pytest."""
