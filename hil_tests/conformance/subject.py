"""The device that is examined: where its line is, who is at it, and how it is made to have events.

A device cannot be put back to how it came out of its box: a check begins with HELLO and takes what
there is as stored, and what it leaves the next one finds.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from drivers.api import DriverError
from drivers.registry import USB_FORM
from drivers.table_link.timing import GONE_AFTER_S, RESEND_AFTER_S, RESET_WITHIN_S
from hil_tests.conformance.controller import Controller
from hil_tests.conformance.hands import AtDevice
from hil_tests.conformance.judge import Heard, Violation
from hil_tests.conformance.line import Line, open_line

EVENT_S: Final = 2.0
"""Within which an event has come once it was made: a spin of no length, a shuffle begun."""

QUIET_S: Final = RESEND_AFTER_S * 2
"""Within which whatever is not acknowledged would have been sent again."""

WELL_GONE_S: Final = GONE_AFTER_S + 0.5
"""Behind which a device takes its controller for gone, whichever of the two is a little slow."""

KEYS: Final = "1234567890"
MADE_BY_COMMAND: Final = ("shuffler", "jackpot")
"""Kinds of device that make an event of what they are told: a shuffle begun, a figure shown."""

SHOWING: Final = 3
"""The meter's state."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a device is: its kind, its carrier (``serial`` or ``usb``), its port."""

    kind: str
    port: str

    @property
    def carrier(self) -> str:
        """``usb`` where the port is ``VENDOR:PRODUCT[:SERIAL]``."""
        return "usb" if USB_FORM.fullmatch(self.port) else "serial"


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

    def opened(self) -> Controller:
        """The line just opened, nothing said."""
        return Controller(self._open_it(self.place.port), self.kind)

    def greeted(self) -> Controller:
        """The line opened, HELLO said, and every event taken: a table between two rounds."""
        controller = self.opened()
        try:
            controller.greet()
            self.take_all(controller)
            self._make_safe(controller)
        except BaseException:
            controller.line.close()
            raise
        return controller

    def take_all(self, controller: Controller) -> None:
        """Hear and acknowledge everything that the device has to tell."""
        while True:
            wanted = int(str(controller.hello["last_event"]))
            controller.listen(EVENT_S, lambda to=wanted: controller.last >= to)  # type: ignore[misc]
            if controller.last < wanted:
                raise Violation(f"section 4: event {wanted} is told of by HELLO and does not come")
            if controller.last > controller.stored:
                controller.acknowledge(controller.last)
            if int(str(controller.done("PING")["unacked"])) == 0:
                controller.listen(0)
                return
            controller.greet(controller.session, controller.stored)

    def act(self, controller: Controller | None, verb: str, **arguments: Any) -> None:
        """Have something done at the device."""
        self._at_device.do(controller, verb, **arguments)

    def restarted(self) -> Controller:
        """The line of a device that is starting, once it wants HELLO.

        Raises:
            Violation: it does not within half a minute, or it answers something else before.
        """
        until = time.monotonic() + RESET_WITHIN_S
        while time.monotonic() < until:
            with contextlib.suppress(DriverError):  # its port may go and come while it starts
                controller = self.opened()
                try:
                    while time.monotonic() < until:
                        payload = controller.say("PING")
                        heard = controller.answer(payload)
                        if heard and heard.message.fields == {"code": 6, "refused": payload[1]}:
                            return controller
                        if heard:
                            raise Violation(
                                "section 3: a restarted device answers before it was greeted: "
                                f"{heard.message.name} {heard.message.fields}"
                            )
                except BaseException:
                    controller.line.close()
                    raise
                controller.line.close()
        raise Violation(f"section 3: nothing is answered {RESET_WITHIN_S:g} s after the start")

    def next_offer(self) -> int:
        """An offer's number that this unit has never had."""
        self._offer += 1
        return self._offer

    def make_events(self, controller: Controller, count: int) -> list[int]:
        """Have at least that number of events made and wait for the first of them; their numbers as
        far as they can be foreseen."""
        first = controller.last + 1
        match self.kind:
            case "shoe":
                controller.done("GATE", unlocked=1, cards=0)
                self.act(controller, "draw", count=count)
                controller.done("GATE", unlocked=0, cards=0)
            case "keypad":
                self.act(controller, "key", keys=KEYS[:count])
            case "jackpot":
                for _ in range(count):
                    self.show(controller, self.next_offer())
            case _:
                for number in range(count):
                    name = "ABORT" if number % 2 else "START"
                    controller.done(name, **({} if number % 2 else {"set": 1}))
        self.comes(controller, first)
        return list(range(first, first + count))

    def make_event_by_command(self, controller: Controller) -> Heard | None:
        """Have an event made that wants nobody at the device, and leave it unacknowledged; None
        for a kind whose commands make none."""
        if self.kind not in MADE_BY_COMMAND:
            return None
        [number, _] = self.make_events(controller, 2)  # a shuffle that is begun is ended, too
        return controller.events[number]

    def show(self, controller: Controller, offer: int, multiplier: int = 5) -> None:
        """Have a figure shown at once, and wait until the meter has stopped."""
        controller.done("SHOW", offer_id=offer, multiplier=multiplier, spin_ms=0)
        if not controller.listen(
            EVENT_S, lambda: int(str(controller.done("PING")["state"])) == SHOWING
        ):
            raise Violation("section 5: a spin of no length does not come to its end")

    def comes(self, controller: Controller, number: int, within_s: float = EVENT_S) -> None:
        """Wait until that event has come."""
        if not controller.listen(within_s, lambda: number in controller.events):
            raise Violation(f"section 4: event {number} has not come within {within_s:g} s")

    def _make_safe(self, controller: Controller) -> None:
        if self.kind == "shuffler":
            before = controller.last
            controller.done("ABORT")
            controller.listen(0)
            if controller.last > before:
                controller.acknowledge(controller.last)
        elif self.kind == "shoe":
            controller.done("GATE", unlocked=0, cards=0)
