"""A dealer at whose table a cable is pulled once, in a given state, before the next thing is done.

- ``kept``: pulled, noticed, put back; the device has kept its memory;
- ``cut``: pulled in the middle of a frame; where the device is about to tell of a card or a press,
  in the middle of that;
- ``lost``: the device has started anew in between, and its events are lost. In mid-round that holds
  the table until the supervisor has looked.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hil_tests.bench import Bench, Json
from hil_tests.dealer import Dealer
from hil_tests.shoe_hand import WAIT_S

BETWEEN: Final = ("idle", "betting", "settled")
"""States that every round comes through; a device that starts anew in them holds nothing."""

KEPT, CUT, LOST = "kept", "cut", "lost"
WAYS: Final = (KEPT, CUT, LOST)
CUT_AFTER: Final = 7
"""Bytes: less than the shortest frame of an event."""


class Pull(NamedTuple):
    """Which cable, in which state, and how."""

    state: str
    device: str
    way: str


class PullingDealer(Dealer):
    """A dealer at whose table a cable is pulled. ``pulled`` tells whether it was, ``held`` for
    which fault that held the table; ``drawn``, ``shown`` and ``said`` are the cards that left the
    shoe, the figures of the meter and the entries answered, of all rounds."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.pulled = False
        self.held: str | None = None
        self.drawn: list[str] = []
        self.shown: list[int] = []
        self.said: list[str] = []
        self._plan: Pull | None = None
        self._cut_by_event = False

    def plan(self, pull: Pull) -> None:
        """In the next round, do this."""
        self._plan, self.pulled, self.held = pull, False, None

    # ---- what is done, with a pull before it --------------------------------------------------

    def say(self, command: str) -> Json:
        """An entry."""
        self._at("say")
        answer = super().say(command)
        self.said.append(command)
        return answer

    def card(self, **marks: bool) -> str:
        """A card."""
        self._at("card")
        return super().card(**marks)

    def draw(self, **marks: bool) -> str:
        """A card, due or not."""
        self._at("draw")
        return super().draw(**marks)

    def pull(self, **marks: bool) -> str:
        """Whatever leaves the shoe is written down."""
        self.drawn.append(super().pull(**marks))
        return self.drawn[-1]

    def acknowledged(self) -> None:
        """Where the card was cut off on its way, the cable is put back first."""
        self._put_back_after_cut("shoe")
        super().acknowledged()

    def press_button(self) -> None:
        """The button."""
        self._at("press")
        super().press_button()
        self._put_back_after_cut("jackpot")

    def read_meter(self) -> int:
        """The meter, which is spinning first."""
        if self._plan and self._plan.state == "jackpot.drawing" and not self.pulled:
            self.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S, "the spin")
            self._at("meter")
        self.shown.append(super().read_meter())
        return self.shown[-1]

    # ---- the cable ----------------------------------------------------------------------------

    def _at(self, what: str) -> None:
        """Pull, if this is the state."""
        plan = self._plan
        if plan is None or self.pulled or self.state != plan.state:
            return
        self.pulled = True
        telling = (plan.device, what) in (("shoe", "card"), ("jackpot", "press"))
        device = self.bench.devices[plan.device]
        if plan.way == CUT and telling:
            self._cut_by_event = True
            self._ready_to_tell(plan.device)
            device.do("unplug", after_bytes=CUT_AFTER)
            return
        if plan.way == CUT:
            device.do("unplug", after_bytes=CUT_AFTER)
            device.wait_for(lambda look: not look["plugged"], WAIT_S, "the next frame")
        else:
            device.do("unplug")
        self._is_out(plan)
        if plan.way == LOST:
            device.do("restart", forget=True)
        self._put_back(plan)

    def _ready_to_tell(self, name: str) -> None:
        """The gate is open, the button armed: what the device tells next is the event."""
        if name == "shoe":
            self.shoe.wait_for(lambda shoe: shoe["gate"] == "unlocked", WAIT_S, "an open gate")
            self.gate_at_rest()
        else:
            self.jackpot.wait_for(lambda unit: unit["armed"] is not None, WAIT_S, "an armed button")

    def _put_back_after_cut(self, name: str) -> None:
        if not (self._cut_by_event and self._plan and self._plan.device == name):
            return
        self._cut_by_event = False
        device = self.bench.devices[name]
        device.wait_for(lambda look: not look["plugged"], WAIT_S, "the cut")
        self._is_out(self._plan)
        self._put_back(self._plan)

    def _is_out(self, plan: Pull) -> None:
        self.wait_until(lambda state: state["devices"][plan.device]["link"] == "down", "the loss")

    def _put_back(self, plan: Pull) -> None:
        self.bench.devices[plan.device].do("plug")
        self.wait_for_devices(plan.device)
        if plan.way == LOST and plan.state not in BETWEEN:
            self.wait_until(lambda state: state["held"], "the hold")
            state = self.status
            self.held = state["held"]["fault"]
            self.supervisor("resume", why="every card is where it was")
        self.wait_until(lambda state: state["awaiting"] != "device", "play")
        if plan.device == "shoe":
            self.gate_at_rest()
