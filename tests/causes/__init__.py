"""Causes: what an error or a count means, and what ends it."""
