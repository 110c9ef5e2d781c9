"""Facts recorded from torch 2.13.0, and their replay on the lab: this needs no torch."""
