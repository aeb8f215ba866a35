"""A dealer whose controller is killed while a device's line is held back.

Holding a line back makes a short moment last. A device that receives nothing keeps its event
unacknowledged although the journal has it; one whose messages are held back has carried out a
command that was never answered. What the devices were waiting for is read from them after the kill,
and counted.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from hil_tests.bench.interface import Json
from hil_tests.kills.killable_dealer import KillableBench, KillableDealer, commands, entry_effects

KEYS: Final = {"stand": "S", "done": "E"}
AT_PRESS: Final = ("mute press", "deaf", "deaf shown", "mute shown", *["spin"] * 4)
"""Every moment comes before all come again; the spin, which lasts longest, comes often."""

OF_ENTRIES: Final = 0.2
"""The chance at an entry, as a part of that at a card: there are more entries, and few of them are
in doubt as events are."""

GIVEN_UP: Final = "a device given up, no command sent"
"""On a slow machine the link of a device that is held back may be lost before the command is
due."""

ARMING: Final = 0.7
"""The part of the initial deals that end with a kill while the button is being armed."""


class HeldLineDealer(KillableDealer):
    """``chance`` is that of a kill at any card; at the button there is always one."""

    def __init__(self, bench: KillableBench, source: random.Random, chance: float) -> None:
        super().__init__(bench, source)
        self.chance = chance
        self._moment = ""
        self._way = ""
        self._at_press: list[str] = []

    def kill(self, moment: str) -> None:
        """Kill the controller at this moment, and start it again."""
        self._moment = moment
        self.restart_controller()

    def kill_point(self) -> str:
        """The moment."""
        return self._moment

    def _stored(self, device: str) -> None:
        """Wait until the controller has stored the device's last event."""
        last = self.bench.devices[device].look()["last_event"]
        self.wait_until(lambda state: state["devices"][device]["last_event"] >= last)

    def _commanded(self, device: str, moment: str) -> str:
        """Wait until a command waits at the device that is held back; the moment then."""
        look = self.wait_for(device, lambda look: commands(look) or "HELLO" in look["held_in"])
        return moment if commands(look) else GIVEN_UP

    def _hold_back(self, device: str, *, deaf: bool) -> None:
        self.bench.devices[device].do("hold_back", inward=deaf, outward=not deaf)

    def _let_go(self, device: str) -> None:
        self.bench.devices[device].do("let_go")

    # ---- cards --------------------------------------------------------------------------------

    def card(self, **marks: bool) -> str:
        """The next card; perhaps nobody hears of it, or it is never said to have been heard."""
        boxes = sum(bool(box["hands"]) for box in self.status["boxes"].values())
        last_of_deal = len(self.record.cards) == 2 * boxes
        arming = last_of_deal and "jackpot" in self.bench.devices and self._by_chance(ARMING)
        deaf = self._by_chance(0.5)
        if arming:
            self._hold_back("jackpot", deaf=deaf)
        killing = not arming and self._by_chance(self.chance)
        self._way = ("deaf" if deaf else "mute") if killing else ""
        card = super().card(**marks)
        self._way = ""
        if arming:
            self._armed(deaf=deaf)
        return card

    def _by_chance(self, chance: float) -> bool:
        return self._random.random() < chance

    def _armed(self, *, deaf: bool) -> None:
        """The button is being armed, if it is: the command unread, or done and unanswered."""
        # Held back for long its link is given up; then it is waited for with the offer open.
        state = self.wait_until(
            lambda told: told["awaiting"] != "device" or told["state"].endswith("jackpot.armed")
        )
        if state["awaiting"] not in ("press", "device"):
            self._let_go("jackpot")
            return
        moment = "ARM sent, unread" if deaf else "ARM carried out, unanswered"
        self.kill(self._commanded("jackpot", moment))

    # ---- the button ---------------------------------------------------------------------------

    def press(self) -> int:
        """The press, with the controller killed at some point before the meter is read."""
        if not self._at_press:
            self._at_press = list(AT_PRESS)
            self._random.shuffle(self._at_press)
        self._way = self._at_press.pop()
        multiplier = super().press()
        self._way = ""
        return multiplier

    def before_action(self, what: str) -> None:
        """From here on the device is deaf or mute, where it is to be."""
        if what == "card" and self._way:
            self._hold_back("shoe", deaf=self._way == "deaf")
        if what == "press" and self._way in ("mute press", "deaf"):
            self._hold_back("jackpot", deaf=self._way == "deaf")

    def after_action(self, what: str) -> None:
        """Kill, where that is due now."""
        if what == "card" and self._way == "deaf":
            self._stored("shoe")
            self.kill("card stored, its acknowledgement on the way")
        elif what == "card" and self._way == "mute":
            self.kill("card drawn, on its way to the controller")
        elif what == "press":
            self._pressed()

    def _pressed(self) -> None:
        match self._way:
            case "mute press":
                self.kill("pressed, on its way to the controller")
            case "deaf":
                self.kill(self._commanded("jackpot", "multiplier drawn, SHOW sent and unread"))
            case way:
                self.wait_for("jackpot", lambda look: look["state"] == "spinning")
                if way == "spin":
                    self.kill("the meter spinning")
                else:
                    self._kill_while_showing(deaf=way == "deaf shown")

    def _kill_while_showing(self, *, deaf: bool) -> None:
        self._hold_back("jackpot", deaf=deaf)
        self.wait_for("jackpot", lambda look: look["state"] == "showing")
        if deaf:
            self._stored("jackpot")
        self.kill(f"the meter shows, {'its acknowledgement' if deaf else 'SHOWN'} on the way")

    # ---- entries ------------------------------------------------------------------------------

    def enter(self, command: str) -> Json:
        """An entry; perhaps its answer never comes, and the table is asked what became of it."""
        before = self.status
        ways: list[Callable[[], None]] = [lambda: self._unanswered(command)]
        if self.bench.devices["shoe"].look()["gate"] == "unlocked":
            ways += [lambda: self._locking(command, deaf=True)]
            ways += [lambda: self._locking(command, deaf=False)]
        key = KEYS.get(command.split(maxsplit=1)[0])
        if key:
            ways += [lambda: self._key(key, deaf=True), lambda: self._key(key, deaf=False)]
        if not self._by_chance(self.chance * OF_ENTRIES):
            return super().enter(command)
        self._random.choice(ways)()
        if entry_effects(self.status) == entry_effects(before):
            return super().enter(command)
        self.record.note_command(command)
        return {}

    def _unanswered(self, command: str) -> None:
        with self.send(command):
            self.kill("an entry sent, unanswered")

    def _locking(self, command: str, *, deaf: bool) -> None:
        """The entry waits for the gate, whose lock is asked for or done."""
        self._hold_back("shoe", deaf=deaf)
        with self.send(command):
            what = "the gate's lock sent and unread" if deaf else "the gate locked and unanswered"
            self.kill(self._commanded("shoe", f"an entry waits, {what}"))

    def _key(self, key: str, *, deaf: bool) -> None:
        keypad = self.bench.devices["keypad"]
        self._hold_back("keypad", deaf=deaf)
        keypad.do("key", keys=key)
        if deaf:
            self._stored("keypad")
            self.kill("key stored, its acknowledgement on the way")
        else:
            self.kill("key pressed, on its way to the controller")
        self.acknowledged("keypad")
