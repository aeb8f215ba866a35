"""A newcomer's trial: the same ten rounds, with two mistakes in them, dealt from the page alone and
from the keypad alone; what it takes is counted.

``rounds`` is what happens at the table, ``hands`` who deals it, and how. ``python -m
hil_tests.console.newcomer`` deals both and prints the counts.
"""
