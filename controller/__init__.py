"""The table controller: rules, state machine, journal, daemon and the technician's CLI."""

ENGINE_VERSION = "1"
"""Version of the rules engine, written into every start record: replay under another compares."""
