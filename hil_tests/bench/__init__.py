"""What a bench is, and what every kind of bench uses.

- ``interface``: the protocol that scenarios use, and what all kinds of bench have in common;
- ``setup``: the table that a bench is set up as, and the controller's configuration file;
- ``description``: a bench's file (``hil_tests/benches/NAME.toml``); ``simulated_device``: devices
  that are simulated, and benches that have them alone;
- ``controller_process``: the controller as a process; ``rebooted_daemon``: the same after a reboot;
- ``processes``: programs of this project, forked from a server that has imported them;
- ``steps``: what is done, for the report.
"""
