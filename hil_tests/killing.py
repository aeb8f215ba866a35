"""A table whose controller is killed again and again, at moments chosen beforehand.

The moments are made to last at the far end of the link: a device that hears nothing keeps its
event unacknowledged although the journal has it; one that says nothing has carried a command out
although nobody was answered. Which kind a moment was is seen on the devices after the kill, when
nobody can change it any more, and counted.
"""

from __future__ import annotations

import random
import socket
from collections import Counter
from collections.abc import Callable

from controller.control.protocol import Request, encode_request
from hil_tests.bench import Json
from hil_tests.dealer import Dealer
from hil_tests.pty_bench import PtyBench
from hil_tests.shoe_hand import WAIT_S

EVENT = "an event unacknowledged"
COMMAND = "a command outstanding"
SPIN = "the meter spinning"
NEITHER = "none of these"
KEYS = {"stand": "S", "done": "E"}
NO_COMMANDS = ("HELLO", "EVENT_ACK")
LOOKED_AT_FIRST = {"shoe": "GATE", "jackpot": "METER"}
"""What a controller that has just started does first: it locks the gate, it reads the meter."""


class KilledTable:
    """Carries out what players decide (:class:`hil_tests.playing.AtTable`) and kills meanwhile.

    ``chance`` is that of a kill at any step; ``moments`` and ``kinds`` count them.
    """

    def __init__(self, bench: PtyBench, source: random.Random, chance: float) -> None:
        self.bench = bench
        self.dealer = Dealer(bench)
        self.chance = chance
        self.kills = 0
        self.moments: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.in_doubt = 0
        self.cards: list[str] = []
        self.shown: list[int] = []
        self._random = source
        self._at_press: list[str] = []

    @property
    def status(self) -> Json:
        """The committed state, once no device is waited for."""
        return self.dealer.wait_until(lambda state: state["awaiting"] != "device", "play")

    # ---- dying and coming back ----------------------------------------------------------------

    def die(self, moment: str) -> None:
        """Kill, note what it was killed in, start again, and wait until every device is back."""
        self.bench.kill_controller()
        devices = {name: device.look() for name, device in self.bench.devices.items()}
        self._count(moment, devices)
        for device in self.bench.devices.values():
            device.do("let_go", drop=self._random.random() < 0.5)
        before = {name: self.bench.devices[name].look()["acted"] for name in LOOKED_AT_FIRST}
        self.bench.start_controller()
        self.dealer.wait_for_devices()
        for name, command in LOOKED_AT_FIRST.items():
            self._has_acted(name, command, before[name].get(command, 0))

    def _has_acted(self, name: str, command: str, before: int) -> None:
        """Wait until the device has been looked at: only then is it as the controller knows it."""
        self.bench.devices[name].wait_for(
            lambda look: look["acted"].get(command, 0) > before, WAIT_S, f"{command} to be done"
        )

    def _count(self, moment: str, devices: dict[str, Json]) -> None:
        kinds = set()
        for look in devices.values():
            if look["unacked"]:
                kinds.add(EVENT)
            if _commands(look):
                kinds.add(COMMAND)
        if devices["jackpot"]["state"] == "spinning":
            kinds.add(SPIN)
        self.kills += 1
        self.in_doubt += bool(kinds)
        self.moments[moment] += 1
        self.kinds.update(kinds or {NEITHER})

    def _stored(self, device: str) -> None:
        """Wait until the controller has stored the device's last event."""
        last = self.bench.devices[device].look()["last_event"]
        self.dealer.wait_until(
            lambda state: state["devices"][device]["last_event"] >= last, f"{device}'s event"
        )

    # ---- cards --------------------------------------------------------------------------------

    def card(self) -> str:
        """The next card; perhaps nobody hears of it, or it is never said to have been heard."""
        before, shoe = self.status, self.bench.devices["shoe"]
        shoe.wait_for(lambda look: look["gate"] == "unlocked", WAIT_S, "a card")
        boxes = sum(bool(box["hands"]) for box in before["boxes"].values())
        last_of_deal = len(self.dealer.record.cards) == 2 * boxes
        arming = last_of_deal and self._random.random() < 0.7
        way = self._random.choice(["inward", "outward"])
        dying = not arming and self._random.random() < self.chance
        if arming:
            self.bench.devices["jackpot"].do("hold_back", **{way: True})
        if dying:
            shoe.do("hold_back", **{way: True})
        card = self.dealer.reach_for_card()
        self.cards.append(card)
        self.dealer.record.card(card, before)
        if dying and way == "inward":
            self._stored("shoe")
            self.die("card stored, its acknowledgement on the way")
        elif dying:
            self.die("card drawn, on its way to the controller")
        shoe.wait_for(lambda look: look["unacked"] == 0, WAIT_S, "the card's acknowledgement")
        if arming:
            self._armed(way)
        return card

    def _armed(self, way: str) -> None:
        """The button is being armed, if it is: the command unread, or done and unanswered."""
        jackpot = self.bench.devices["jackpot"]
        if self.status["awaiting"] != "press":
            jackpot.do("let_go")
        elif way == "inward":
            jackpot.wait_for(_commands, WAIT_S, "ARM")
            self.die("ARM sent, unread")
        else:
            jackpot.wait_for(_commands, WAIT_S, "ARM")
            self.die("ARM carried out, unanswered")

    # ---- the button ---------------------------------------------------------------------------

    def press(self) -> int:
        """The press; perhaps with the controller dying at any point until the meter is read."""
        jackpot = self.bench.devices["jackpot"]
        jackpot.wait_for(lambda look: look["armed"] is not None, WAIT_S, "an armed button")
        moment = self._next_at_press()
        if moment in ("mute press", "deaf"):
            jackpot.do("hold_back", inward=moment == "deaf", outward=moment == "mute press")
        jackpot.do("press")
        if moment == "mute press":
            self.die("pressed, on its way to the controller")
        elif moment == "deaf":
            jackpot.wait_for(_commands, WAIT_S, "SHOW")
            self.die("multiplier drawn, SHOW sent and unread")
        else:
            jackpot.wait_for(lambda look: look["state"] == "spinning", WAIT_S, "the spin")
            if moment == "spin":
                self.die("the meter spinning")
            else:
                self._shown(deaf=moment == "deaf shown")
        multiplier = self.dealer.read_meter()
        self.shown.append(multiplier)
        return multiplier

    def _next_at_press(self) -> str:
        """Every moment comes before all come again; the spin, which lasts longest, comes often."""
        if not self._at_press:
            moments = ["mute press", "deaf", "deaf shown", "mute shown"]
            self._at_press = moments + ["spin"] * len(moments)
            self._random.shuffle(self._at_press)
        return self._at_press.pop()

    def _shown(self, *, deaf: bool) -> None:
        jackpot = self.bench.devices["jackpot"]
        jackpot.do("hold_back", inward=deaf, outward=not deaf)
        jackpot.wait_for(lambda look: look["state"] == "showing", WAIT_S, "the meter")
        if deaf:
            self._stored("jackpot")
        self.die(f"the meter shows, {'its acknowledgement' if deaf else 'SHOWN'} on the way")

    # ---- entries ------------------------------------------------------------------------------

    def say(self, command: str) -> Json:
        """An entry; perhaps its answer never comes, and the table is asked what became of it."""
        before = self.status
        ways: list[Callable[[], None]] = [lambda: self._unanswered(command)]
        shoe = self.bench.devices["shoe"].look()
        if shoe["gate"] == "unlocked":
            ways += [lambda: self._locking(command, unread=True)]
            ways += [lambda: self._locking(command, unread=False)]
        key = KEYS.get(command.split(maxsplit=1)[0])
        if key:
            ways += [lambda: self._key(key, deaf=True), lambda: self._key(key, deaf=False)]
        if self._random.random() >= self.chance:
            return self.dealer.say(command)
        self._random.choice(ways)()
        if key:
            keypad = self.bench.devices["keypad"]
            keypad.wait_for(lambda look: look["unacked"] == 0, WAIT_S, "the key")
        if _seen(self.status) == _seen(before):
            return self.dealer.say(command)
        self.dealer.record.said(command)
        return {}

    def _send(self, command: str) -> socket.socket:
        """Send an entry without waiting for what becomes of it."""
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(str(self.bench.socket))
        connection.sendall(encode_request(Request(1, "dealer", command)))
        return connection

    def _unanswered(self, command: str) -> None:
        with self._send(command):
            self.die("an entry sent, unanswered")

    def _locking(self, command: str, *, unread: bool) -> None:
        """The entry waits for the gate, whose lock is asked for or done."""
        shoe = self.bench.devices["shoe"]
        shoe.do("hold_back", inward=unread, outward=not unread)
        with self._send(command):
            if unread:
                shoe.wait_for(_commands, WAIT_S, "GATE")
                self.die("an entry waits, the gate's lock sent and unread")
            else:
                shoe.wait_for(_commands, WAIT_S, "GATE")
                self.die("an entry waits, the gate locked and unanswered")

    def _key(self, key: str, *, deaf: bool) -> None:
        keypad = self.bench.devices["keypad"]
        keypad.do("hold_back", inward=deaf, outward=not deaf)
        keypad.do("key", keys=key)
        if deaf:
            self._stored("keypad")
            self.die("key stored, its acknowledgement on the way")
        else:
            self.die("key pressed, on its way to the controller")


def _commands(look: Json) -> list[str]:
    """The commands that wait, unread or unanswered."""
    unread = [name for name in look["held_in"] if name not in NO_COMMANDS]
    return unread + [name for name in look["held_out"] if name.startswith("answer ")]


def _seen(state: Json) -> Json:
    """What an entry would have changed."""
    return {name: state[name] for name in ("state", "turn", "permitted", "boxes", "settlements")}
