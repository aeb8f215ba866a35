"""Snapshots: the whole table as plain data, and a table restored from it."""
