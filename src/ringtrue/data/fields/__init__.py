"""From raw rows to Samples and Responses: which column is which field, and what its values mean."""
