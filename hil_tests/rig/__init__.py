"""The rig: benches by their files, and what brings a table on one of them to a named state.

The roles are those of labgrid: a *resource* says what is where, a *driver* does something with it,
a *strategy* brings the whole to a named state. A scenario knows the last and the people's verbs.
"""
