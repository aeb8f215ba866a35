"""Screens for the rig: a table of simulated devices, and the console's own process beside it."""
