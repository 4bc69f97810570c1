"""Reading text of any script: words and sentences, numbers, units and dates, and phrases that mean the same."""
