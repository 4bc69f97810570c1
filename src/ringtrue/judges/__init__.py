"""Judges: a rubric (data) and a model make a metric, which goes through engine, store and report like any other."""
