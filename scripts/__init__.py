"""Pages and tables that are made from the code."""
