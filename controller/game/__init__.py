"""Pontoon: rule sets as data, one round of play under them, and rounds written as scripts; pure."""
