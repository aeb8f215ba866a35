"""The device that is examined: where its line is, who is at it, and how it is made to have events.

A device cannot be put back to how it came out of its box. A check begins with HELLO all the same,
with every event covered and the device made safe, and nothing of that is judged: what an earlier
check has left there, and what the device does wrong meanwhile, is no fault in this one.
"""

from __future__ import annotations

import contextlib
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from drivers.api import DriverError
from drivers.registry import USB_FORM
from drivers.table_link.timing import EVENT_WINDOW, GONE_AFTER_S, RESEND_AFTER_S, RESET_WITHIN_S
from hil_tests.benches.virtual.pyusb_backend import installed
from hil_tests.conformance.controller import ONCE_S, Controller
from hil_tests.conformance.judge import (
    REPETITION,
    Fields,
    Findings,
    Heard,
    NotMade,
    Violation,
    unlike,
)
from hil_tests.conformance.line import Line, open_line
from hil_tests.conformance.words import failure, message_told
from simulators.hands import PROGRAM, Hands

EVENT_S: Final = 2.0
"""Within which an event has come once it was made: a spin of no length, a shuffle begun."""

QUIET_S: Final = RESEND_AFTER_S * 2
"""Within which whatever is not acknowledged would have been sent again."""

WELL_GONE_S: Final = GONE_AFTER_S + 0.5
"""Behind which a device takes its controller for gone, whichever of the two is a little slow."""

KEYS: Final = "1234567890"
MADE_BY_COMMAND: Final = ("shuffler", "jackpot")
"""Kinds of device that make an event of what they are told: a shuffle begun, a figure shown."""

ARMED, SPINNING, SHOWING = 1, 2, 3
"""The meter's states."""

ROUNDS: Final = 8
"""Of HELLO and EVENT_ACK within which a device lets go of its events."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a device is: its kind, its carrier (``serial`` or ``usb``), its port."""

    kind: str
    port: str

    @property
    def carrier(self) -> str:
        """``usb`` where the port is ``VENDOR:PRODUCT[:SERIAL]``."""
        return "usb" if USB_FORM.fullmatch(self.port) else "serial"


AtDevice = Callable[..., None]
"""Who does at the device what no command does, by the verbs of a twin's hands: called with the
controller that keeps its link alive meanwhile, or None, the verb and its arguments."""

UNIT: Final = "1209:0001"
NEVER_DONE_MS: Final = "600000"
"""A shuffle that ends when it is told to, and not in the middle of a check."""

OPTIONS: Final = {"shuffler": ("--shuffle-ms", NEVER_DONE_MS)}


@contextlib.contextmanager
def examined_twin(kind: str, carrier: str, program: Sequence[str] = PROGRAM) -> Iterator[Subject]:
    """A simulated device under examination, on whose bus no other folder's tests are to be."""
    usb = carrier == "usb"
    with contextlib.ExitStack() as undo:
        folder = Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="twin-")))
        hands = undo.enter_context(
            Hands.start(
                kind,
                folder / kind,
                *OPTIONS.get(kind, ()),
                line="--usb-port" if usb else "--link",
                program=program,
            )
        )
        if usb:
            undo.enter_context(installed(folder))

        def act(_: object, verb: str, **arguments: Any) -> None:
            hands.do(verb, **arguments)

        yield Subject(Place(kind, UNIT if usb else str(folder / kind)), act)


