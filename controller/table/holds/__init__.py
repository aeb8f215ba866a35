"""Holds of play, and the conditions that cause them."""
