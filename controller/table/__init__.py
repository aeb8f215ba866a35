"""One round of play, and the live table around it. Pure: no clock, no randomness, no I/O."""
