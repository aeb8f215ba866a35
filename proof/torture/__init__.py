"""What tries to break a table, and counts what it cost.

- :mod:`proof.torture.play`: shifts in virtual time, faults and crashes included, from one seed; and
  long lives: days and nights, or entries, with start time, size and memory;
- :mod:`proof.torture.kills`: the real process killed at every commit and at random instructions, or
  its machine's power cut;
- :mod:`proof.torture.unplugging`: every device pulled in every state;
- :mod:`proof.torture.altering`: journals rewritten, and every page of one altered;
- :mod:`proof.torture.floor`: whole journals sent to a floor whose parts are killed.

``python -m proof.torture NAME ...`` runs one of them, ``python -m proof.torture`` all but the last.
Each prints its seed and its account, and exits 1 when anything was lost, came twice, or was
accepted that should not have been.
"""
