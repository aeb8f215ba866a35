"""The table's counters: what has happened and what was wagered, since commissioning, per shift
and per gaming day.

They are a function of the table's events, as the table is: pure, kept beside it in memory, written
down with it in snapshots, and the same again when the journal is replayed.
"""
