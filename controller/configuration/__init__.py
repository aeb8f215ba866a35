"""The table's configuration: one TOML file, read by the daemon and by ``tablectl``.

:mod:`.section` reads a TOML table key by key, :mod:`.devices` the tables of the devices, and
:mod:`.reading` the whole file into the dataclasses of :mod:`.model`.
"""
