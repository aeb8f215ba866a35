"""Screens for the rig: a table of simulated devices, and the console's own process beside it.

``python -m hil_tests.console`` (``make demo-console``) is such a table for a visitor. ``twins`` is
a page by which he draws cards and presses the button: no part of the console, which knows no
device.
"""
