"""Data sets, loaders, checkpointing."""
