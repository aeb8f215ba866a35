"""Irregularities: which case of the rules applies, and what reports and remedies do."""
