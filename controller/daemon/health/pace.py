"""How quickly the journal's disk stores what happens at the table, and whether it does so at all.

The rules:

- A disk that takes long is told while people wait for it, and not only afterwards. Nothing leaves
  before it is stored, so what tells it then is no event: the keypad's second row says that
  something waits (``WAITS``), the service's state and the log say for how long, and who asks for
  the status gets that for an answer. None of that shows anything of what waits.
- A disk that stays slow is a condition of the table as well (``disk-slow``), beside the prompt:
  people take each wait for a mistake of their own otherwise, and enter things twice.
- Play goes on: whatever was stored is right, however long it took. A disk that hangs is waited for,
  since a new process would wait for the same disk; one that fails says so.
- One long wait, or several looks in a row that found a slow commit, begin the condition; it ends
  when ``QUIET_LOOKS`` looks that found commits have found none that was slow. A table at which
  nothing is stored tells nothing about its disk.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final

from controller.daemon.health.findings import FaultFinding

_log = logging.getLogger(__name__)

SLOW: Final = "disk-slow"

SLOW_S: Final = 0.5
"""A dealer notices that. A memory card in order takes a hundredth of it."""

LONG_S: Final = 2.0
"""One commit of that length is told at once: somebody asks himself what he has done wrong."""

SLOW_LOOKS: Final = 2
QUIET_LOOKS: Final = 6
SPARE: Final = 1.2

TICK_S: Final = 1.0
AGAIN_S: Final = 60.0
"""How often the log says that the disk still does not answer."""

WAITS: Final = "WAIT: DISK IS SLOW"
WAITS_FOR: Final = "WAIT: FILE IS IN USE"
"""On the keypad, of 20 columns: for the disk, or for another program that writes the journal."""


def what_waits(age_s: float) -> str:
    """That something has waited for so long, in seconds."""
    return f"the journal's disk has not stored for {age_s:.0f} s what was entered"


class PaceWatch:
    """Looks how long commits took since it was last asked, and the oldest has waited."""

    faults: Collection[str] = (SLOW,)

    def __init__(self, longest_s: Callable[[], float], age_s: Callable[[], float]) -> None:
        self._longest_s = longest_s
        self._age_s = age_s
        self._present = False
        self._slow = 0
        self._quiet = 0

    def findings(self) -> list[FaultFinding]:
        """Whether the disk is slow; nothing where too little was stored to tell."""
        took = max(self._longest_s(), self._age_s())
        if took <= 0:
            return []
        if took >= (SLOW_S / SPARE if self._present else SLOW_S):
            self._slow, self._quiet = self._slow + 1, 0
            if self._present or self._slow >= SLOW_LOOKS or took >= LONG_S:
                self._present = True
                detail = f"an entry took {took:.1f} s to be stored, expected less than {SLOW_S}"
                return [FaultFinding(SLOW, detail, present=True)]
            return []
        self._slow, self._quiet = 0, self._quiet + 1
        if self._quiet < QUIET_LOOKS:
            return []
        self._present, self._quiet = False, 0
        return [FaultFinding(SLOW, f"no entry took {SLOW_S} s any more", present=False)]


class Waiting:
    """Looks once in ``TICK_S`` whether something waits for the disk for long, and tells: ``show``
    has the keypad say it until the next commit; ``state``, where it is set, the service manager.
    ``held`` says which other program is waited for."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        age_s: Callable[[], float],
        show: Callable[[str], None],
        held: Callable[[], str] = str,
    ) -> None:
        self.state: Callable[[str], None] = lambda _: None
        self._loop = loop
        self._age_s = age_s
        self._show = show
        self._held = held
        self._timer: asyncio.TimerHandle | None = None
        self._waited_s = 0.0
        self._logged_s = 0.0
        self._named = ""

    def start(self) -> None:
        """Look from now on."""
        self._timer = self._loop.call_later(TICK_S, self._tick)

    def close(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()

    def _tick(self) -> None:
        self.start()
        self.report_waiting()

    def report_waiting(self) -> None:
        """Tell what there is to tell now."""
        age_s = self._age_s()
        if age_s < LONG_S:
            if self._waited_s:
                _log.info("the journal's disk has stored it, after %.0f s", self._waited_s)
                self.state("")
            self._waited_s = self._logged_s = 0.0
            self._named = ""
            return
        first, self._waited_s = not self._waited_s, age_s
        said, held = what_waits(age_s), self._held()
        # Again: a commit may have taken it away, and what is next waits as long.
        self._show(WAITS_FOR if held else WAITS)
        if first or (held and not self._named) or age_s - self._logged_s >= AGAIN_S:
            self._logged_s, self._named = age_s, held
            why = held or "'dmesg' may say why"
            _log.warning("%s: nothing is lost, everything waits for it; %s", said, why)
        if held:
            said += f": {held}"
        self.state(said)
