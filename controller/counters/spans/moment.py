"""When an entry was made: by the clock that never goes back, and by the one on the wall.

The rules:

- Time that has passed is measured by the monotonic clock of one boot alone, while the controller
  runs. What lies between its last entry and its next start is not counted: no clock tells how long
  the table was off.
- The wall clock is a remark. It is shown, and it says which gaming day it is; nothing is measured
  by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

NS_A_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Moment:
    """``boot`` and ``mono_ns`` of an entry; ``wall`` is the time of the wall clock as the journal
    has it (ISO 8601), ``local`` the same as the clocks at the table show it, None where the text is
    no time. ``starts``: the entry is a start of the controller."""

    boot: int
    mono_ns: int
    wall: str
    local: datetime | None
    starts: bool = False

    def since(self, before: Moment | None) -> int:
        """Nanoseconds for which the controller has run since that entry, the one before this."""
        if before is None or self.starts or before.boot != self.boot:
            return 0
        return max(0, self.mono_ns - before.mono_ns)
