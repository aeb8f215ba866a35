"""The kinds of bench: a folder with the code of each, ``NAME.toml`` with its description.

- ``virtual``: the controller is a process of this machine, its devices are simulated;
- ``vm``: the controller is installed in a virtual machine;
- ``table``: real devices, operated by a person.
"""
