"""Witnesses: stock ones, and strange ones of our own."""
