"""A table whose controller may be killed at any instruction, and people who go on playing.

Whenever they wait, they check whether the controller was killed. Then what the devices are waiting
for is counted, the controller is started again, and they go on waiting for the same thing. What
they did at a device is not done again: the device remembers it. An entry that was never answered is
made again only where the table shows that it had no effect. Who kills the controller is left to
subclasses: ``before_action`` is called before something is done at a device or entered (an
"entry"), ``after_action`` when it has just been done and is on its way.
"""

from __future__ import annotations

import json
import random
import signal
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import partial

from controller.control.client import NoController, RefusedByController
from controller.control.protocol import Request, encode_request
from hil_tests.bench.controller_process import DidNotStart
from hil_tests.bench.interface import Device, Json
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.benches.vm.machine_bench import VmBench
from hil_tests.people.dealer import Dealer
from hil_tests.people.shoe_hand import WAIT_S
from hil_tests.tables.comparison import Comparison

EVENT = "an event unacknowledged"
PRESS = "a press not read back"
COMMAND = "a command outstanding"
NEITHER = "none of these"
NO_COMMANDS = ("HELLO", "EVENT_ACK")


def kinds_of(look: Json) -> Iterator[str]:
    """What a device was waiting for, of EVENT, PRESS and COMMAND; ``look``: its state, looked at
    after the kill, when nobody can change it any more. An event is unacknowledged whether or not
    the journal has it; a press is not read back as long as SHOWN is not acknowledged."""
    if look["unacked"]:
        yield EVENT
    events = look["events"]
    shown = events.get("SHOWN", 0) - (look.get("state") == "showing" and look["unacked"] > 0)
    if events.get("PRESS", 0) > shown:
        yield PRESS
    if commands(look):
        yield COMMAND


def commands(look: Json) -> list[str]:
    """The commands that wait at a device, unread or unanswered."""
    unread = [name for name in look["held_in"] if name not in NO_COMMANDS]
    return unread + [name for name in look["held_out"] if name.startswith("answer ")]


@dataclass(slots=True)
class Account(Comparison):
    """The kills, and what the journal came to. ``in_doubt`` are the kills between an event and its
    acknowledgement or a press and its readback; ``spins`` those in which the meter was spinning;
    ``in_commit`` those that fell between the first and the last request of a commit to its disk,
    where a bench can tell. ``unreached`` are planned commits that a round did not reach, because it
    had fewer than the one from which they were planned."""

    kills: int = 0
    in_doubt: int = 0
    spins: int = 0
    in_commit: int = 0
    unreached: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)

    def count_kill(self, moment: str, devices: Mapping[str, Json]) -> None:
        """Count a kill by what the devices were waiting for."""
        kinds = {kind for look in devices.values() for kind in kinds_of(look)}
        self.kills += 1
        self.in_doubt += bool(kinds & {EVENT, PRESS})
        self.spins += any(look.get("state") == "spinning" for look in devices.values())
        self.moments[moment] += 1
        self.kinds.update(kinds or {NEITHER})

    def add(self, other: Account) -> None:
        """Add the counts of another table."""
        for item in fields(self):
            setattr(self, item.name, getattr(self, item.name) + getattr(other, item.name))

    def summary(self) -> Iterator[str]:
        """The totals, and everything that is wrong."""
        yield (
            f"{self.kills} kills in {self.rounds} rounds; {self.in_doubt} of them with {EVENT} or "
            f"{PRESS}, {self.spins} while the meter was spinning; {self.cards} cards, "
            f"{self.draws} draws, {self.answers} entries answered"
        )
        if self.in_commit:
            yield f"between two requests of a commit to the disk: {self.in_commit} of the kills"
        if self.unreached:
            yield f"planned commits that a round did not come to: {self.unreached}"
        yield f"lost: {self.lost}; twice: {self.twice}; otherwise wrong: {len(self.wrong)}"
        yield from (f"  wrong: {what}" for what in self.wrong)

    def lines(self) -> Iterator[str]:
        """The summary, and the kills by what the devices waited for and by the moment."""
        yield from self.summary()
        for kind, count in sorted(self.kinds.items()):
            yield f"  {count:5} with {kind}"
        for moment, count in sorted(self.moments.items()):
            yield f"      {count:5} {moment}"


GLANCE_S = 0.02
"""How long to wait for a device before checking whether the controller was killed."""

GONE_S = 1.0
"""How long a process may take to end once its socket is closed."""

EXAMINED_FIRST = {"shoe": "GATE", "jackpot": "METER"}
"""What a controller that has just started does first: it locks the gate, it reads the meter."""


KillableBench = VirtualBench | VmBench
"""A bench that can tell whether its controller was killed, or its machine lost its power."""


class KillableDealer(Dealer):
    """Dealer and players who go on when the controller is killed."""

    bench: KillableBench

    def __init__(self, bench: KillableBench, source: random.Random) -> None:
        super().__init__(bench)
        self.account = Account()
        self._random = source

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
        return self.wait_until(lambda state: state["awaiting"] != "device")

    def wait_until(self, predicate: Callable[[Json], object], what: str = "") -> Json:
        """The first committed state of which the predicate holds."""
        while (state := self._state_where(predicate)) is None:
            self.restart_controller()
        return state

    def _state_where(self, predicate: Callable[[Json], object]) -> Json | None:
        try:
            return super().wait_until(predicate)
        except (NoController, AssertionError) as error:
            self._raise_unless_killed(error)
            return None

    def wait_for(self, name: str, predicate: Callable[[Json], object], what: str = "") -> Json:
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
                self.record.note_command(command)
                return {}
            self._entered(command)
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
