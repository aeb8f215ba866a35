"""Betting between rounds, and opening and closing the table."""
