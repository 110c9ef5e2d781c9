"""The proof: every promise of the package as something that runs."""
