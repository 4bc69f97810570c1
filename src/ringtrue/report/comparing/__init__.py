"""Pipeline against pipeline: which is better, by how much, how sure that is, and at what cost."""
