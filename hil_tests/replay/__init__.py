"""Captures played again through the drivers and the table, in virtual time; docs/captures.md.

- ``capturing``: a capture of a bench's lines while a round is played there;
- ``exported``, ``case``: the files, brought to one clock, and the configuration they give;
- ``exchanges``: a device's half of a capture; ``port``, ``line``: that half at the end of a line;
- ``case_replay``: the daemon between these lines; ``exported``: then and now.
"""

from __future__ import annotations

from pathlib import Path

from hil_tests.replay.case import read_case
from hil_tests.replay.case_replay import Replayed, play

JOURNAL = ".journal.jsonl"


def replay(*captures: Path, journal: Path | None = None) -> Replayed:
    """Play captures again; ``journal`` is the export of the journal of that time, which is looked
    for beside the first capture where it is not given (``NAME.journal.jsonl`` for ``NAME.jsonl``).

    Raises:
        CannotReplay, BadCapture, BadExport: these files are not to be replayed; why.
    """
    return play(read_case(captures, journal or captures[0].with_suffix(JOURNAL)))
