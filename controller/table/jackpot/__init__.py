"""The button and the meter."""
