"""The shift report out of a table's journals: :mod:`.finding` finds and replays the shift or the
gaming day that is asked for, :mod:`.line` are the journals, :mod:`.clock` the clock on the wall.
"""
