"""The table controller: rules, state machine, journal, daemon and the technician's CLI."""

__version__ = "0.3.0"

ENGINE_VERSION = "5"
"""Version of the rules engine, written into every start record: replay under another compares. It
is raised when the same events come to something else."""

STORES = 2
"""Raised when something is stored that earlier versions cannot read; in every start record. An
earlier version's package then refuses to be installed over such a journal (debian/)."""
