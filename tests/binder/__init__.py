"""The Binder image, built without Docker: what binder/ asks for, in a fresh environment."""
