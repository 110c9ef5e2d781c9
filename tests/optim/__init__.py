"""Optimizers and schedulers."""
