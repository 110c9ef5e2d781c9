"""torch.nn.functional: what the op table holds, under torch's names."""
