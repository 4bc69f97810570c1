"""How the local judge is trained, measured and exported. Nothing in ringtrue imports this package."""
