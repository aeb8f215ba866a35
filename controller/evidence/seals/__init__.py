"""Heads of the journal: signed, kept apart, and held against it."""
