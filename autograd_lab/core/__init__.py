"""The engine: tensors, the graph that they record, and the walk back through it.

Private to the package: the public names are those of `autograd_lab` itself, which are torch's.
"""
