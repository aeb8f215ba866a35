"""Replay of a journal into a table and its counters: at a start, for verification, to show a round.

:mod:`.counted_table` is the table with its counters; :mod:`.replay` converts between events and
entries, applies these to it and reports differences; :mod:`.recovery` begins at the last snapshot;
:mod:`.finding` finds rounds, :mod:`.shift_reports` shifts and gaming days. The package needs no
running daemon.
"""
