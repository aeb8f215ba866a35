"""Torture in small: that it has teeth, and that nothing is broken by a fixed amount of it."""
