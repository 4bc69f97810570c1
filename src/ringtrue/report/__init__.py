"""What is computed from stored Scores, and how it is printed."""
