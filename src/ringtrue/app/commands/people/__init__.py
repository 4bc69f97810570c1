"""Commands about people's labels."""
