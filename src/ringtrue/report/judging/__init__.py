"""What reports tell of the judges: what judging took, and what was asked and said for one Score."""