class Subject:
    """A device under examination; ``open_it`` opens its line."""

    def __init__(
        self, place: Place, at_device: AtDevice, open_it: Callable[[str], Line] = open_line
    ) -> None:
        self.place = place
        self.kind = place.kind
        self._at_device = at_device
        self._open_it = open_it
        self._offer = random.randrange(1, 1 << 31)
        self.heard: Findings = {}

    def opened(self) -> Controller:
        """The line just opened, nothing said."""
        return Controller(self._open_it(self.place.port), self.kind)

    def greeted(self) -> Controller:
        """The line opened, HELLO said, every event covered, the device safe: a table between two
        rounds. Raises :class:`Violation` where it does not even answer."""
        controller = self.opened()
        try:
            with controller.unjudged():
                controller.greet()
                self._cover_all(controller)
                self._make_safe(controller)
                self._cover_all(controller)
            controller.begin_check()
        except BaseException:
            controller.line.close()
            raise
        return controller

    def end_check(self, controller: Controller, check: str) -> None:
        """The check of that name has been made: its line is closed, and what was wrong with events
        is kept for the checks of all that was heard."""
        controller.line.close()
        for section, found in controller.findings.items():
            self.heard.setdefault(section, []).extend(f"{each} (in: {check})" for each in found)

    def is_the_same(self, controller: Controller, kept: Heard) -> None:
        """An event that was kept has come again, at another conversation."""
        came = controller.events[kept.number]
        controller.expect(
            came.is_of(kept), f"event {kept.number} as it was: {message_told(kept.message)}"
        )
        if came.payload != kept.payload:
            controller.note_finding(REPETITION, unlike(kept, came))

    def wrong(self, section: str, wanted: str) -> Violation:
        """What is expected of the device and is not so, where no conversation tells of it."""
        return Violation(failure(section, wanted, []))

    def _cover_all(self, controller: Controller) -> None:
        for _ in range(ROUNDS):
            hello = controller.greet(controller.session, int(str(controller.hello["last_event"])))
            controller.acknowledge(int(str(hello["last_event"])))
            if _number(controller.answer_to("PING").fields, "unacked") == 0:
                break
        # Events sent before the HELLO that covers them are on the line no more.
        controller.greet(controller.session, int(str(controller.hello["last_event"])))

    def act(self, controller: Controller | None, verb: str, **arguments: Any) -> None:
        """Have something done at the device."""
        self._at_device(controller, verb, **arguments)

    def restarted(self) -> Controller:
        """The line of a device that is starting, once it wants HELLO.

        Raises:
            Violation: it does not within half a minute, or it answers something else before.
        """
        until = time.monotonic() + RESET_WITHIN_S
        controller = None
        while time.monotonic() < until:
            with contextlib.suppress(DriverError):  # its port may go and come while it starts
                controller = self.opened()
                controller.section = "section 3, RESET"
                try:
                    while time.monotonic() < until:
                        payload = controller.send_command("PING")
                        if heard := controller.answer(payload, ONCE_S):
                            controller.expect(
                                heard.message.fields == {"code": 6, "refused": payload[1]},
                                "NAK 6 (HELLO first) for PING from a device that has started anew",
                            )
                            return controller
                except BaseException:
                    controller.line.close()
                    raise
                controller.line.close()
        wanted = f"an answer {RESET_WITHIN_S:g} s after the start; none came"
        if controller is None:
            raise self.wrong("section 3, RESET", f"{wanted}, its port is not there")
        raise controller.wrong(wanted)

    def next_offer(self) -> int:
        """An offer's number that this unit has never had."""
        self._offer += 1
        return self._offer

    def make_events(self, controller: Controller, count: int) -> list[int]:
        """Have at least that number of events made, and wait for as many as may be in flight; their
        numbers, those that have not come yet as they can be foreseen.

        Raises:
            NotMade: fewer came, or under other numbers. That is what other checks are about.
        """
        before, wanted = controller.last, min(count, EVENT_WINDOW)
        came = [heard.number for heard in self.prompted(controller, count, wanted)]
        if len(came) < wanted:
            raise NotMade(f"of {wanted} events that were made {len(came)} came")
        numbers = list(range(before + 1, before + 1 + count))
        if came[:wanted] != numbers[:wanted]:
            raise NotMade(f"events {numbers[:wanted]} were expected, and {came} came")
        return numbers

    def prompted(self, controller: Controller, count: int, wanted: int) -> list[Heard]:
        """Have that number of events made; those that came of ``wanted``, in time or not."""
        already = len(controller.arrived)
        match self.kind:
            case "shoe":
                controller.carry_out("GATE", unlocked=1, cards=0)
                self.act(controller, "draw", count=count)
                controller.carry_out("GATE", unlocked=0, cards=0)
            case "keypad":
                self.act(controller, "key", keys=KEYS[:count])
            case "jackpot":
                for _ in range(count):
                    self.show_figure(controller, self.next_offer())
            case _:
                for number in range(count):
                    name = "ABORT" if number % 2 else "START"
                    controller.carry_out(name, **({} if number % 2 else {"set": 1}))
        controller.listen(EVENT_S, lambda: len(controller.arrived) - already >= wanted)
        return controller.arrived[already:]

    def make_event_by_command(self, controller: Controller) -> Heard | None:
        """Have an event made that wants nobody at the device, and leave it unacknowledged; None
        for a kind whose commands make none."""
        if self.kind not in MADE_BY_COMMAND:
            return None
        [number, _] = self.make_events(controller, 2)  # a shuffle that is begun is ended, too
        return controller.events[number]

    def show_figure(self, controller: Controller, offer: int, multiplier: int = 5) -> None:
        """Have a figure shown at once, and wait until the meter has stopped."""
        controller.carry_out("SHOW", offer_id=offer, multiplier=multiplier, spin_ms=0)
        if not controller.listen(
            EVENT_S, lambda: int(str(controller.carry_out("PING")["state"])) == SHOWING
        ):
            raise NotMade("a spin of no length did not come to its end")

    def comes(
        self,
        controller: Controller,
        number: int,
        within_s: float = EVENT_S,
        what: str = "an event of what was done",
    ) -> None:
        """Wait until that event has come."""
        if not controller.listen(within_s, lambda: number in controller.events):
            raise controller.wrong(
                f"{what} within {within_s:g} s, as event {number}; it has not come"
            )

    def _make_safe(self, controller: Controller) -> None:
        """As far as it can be had; a device that refuses is as safe as it gets."""
        match self.kind:
            case "shuffler":
                controller.answer_to("ABORT")
                controller.listen(RESEND_AFTER_S / 4)  # for the event of it, where there is one
            case "shoe":
                controller.answer_to("GATE", {"unlocked": 0, "cards": 0})
            case "jackpot":
                meter = controller.answer_to("METER").fields
                if _number(meter, "state") == ARMED:
                    controller.answer_to("DISARM", {"offer_id": meter["offer_id"]})
                if _number(meter, "state") == SPINNING:
                    controller.listen(
                        EVENT_S,
                        lambda: _number(controller.answer_to("METER").fields, "state") != SPINNING,
                    )
                controller.answer_to("BLANK")


def _number(fields: Fields, name: str) -> int:
    """A field of an answer; 0 in a refusal, which has no such field."""
    return int(str(fields.get(name, 0)))
