"""Speed, measured side by side in one run: `make bench`. Ratios matter, absolute figures depend on the machine."""
