"""Commands about judges and the networks and models that they ask."""
