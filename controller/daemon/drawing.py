"""The draw at a running table, the watch over its generator, and the clock of the meter's report.

The rules:

- A draw is made for a press that the table has taken, and becomes durable together with it, in one
  transaction: nobody sees the one before the other, and no power cut leaves a press without its
  draw. It is made once for an offer: the table, this module and the database each ensure it.
- Before anything is drawn the generator passes its start-up test. Every number that it gives passes
  the continuous tests before a draw uses it; before each draw, and between rounds, it cycles:
  numbers are taken, tested and discarded.
- A test that fails makes the condition ``generator-failed``, which holds the table. It is over when
  the start-up test passes again, which is tried as often as the generator would cycle; then a
  supervisor may resume, and the start-up test has to pass once more before a draw.
- Nothing is drawn while condition or hold is present; the offer and its press are kept, and the
  draw is made when they are over. Both are the table's state, and so stored in the journal: a crash
  or a restart between failure and ``resume`` changes nothing. Test results are not kept; a start
  tests again.
- A failure that was not yet durable when the power failed does not count: no one has seen it, and
  the start-up test checks again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from controller.daemon.health.findings import Found, SelfTest
from controller.daemon.owner import Owner
from controller.draw.evidence import READ
from controller.draw.generator import draw
from controller.draw.health import START_TICKETS, Health, cycle, start_up, watched
from controller.draw.weights import SourceFailed, Weights
from controller.table.events.event import Event
from controller.table.events.of_controller import MeterOverdue
from controller.table.events.reading import read_event
from controller.table.jackpot import GENERATOR_FAULT, PRESSES, generator_failed, waits_for_draw
from controller.table.showing.wanted import Wants

_log = logging.getLogger(__name__)

METER_GRACE_S: Final = 1.0
"""Beyond the spin: the unit reports within ``spin_ms`` + 1 s (protocol section 5). A report that
comes later, on a line that loses frames, ends the hold by itself."""

CYCLE_S: Final = 5.0
CYCLE_TICKETS: Final = 16
"""Between rounds, this number of tickets is taken and discarded at this interval in seconds: a
hundred million in a year, and a hundredth of a percent of one core of a small machine."""

BEFORE_DRAW: Final = 64
"""Tickets discarded before every draw: a generator that is stuck is found before anything is drawn
with it, whatever the width of its numbers (:data:`controller.draw.health.ALPHA_BITS`)."""


class Drawing:
    """``bits(k)`` are k bits of the generator; ``meter_silent`` is called before a late report."""

    def __init__(
        self, owner: Owner, loop: asyncio.AbstractEventLoop, bits: Callable[[int], int]
    ) -> None:
        self.meter_silent: Callable[[], None] = lambda: None
        self._owner = owner
        self._loop = loop
        self._bits = bits
        self._weights: Weights | None = None
        self._health: Health | None = None
        self._failed = False
        self._drawn_for: int | None = None
        self._cycle_timer: asyncio.TimerHandle | None = None
        self._meter_timer: tuple[int, asyncio.TimerHandle] | None = None

    @property
    def self_test(self) -> SelfTest:
        """The start-up test as one of the controller's self-tests."""
        return SelfTest("the generator of the multiplier", {GENERATOR_FAULT}, self._test)

    def readiness(self) -> tuple[bool, str]:
        """Whether the generator may be drawn from (it is tested first), and what its tests say."""
        if not self._ready() or self._health is None:
            return False, "its tests have failed"
        return True, f"{self._health.taken} numbers tested since its start-up test, none amiss"

    def begin_cycles(self) -> None:
        """The table has started: the generator cycles from now on."""
        self._cycle_timer = self._loop.call_later(CYCLE_S, self._cycle)

    def accompany(self, event: Event) -> None:
        """Draw for the press that the table has just taken."""
        if not isinstance(event, PRESSES):
            return
        offer = self._owner.table.jackpot.offer
        if offer is not None and self._ready() and self._drawn_for != offer.number:
            self._draw(offer.number, offer.box, offer.press)

    def attend(self, wants: Wants) -> None:
        """Draw if a durable press still waits for it, and watch the meter's report."""
        ready = self._ready()
        if wants.draw is not None and ready and self._drawn_for != wants.draw[0]:
            self._draw(*wants.draw, wants.draw_answers)
        self._mind_the_meter(wants.meter_due)

    def close(self) -> None:
        """No clock runs any more."""
        if self._cycle_timer is not None:
            self._cycle_timer.cancel()
            self._cycle_timer = None
        if self._meter_timer is not None:
            self._meter_timer[1].cancel()
            self._meter_timer = None

    # ---- the generator ------------------------------------------------------------------------

    def _test(self) -> list[Found]:
        """Run the start-up test and begin the continuous ones; what was found."""
        self._health = None
        pairs = self._owner.table.settings.weights
        if not pairs:
            return []
        if self._weights is None or self._weights.pairs != pairs:
            self._weights = Weights(pairs)
        try:
            self._health = start_up(self._weights, self._bits)
        except SourceFailed as error:
            return [(GENERATOR_FAULT, f"start-up test: {error}")]
        return []

    def _ready(self) -> bool:
        """Whether the generator may be drawn from; it is tested first where it has to be."""
        table = self._owner.table
        if not table.started or not table.settings.weights:
            return False
        if generator_failed(table):
            self._failed, self._health = False, None
            return False
        if self._failed:
            return False  # the report to the table is still pending (limited rate)
        if self._weights is None or self._weights.pairs != table.settings.weights:
            self._health = None
        if self._health is None:
            for _, detail in self._test():
                self._fail(detail)
        return self._health is not None

    def _look_again(self) -> None:
        if GENERATOR_FAULT in self._owner.table.holds.conditions and not self._test():
            passed = f"its start-up test of {START_TICKETS} numbers has passed again"
            self._owner.condition(GENERATOR_FAULT, passed, present=False)

    def _cycle(self) -> None:
        """Between rounds: take and discard numbers, which go through the same tests."""
        self._cycle_timer = self._loop.call_later(CYCLE_S, self._cycle)
        if self._ready() and self._health is not None and self._weights is not None:
            try:
                cycle(self._weights, watched(self._bits, self._health), CYCLE_TICKETS)
            except SourceFailed as error:
                self._fail(f"between plays: {error}")
        else:
            self._look_again()

    def _fail(self, detail: str) -> None:
        """Draw nothing from here on, even before the table is held."""
        self._failed, self._health = True, None
        _log.critical("the generator of the multiplier has failed: %s", detail)
        self._owner.condition(GENERATOR_FAULT, detail)

    # ---- the draw -----------------------------------------------------------------------------

    def _draw(self, offer: int, box: int, answers: tuple[int, int] | None) -> None:
        table = self._owner.table
        if (
            table.jackpot.offer is None
            or table.jackpot.offer.number != offer
            or not waits_for_draw(table)
        ):
            return  # it was not taken, or has been voided meanwhile
        assert self._weights is not None
        assert self._health is not None
        try:
            source = watched(self._bits, self._health)
            cycle(self._weights, source, BEFORE_DRAW)
            drawn = draw(self._weights, source)
        except SourceFailed as error:
            self._fail(f"at the draw for offer {offer}: {error}")
            return
        self._drawn_for = offer
        press = READ if answers is None else {"session": answers[0], "event_no": answers[1]}
        self._owner.submit(
            read_event("draw", {"box": box, "press": press, **drawn.as_body()}, offer=offer)
        )

    # ---- the meter ----------------------------------------------------------------------------

    def _mind_the_meter(self, due: int | None) -> None:
        if self._meter_timer is not None and self._meter_timer[0] != due:
            self._meter_timer[1].cancel()
            self._meter_timer = None
        if due is not None and self._meter_timer is None:
            delay = self._owner.table.settings.spin_ms / 1000 + METER_GRACE_S
            self._meter_timer = (due, self._loop.call_later(delay, self._meter_overdue, due))

    def meter_told(self) -> None:
        """The unit has taken the command: the time of its report runs from now."""
        if self._meter_timer is not None:
            due, timer = self._meter_timer
            timer.cancel()
            self._meter_timer = None
            self._mind_the_meter(due)

    def _meter_overdue(self, offer: int) -> None:
        self._meter_timer = None
        self.meter_silent()
        self._owner.submit(MeterOverdue(offer=offer))
