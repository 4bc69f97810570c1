"""What the HTML page of an agreement says: sentences, figures as text, misses to read."""
