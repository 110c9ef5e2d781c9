"""The museum: autograd as it was before 0.4."""
