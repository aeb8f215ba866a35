"""One round of play: its state as data, and what may be done to it as functions on that state.

It needs nothing of the live table: no devices, no journal, no clock.
"""
