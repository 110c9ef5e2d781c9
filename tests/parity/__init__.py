"""The same program on the lab and on the real torch, live; skipped where torch is absent."""
