"""The application under test, one kind of door a file."""
