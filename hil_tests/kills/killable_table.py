"""A table whose controller may be killed at any instruction, and people who go on playing.

Whenever they wait, they check whether the controller was killed. Then what the devices are waiting
for is counted, the controller is started again, and they go on waiting for the same thing. What
they did at a device is not done again: the device remembers it. An entry that was never answered is
made again only where the table shows that it had no effect. Who kills the controller is left to
subclasses: :meth:`KillableTable.before_action` is called before something is done at a device or
entered, :meth:`KillableTable.after_action` when it has just been done and is on its way.
"""

from __future__ import annotations

import json
import random
import signal
import socket
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from controller.control.client import NoController, RefusedByController
from controller.control.protocol import Request, encode_request
from hil_tests.bench.controller_process import DidNotStart
from hil_tests.bench.interface import Bench, Device, Json
from hil_tests.kills.account import Account
from hil_tests.people.dealer import Dealer
from hil_tests.people.shoe_hand import WAIT_S, script_card
from simulators.hands import HandsError

GLANCE_S = 0.02
"""How long to wait for a device before checking whether the controller was killed."""

GONE_S = 1.0
"""How long a process may take to end once its socket is closed."""

EXAMINED_FIRST = {"shoe": "GATE", "jackpot": "METER"}
"""What a controller that has just started does first: it locks the gate, it reads the meter."""


class KillableBench(Bench, Protocol):
    """A bench that can tell whether its controller was killed."""

    @property
    def socket(self) -> Path:
        """The controller's."""

    def was_killed(self, within_s: float = 0.0) -> bool:
        """Whether it is dead by SIGKILL or by a power cut, or is so ``within_s``."""


