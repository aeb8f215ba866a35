"""Generators that are wrong on purpose: what the statistical battery must find, and after how many
draws."""
