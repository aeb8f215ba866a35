"""Why commissioning cannot go on; each message says what to do."""

from __future__ import annotations


class CommissioningError(Exception):
    """It ends here."""


class BadInstruction(CommissioningError):
    """What somebody has given cannot be used."""


class MayNotWrite(CommissioningError):
    """A file may not be written by this user, or not now."""


class StepFailed(CommissioningError):
    """A step did not succeed; the message says what was done before it."""
