"""The floor: the journal of every table of a house, once and whole, at one place that also
witnesses it (docs/decisions/0040). A program of the house's server, never of a table's box.
"""
