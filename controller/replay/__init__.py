"""Replay of a journal into a table and its counters: at a start, for verification, to show a round.

:mod:`.records` converts between events and entries; :mod:`.counted_table` is the table with its
counters; :mod:`.replay` applies the entries to it and reports differences; :mod:`.recovery` begins
at the last snapshot. The package needs no running daemon.
"""
