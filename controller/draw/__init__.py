"""The games multiplier: its weights, draw, tests and records, and the return to the player."""
