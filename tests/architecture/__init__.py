"""The house keeps its plan: floors, room sizes, names at the door."""
