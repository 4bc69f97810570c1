"""Judges held against people: what is asked, who judges, and the run that it takes."""
