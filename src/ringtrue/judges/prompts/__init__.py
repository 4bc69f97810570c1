"""What is said to a model: the words around every rubric, the fences around data, and the shape of the reply."""
