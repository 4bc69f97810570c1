"""What is wrong with passages as such: cut, garbled, copied."""
