"""A dealer at whose table a cable is unplugged once, in a given state.

- ``kept``: unplugged, noticed, plugged in again; the device has kept its memory;
- ``cut``: unplugged in the middle of a frame; where the device is about to report a card or a
  press, in the middle of that event;
- ``lost``: the device has restarted in between, and its events are lost. In the middle of a round
  that holds the table until the supervisor has checked it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from hil_tests.bench.interface import Bench, Json
from hil_tests.people.dealer import Dealer
from hil_tests.people.shoe_hand import WAIT_S

BETWEEN: Final = ("idle", "betting", "settled")
"""States that every round comes through; a device that starts anew in them holds nothing."""

KEPT, CUT, LOST = "kept", "cut", "lost"
WAYS: Final = (KEPT, CUT, LOST)
CUT_AFTER: Final = 7
"""Bytes: less than the shortest frame of an event."""


class Unplugging(NamedTuple):
    """Which cable, in which state, and how."""

    state: str
    device: str
    way: str


class UnpluggingDealer(Dealer):
    """The dealer of such a table. ``unplugged``: whether it happened in this round; ``held``: for
    which fault that held the table."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.unplugged = False
        self.held: str | None = None
        self._plan: Unplugging | None = None
        self._cut_by_event = False

    def plan(self, unplugging: Unplugging) -> None:
        """What to do in the next round."""
        self._plan, self.unplugged, self.held = unplugging, False, None

    # ---- what is done, with a cable unplugged before it ----------------------------------------

    def enter(self, command: str) -> Json:
        """An entry."""
        self._unplug_at("say")
        return super().enter(command)

    def card(self, **marks: bool) -> str:
        """A card."""
        self._unplug_at("card")
        return super().card(**marks)

    def draw(self, **marks: bool) -> str:
        """A card, due or not."""
        self._unplug_at("draw")
        return super().draw(**marks)

    def acknowledged(self, name: str = "shoe") -> None:
        """Where the card was cut off on its way, the cable is put back first."""
        self._put_back_after_cut("shoe")
        super().acknowledged(name)

    def press_button(self) -> None:
        """The button."""
        self._unplug_at("press")
        super().press_button()
        self._put_back_after_cut("jackpot")

    def read_meter(self) -> int:
        """The meter, which is spinning first."""
        if self._plan and self._plan.state == "jackpot.drawing" and not self.unplugged:
            self.jackpot.wait_for(lambda unit: unit["state"] == "spinning", WAIT_S, "the spin")
            self._unplug_at("meter")
        return super().read_meter()

    # ---- the cable ----------------------------------------------------------------------------

    def _unplug_at(self, what: str) -> None:
        """Unplugging, if this is the state."""
        plan = self._plan
        if plan is None or self.unplugged or self.state != plan.state:
            return
        self.unplugged = True
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
        self.wait_until_lost(plan.device)
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
        self.wait_until_lost(name)
        self._put_back(self._plan)

    def _put_back(self, plan: Unplugging) -> None:
        self.plug(plan.device)
        if plan.way == LOST and plan.state not in BETWEEN:
            self.wait_until(lambda state: state["held"], "the hold")
            state = self.status
            self.held = state["held"]["fault"]
            self.supervisor("resume", why="every card is where it was")
        self.wait_until(lambda state: state["awaiting"] != "device", "play")
        if plan.device == "shoe":
            self.gate_at_rest()
