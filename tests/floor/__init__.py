"""The floor: what a house's server runs."""
