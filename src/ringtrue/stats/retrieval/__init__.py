"""How well right things are ranked first."""
