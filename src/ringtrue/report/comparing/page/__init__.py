"""A comparison as an HTML page: the decision in plain words, charts of the differences, tables."""
