"""What may happen to a table's screens at any moment: console, daemon, network and page end, and
are there again."""

from __future__ import annotations

import time
from collections import Counter
from typing import Final

from hil_tests.bench.wire import CLEAR, CUT, HUNG, Wire
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.walk.finger import Finger

CONSOLE: Final = "console killed"
DAEMON: Final = "daemon killed"
NETWORK_CUT: Final = "network cut"
NETWORK_HUNG: Final = "network hung"
PAGE: Final = "page loaded anew"
KINDS: Final = (CONSOLE, DAEMON, NETWORK_CUT, NETWORK_HUNG, PAGE)
"""Each of which is as good as a restart for the page."""


class Disturber:
    """Disturbs the screens of ``table``, which are followed over ``wire`` with ``finger``."""

    def __init__(self, table: ConsoleBesideTable, wire: Wire, finger: Finger) -> None:
        self._table, self._wire, self._finger = table, wire, finger
        self.now = ""
        """What is not there; "": all is."""
        self.since = 0.0
        self.done: Counter[str] = Counter()

    def begin(self, kind: str) -> None:
        """It ends."""
        self.now, self.since = kind if kind != PAGE else "", time.monotonic()
        self.done[kind] += 1
        match kind:
            case "console killed":
                self._table.program.kill()
            case "daemon killed":
                self._table.bench.kill_controller()
            case "network cut":
                self._wire.become(CUT)
            case "network hung":
                self._wire.become(HUNG)
            case "page loaded anew":
                self._finger.page.evaluate("setTimeout(() => location.reload())")

    def end(self) -> None:
        """All is there again."""
        kind, self.now = self.now, ""
        match kind:
            case "console killed":
                self._table.start_console()
            case "daemon killed":
                self._table.bench.start_controller()
            case "network cut" | "network hung":
                self._wire.become(CLEAR)