class KillableTable:
    """A :class:`~hil_tests.people.playing.Playable` table; play goes on when its controller is
    killed."""

    def __init__(self, bench: KillableBench, source: random.Random) -> None:
        self.bench = bench
        self.dealer = Dealer(bench)
        self.account = Account()
        self.cards: list[str] = []
        self.shown: list[int] = []
        self.answered: list[str] = []
        self._random = source

    def before_action(self, what: str) -> None:
        """The gate is open for a card, the button armed, an entry chosen; next it is done."""

    def after_action(self, what: str) -> None:
        """A card has just left the shoe, the button been pressed, an entry been sent."""

    def kill_point(self) -> str:
        """The moment in which the controller was killed, for the account."""
        return "killed"

    # ---- killed and started again ----------------------------------------------------------------

    def restart_controller(self) -> None:
        """Count the kill, start the controller and wait until it has examined its devices; again if
        it is killed meanwhile."""
        while True:
            self.ensure_killed()
            devices = {name: device.look() for name, device in self.bench.devices.items()}
            self.account.count_kill(self.kill_point(), devices)
            for device in self.bench.devices.values():
                device.do("let_go", drop=self._random.random() < 0.5)
            before = {name: look["acted"] for name, look in devices.items()}
            try:
                self.start()
            except DidNotStart as error:
                if error.status != -signal.SIGKILL:
                    raise
                continue
            if self._devices_examined(before):
                return

    def ensure_killed(self) -> None:
        """Kill it, unless it was killed already."""
        self.bench.kill_controller()

    def start(self) -> None:
        """Start the controller."""
        self.bench.start_controller()

    def _devices_examined(self, before: Json) -> bool:
        """Wait until it has examined the devices, as it does first; False when it was killed
        meanwhile."""
        if self._state_where(self._all_up) is None:
            return False
        return all(
            self._look_where(self.bench.devices[name], partial(_acted, command, before[name]))
            for name, command in EXAMINED_FIRST.items()
            if name in before
        )

    def _all_up(self, state: Json) -> bool:
        return all(state["devices"][name]["link"] == "up" for name in self.bench.devices)

    def _raise_unless_killed(self, error: Exception) -> None:
        """Raise ``error``, unless the controller was killed: then that is the cause."""
        if not self.bench.was_killed(GONE_S):
            raise error

    # ---- waiting ------------------------------------------------------------------------------

    @property
    def status(self) -> Json:
        """The committed state, once no device is waited for."""
        return self.until(lambda state: state["awaiting"] != "device")

    def until(self, predicate: Callable[[Json], object]) -> Json:
        """The first committed state of which the predicate holds."""
        while (state := self._state_where(predicate)) is None:
            self.restart_controller()
        return state

    def _state_where(self, predicate: Callable[[Json], object]) -> Json | None:
        try:
            return self.dealer.wait_until(predicate)
        except (NoController, AssertionError) as error:
            self._raise_unless_killed(error)
            return None

    def wait_for(self, name: str, predicate: Callable[[Json], object]) -> Json:
        """A device's state once the predicate holds."""
        while (look := self._look_where(self.bench.devices[name], predicate)) is None:
            self.restart_controller()
        return look

    def _look_where(self, device: Device, predicate: Callable[[Json], object]) -> Json | None:
        deadline = time.monotonic() + WAIT_S
        while True:
            try:
                return device.wait_for(predicate, GLANCE_S)
            except TimeoutError:
                if self.bench.was_killed():
                    return None
                if time.monotonic() > deadline:
                    raise

    def acknowledged(self, name: str) -> None:
        """Wait until the controller has every event of the device."""
        self.wait_for(name, lambda look: look["unacked"] == 0)

    # ---- cards and button ---------------------------------------------------------------------

    def card(self) -> str:
        """The next card."""
        before = self.status
        name = self._draw()
        self.dealer.record.card(name, before)
        self.after_action("card")
        self.acknowledged("shoe")
        return name

    def burn_where_due(self) -> None:
        """The first card of a new shoe, where the rules burn it."""
        if self.status["shoe"]["burn_due"]:
            self.enter("burn")
            self._draw()
            self.after_action("card")
            self.acknowledged("shoe")

    def _draw(self) -> str:
        while True:
            self.wait_for("shoe", lambda look: look["gate"] == "unlocked")
            self.before_action("card")
            try:
                [card] = self.dealer.shoe.do("draw")["cards"]
                break
            except HandsError as error:
                if "gate is locked" not in str(error):
                    raise
        self.cards.append(script_card(str(card)))
        return self.cards[-1]

    def press(self) -> int:
        """The press, until the meter is read."""
        while True:
            self.wait_for("jackpot", lambda look: look["armed"] is not None)
            self.before_action("press")
            if self.dealer.jackpot.do("press")["counted"]:
                break
        self.after_action("press")
        self.wait_for("jackpot", lambda look: look["state"] == "showing" and look["unacked"] == 0)
        meter = self.until(lambda state: state["meter"])["meter"]
        self.dealer.record.press(meter["box"], meter["multiplier"])
        self.shown.append(int(meter["multiplier"]))
        return self.shown[-1]

    # ---- entries ------------------------------------------------------------------------------

    def enter(self, command: str) -> Json:
        """An entry, until it is known whether it had its effect."""
        before = self.status
        while True:
            try:
                answer = self._answer_to(command)
            except NoController as error:
                self._raise_unless_killed(error)
                self.restart_controller()
                if entry_effects(self.status) == entry_effects(before):
                    continue
                answer = {}
            else:
                self.answered.append(command)
            self.dealer.record.note_command(command)
            return answer

    def _answer_to(self, command: str) -> Json:
        self.before_action("entry")
        with self.send(command) as connection, connection.makefile("rb") as lines:
            self.after_action("entry")
            try:
                line = lines.readline()
            except OSError as error:
                raise NoController(str(error)) from error
        if not line.endswith(b"\n"):
            raise NoController(f"no answer to {command!r}")
        answer = json.loads(line)
        if answer["ok"]:
            return dict(answer["result"])
        if answer["error"]["kind"] == "unavailable":
            raise NoController(answer["error"]["reason"])
        raise RefusedByController(answer["error"])

    def send(self, command: str) -> socket.socket:
        """Send an entry; the connection on which its answer will come."""
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(WAIT_S)
            connection.connect(str(self.bench.socket))
            connection.sendall(encode_request(Request(1, "dealer", command)))
        except OSError as error:
            connection.close()
            raise NoController(str(error)) from error
        return connection


def entry_effects(state: Json) -> Json:
    """The part of the status that an entry changes. Whether one can be undone is left out: after a
    supervisor's remedy none can."""
    told = {name: state[name] for name in ("state", "turn", "boxes", "settlements")}
    return {**told, "permitted": [step for step in state["permitted"] if step != "undo"]}


def _acted(command: str, before: Json, look: Json) -> bool:
    """Whether the device has carried the command out since ``before``."""
    return bool(look["acted"].get(command, 0) > before.get(command, 0))
