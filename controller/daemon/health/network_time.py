"""Whether the clock of the box is kept right by the network.

The rules:

- The kernel knows it (``adjtimex``, whatever program keeps the clock right). Reading needs no
  right, but the unit forbids the call with those that set a clock (``ProtectClock=``).
- Then systemd-timesyncd says it: it touches a file each time that it has heard a server, at most
  34 minutes apart (systemd-timesyncd.service(8)). Where it does not run, nobody says it.
"""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from typing import Final

STAMP: Final = Path("/run/systemd/timesync/synchronized")
STALE_S: Final = 2 * 2048 + 104.0
"""Two of its longest intervals: a server that was missed once is none that is gone."""

_UNSYNCHRONISED: Final = 5  # TIME_ERROR, adjtimex(2)
_TIMEX_BYTES: Final = 512
"""More than ``struct timex`` has anywhere; its first field, ``modes``, 0: nothing is set."""


def synchronised(stamp: Path = STAMP) -> bool | None:
    """Whether it is; None where nobody says so."""
    state = _kernel()
    if state >= 0:
        return state != _UNSYNCHRONISED
    try:
        age_s = time.time() - stamp.stat().st_mtime
    except OSError:
        return False if stamp.parent.is_dir() else None
    return -1.0 <= age_s <= STALE_S


def in_words(*, known: bool | None) -> str:
    """What :func:`synchronised` says, for a person."""
    if known is None:
        return "whether the network keeps it right is not known"
    return f"{'the network' if known else 'nothing'} keeps it right"


def _kernel() -> int:
    """The clock's state; below 0 where the kernel may not be asked."""
    try:
        return int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES)))
    except (AttributeError, OSError):
        return -1
