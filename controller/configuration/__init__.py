"""The table's configuration: one TOML file, which the daemon and ``tablectl`` read alike.

:mod:`.section` reads a TOML table key by key, :mod:`.devices` the tables of the devices, and
:mod:`.reading` the whole file into the dataclasses of :mod:`.model`.
"""
