"""torch.linalg: what `ops.decompositions` and its neighbours hold, under torch's names."""
