"""A diagnosis as an HTML page: the stages from left to right, evidence with the place marked, remedies."""
