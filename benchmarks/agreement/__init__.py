"""How far judges agree with people, over every labelled set in a folder."""
