"""`ringtrue run --plan`: what judging would take, found out without asking anybody or keeping anything."""
