"""Judges held against people: computed here, printed by the modules beside."""
