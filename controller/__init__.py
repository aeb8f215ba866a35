"""The table controller: rules, state machine, journal, daemon and the technician's CLI."""

__version__ = "0.1.0"

ENGINE_VERSION = "3"
"""Version of the rules engine, written into every start record: replay under another compares."""
