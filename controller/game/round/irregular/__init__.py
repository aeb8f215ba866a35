"""Irregularities: the case of the rules that applies, and the effect of reports and remedies."""
