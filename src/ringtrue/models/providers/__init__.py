"""One file a kind of endpoint: how it is asked, and how its reply reads."""
