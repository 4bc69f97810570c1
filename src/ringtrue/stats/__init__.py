"""Statistics: short pure functions over numbers, tested against scipy."""
