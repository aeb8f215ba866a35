"""Tables for :mod:`proof.torture.floor`: boxes with made journals, and what goes wrong there."""
