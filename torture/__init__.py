"""What tries to break a table, and counts what it cost.

- :mod:`torture.shifts`: whole shifts in virtual time, faults and crashes included, from one seed;
- :mod:`torture.kills`: the real process killed at every commit and at random instructions;
- :mod:`torture.unplugging`: every device pulled in every state;
- :mod:`torture.corruption`: every page of a journal altered;
- :mod:`torture.soak`: a year of play; start time, size and memory.

``python -m torture NAME ...`` runs one of them, ``python -m torture`` all but the soak. Each
prints its seed and its account, and exits 1 when anything was lost, came twice, or was accepted
that should not have been.
"""
