"""Modules, layers and first values of parameters."""
