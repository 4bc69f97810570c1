"""Judges that need no model: small networks and rules on this machine."""
