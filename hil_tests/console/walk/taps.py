"""Taps that fall on whatever a page shows, while what is behind it ends and comes back, and while
the table is dealt: each is held against the journal (:class:`hil_tests.console.walk.account`).

What is behind the page is disturbed at any moment: console, daemon, network and page end, and are
there again.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from contextlib import ExitStack, closing
from typing import Any, Final

from playwright.sync_api import Error

from hil_tests.bench.interface import Json
from hil_tests.bench.logged_program import free_port
from hil_tests.bench.wire import CLEAR, CUT, HUNG, Wire
from hil_tests.browser.chromium import Visits
from hil_tests.console.beside_table import QUICK, ConsoleBesideTable
from hil_tests.console.walk.account import Account, AppliedCommands, Tap
from hil_tests.console.walk.other_hands import OtherHands
from hil_tests.console.walk.questions import Finger

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

    def begin_disturbance(self, kind: str) -> None:
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

    def end_disturbance(self) -> None:
        """All is there again."""
        kind, self.now = self.now, ""
        match kind:
            case "console killed":
                self._table.start_console()
            case "daemon killed":
                self._table.bench.start_controller()
            case "network cut" | "network hung":
                self._wire.become(CLEAR)


WEIGHTS: Final = {
    "key": 12,
    "dialog": 6,
    "held": 6,
    "wager": 4,
    "box": 4,
    "seat": 20,
    "overlay": 2,
    "other": 1,
}
"""How often a tap falls on what, of what is there."""
DULLER: Final = 12
"""So much less on what does not count now."""
DOUBLE: Final = 0.1
ANYWHERE: Final = 0.05
MEANWHILE: Final = 0.15
"""Of the taps: two at once, on any point, and with something that happens before it goes up."""
LONGEST_HOLD_S: Final = 0.15
LONGEST_PAUSE_S: Final = 0.8
LONGEST_GONE: Final = 4
"""So many taps at most fall while something is not there."""
NAVIGATES: Final = ("Execution context was destroyed", "walk is not defined", "navigat")


class TapWalk:
    """A finger that taps at random at a table of its own."""

    def __init__(self, visits: Visits, seed: int) -> None:
        self._visits = visits
        self._seed = seed
        self._random = random.Random(seed)

    def run_taps(self, taps: int, restarts: int) -> Counter[str]:
        """So many taps across so many restarts; what came of them.

        Raises:
            Counterexample: the page, or what is behind it, did what was not meant.
        """
        port = free_port()
        with ExitStack() as stack:
            wire = stack.enter_context(closing(Wire([port])))
            hosts = {"hosts": f'["127.0.0.1:{wire.port}"]'}
            table = stack.enter_context(ConsoleBesideTable(QUICK, hosts, port))
            self._visits.expect("Failed to load resource")
            finger = Finger.at_page(self._visits, f"http://127.0.0.1:{wire.port}/")
            finger.until_shown(0)
            self._finger = finger
            self._others = OtherHands(table, self._random)
            self._disturber = Disturber(table, wire, finger)
            self._account = Account(AppliedCommands(table.bench.state_directory), self._seed)
            begins = self._plan(taps, restarts)
            for number in range(taps):
                self._tap(number, begins.get(number, ""))
            self._disturber.end_disturbance()
            self._account.journal()
            finger.page.goto("about:blank")
            counts = self._account.counts + self._disturber.done + self._others.done
            self._visits.close()
            return counts

    def _plan(self, taps: int, restarts: int) -> dict[int, str]:
        """Which tap has which disturbance, each kind as often as the others."""
        kinds = [KINDS[number % len(KINDS)] for number in range(restarts)]
        self._random.shuffle(kinds)
        step = taps / restarts if restarts else 0
        return {
            int(step * number + self._random.random() * max(step - LONGEST_GONE - 1, 0)): kind
            for number, kind in enumerate(kinds)
        }

    # ---- one tap --------------------------------------------------------------------------------

    def _tap(self, number: int, begins: str) -> None:
        disturber = self._disturber
        if begins and disturber.now:
            disturber.end_disturbance()
        moment = self._random.choice(("before", "between", "behind")) if begins else ""
        if moment == "before":
            self._begin_disturbance(begins)
        if disturber.now != DAEMON:
            self._others.go_on()
        target = self._target()
        gone = time.monotonic() - disturber.since if disturber.now else 0.0
        tap = Tap(number, target["on"], disturber.now, gone, "")
        before = self._page_answer("taken") or {"downs": 0, "sent": 0}
        self._finger.down(target["x"], target["y"])
        if moment == "between":
            self._begin_disturbance(begins)
            tap.happened = begins
        elif self._random.random() < MEANWHILE and disturber.now != DAEMON:
            tap.happened = self._others.anything()
        _rest(self._random.random() * LONGEST_HOLD_S)
        self._finger.up()
        if self._random.random() < DOUBLE:
            _rest(0.02 + self._random.random() * 0.06)
            self._finger.down(target["x"], target["y"])
            self._finger.up()
        if moment == "behind":
            if begins == PAGE:
                self._complete_tap(tap, before)
            self._begin_disturbance(begins)
        _rest(self._random.random() * LONGEST_PAUSE_S)
        if begins != PAGE or moment == "before":
            self._complete_tap(tap, before)
        self._account.add_tap(tap)
        if disturber.now and self._random.random() < 1 / LONGEST_GONE:
            disturber.end_disturbance()

    def _begin_disturbance(self, kind: str) -> None:
        self._disturber.begin_disturbance(kind)
        if kind == DAEMON:
            self._others.lost()

    def _complete_tap(self, tap: Tap, before: Json) -> None:
        """What the page showed and sent since; nothing where it was loaded anew meanwhile."""
        seen = self._page_answer("since", before)
        if seen is None:
            return
        tap.downs = seen["downs"]
        tap.sent = [{**one, "down": one["down"] - before["downs"]} for one in seen["sent"]]

    def _target(self) -> Json:
        """Something that is to be seen now, or any point."""
        found: list[Json] = self._page_answer("targets") or []
        if not found or self._random.random() < ANYWHERE:
            x, y = self._random.randrange(1024), self._random.randrange(600)
            return {"x": x, "y": y, "on": f"the point {x}, {y}"}
        weights = [WEIGHTS[one["of"]] / (DULLER if one["disabled"] else 1) for one in found]
        [target] = self._random.choices(found, weights)
        return target

    def _page_answer(self, name: str, *given: object) -> Any:
        """What the page says; None where it is being loaded."""
        try:
            return self._finger.page.evaluate(f"(given) => walk.{name}(...given)", list(given))
        except Error as error:
            if any(words in str(error) for words in NAVIGATES):
                return None
            raise


def _rest(seconds: float) -> None:
    """A person takes his time."""
    threading.Event().wait(seconds)
