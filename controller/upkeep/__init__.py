"""The journal's upkeep, for daemon, night and commands: its second copy, closing it and going on
from it, looking at it beside play, and what is saved out of a damaged one."""
