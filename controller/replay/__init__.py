"""A table and its counters led through their journal: at a start, to verify, to show a round.

:mod:`.records` converts between events and entries; :mod:`.play` is the table with its counters;
:mod:`.replay` leads it through the entries and reports what differs; :mod:`.recovery` begins at the
last snapshot. Nothing here needs a running daemon.
"""
