"""The table controller: rules, state machine, journal, daemon and the technician's CLI."""

__version__ = "0.3.0"

ENGINE_VERSION = "5"
"""Version of the rules engine, written into every start record: replay under another compares. It
stays where a rule set says by which meanings its rounds are played (:mod:`.game.rules.engine`)."""

STORES = 2
"""Raised when something is stored that earlier versions cannot read; in every start record. An
earlier version's package then refuses to be installed over such a journal (debian/)."""
