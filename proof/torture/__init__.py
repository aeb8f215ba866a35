"""What tries to break a table, and counts what it cost.

- :mod:`proof.torture.shifts`: whole shifts in virtual time, faults and crashes included, from one
  seed;
- :mod:`proof.torture.kills`: the real process killed at every commit and at random instructions;
- :mod:`proof.torture.unplugging`: every device pulled in every state;
- :mod:`proof.torture.corruption`: every page of a journal altered;
- :mod:`proof.torture.floor`: whole journals sent to a floor whose parts are killed;
- :mod:`proof.torture.soak`: a year of play; start time, size and memory.

``python -m proof.torture NAME ...`` runs one of them, ``python -m proof.torture`` all but the soak.
Each prints its seed and its account, and exits 1 when anything was lost, came twice, or was
accepted that should not have been.
"""
