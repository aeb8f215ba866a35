"""``twin``: what a person does to a simulated device, of the table that ``demo --stay`` put up.

Each listens beside the controller's socket, in the folder ``twins``, under the device's name, and
speaks JSON lines (:mod:`simulators.server`). What a person does has an effect when the controller
has taken what the device reports of it: that is waited for where the link is up, so that ``status``
right behind shows it.
"""

from __future__ import annotations

import argparse
import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller.cli.command_line import known
from controller.cli.command_line.nearest import did_you_mean
from controller.cli.connection import socket_path
from controller.cli.exits import DONE, NO_CONTROLLER, NOT_PERMITTED, WRONG_USE, CommandFailed
from controller.cli.output import columns, say, say_json

if TYPE_CHECKING:
    from controller.cli.group import Group

FOLDER: Final = "twins"
ANSWER_S: Final = 5.0
GATE_S: Final = 5.0
"""A card may leave the shoe when the controller has unlocked the gate for it."""
TAKEN_S: Final = 2.0
"""How long the controller is waited for; what a device has reported is not lost behind that."""

Json = dict[str, Any]


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("twin")
    draw = group.command("draw", _draw, "Draw cards from the shoe, each as its gate lets it go")
    draw.add_argument("count", metavar="N", nargs="?", type=int, default=1, help="how many (1)")
    coming = group.command("next", _next, "Choose the cards that leave the shoe next")
    coming.add_argument("cards", metavar="CARD", nargs="+", help="as: 9S 10H AC")
    group.command("press", _press, "Press the jackpot button")
    key = group.command("key", _key, "Press keys of the dealer's keypad, one after the other")
    key.add_argument("keys", metavar="KEYS", help="as on the keypad: 5, or 12#")
    switch = group.command("switch", _switch, "Turn the keypad's key switch")
    switch.add_argument("position", choices=("dealer", "supervisor"), help="where it is turned to")
    for name, about in (("unplug", "Pull a device's cable"), ("plug", "Put a device's cable back")):
        cable = group.command(name, _cable, about)
        known.of("device", cable.add_argument("name", metavar="NAME", help="as configured"))
        cable.set_defaults(act=name)
    look = group.command("look", _look, "What a person sees at the devices, or at one")
    known.of(
        "device",
        look.add_argument("name", metavar="NAME", nargs="?", help="as configured; left out: all"),
    )
    other = group.command("do", _do, "Anything else that a simulated device can do")
    known.of("device", other.add_argument("name", metavar="NAME", help="as configured"))
    other.add_argument("verb", metavar="VERB", help="as: lid, jam, cover, noise, restart, fault")
    other.add_argument("given", metavar="KEY=VALUE", nargs="*", help="as: open=true")


class Twin:
    """One simulated device; a context manager.

    Raises CommandFailed: 4 there is none; 3 it refuses, with the reason; 2 there is none of that
    name.
    """

    def __init__(self, options: argparse.Namespace, name: str) -> None:
        folder = _folder(options)
        self.name = name
        self._rest = b""
        self._id = 0
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(ANSWER_S)
        try:
            self._socket.connect(str(folder / name))
        except (OSError, ValueError) as error:
            self._socket.close()
            known = _names(folder)
            if known and name not in known:
                question = did_you_mean(name, known) or f"there are {', '.join(known)}"
                raise CommandFailed(
                    WRONG_USE, f"no simulated device is called {name!r}; {question}"
                ) from error
            raise self._silent(error) from error
        try:
            self._message(time.monotonic() + ANSWER_S)  # its greeting
        except (OSError, ValueError) as error:
            self._socket.close()
            raise self._silent(error) from error

    def do(self, verb: str, /, **given: Any) -> Json:
        """Do it; the answer."""
        if {"do", "id"} & given.keys():
            raise CommandFailed(WRONG_USE, "do and id are the protocol's own: name other keys")
        self._id += 1
        until = time.monotonic() + ANSWER_S
        try:
            self._socket.sendall(json.dumps({"do": verb, "id": self._id, **given}).encode() + b"\n")
            while (answer := self._message(until)).get("id") != self._id:
                continue
        except (OSError, ValueError) as error:  # it ended, or hangs
            raise self._silent(error) from error
        if not answer["ok"]:
            raise CommandFailed(NOT_PERMITTED, f"{self.name}: {answer['error']}")
        return {name: value for name, value in answer.items() if name not in ("id", "ok")}

    def _silent(self, error: Exception) -> CommandFailed:
        return CommandFailed(NO_CONTROLLER, f"the simulated {self.name} does not answer ({error})")

    def look(self) -> Json:
        """What a person sees."""
        return dict(self.do("look")["state"])

    def wait(self, until: Callable[[Json], object], within_s: float) -> bool:
        """Whether it is so, or becomes so in that time."""
        self.do("watch")
        deadline, state = time.monotonic() + within_s, self.look()
        while not until(state):
            try:
                state = self._message(deadline).get("state", state)
            except TimeoutError:
                return False
            except (OSError, ValueError) as error:
                raise self._silent(error) from error
        return True

    def taken(self) -> None:
        """Wait until the controller has taken all that it has reported."""
        self.wait(lambda state: not (state["served"] and state["unacked"]), TAKEN_S)

    def _message(self, until: float) -> Json:
        while b"\n" not in self._rest:
            self._socket.settimeout(max(0.001, until - time.monotonic()))
            data = self._socket.recv(1 << 16)
            if not data:
                raise CommandFailed(NO_CONTROLLER, f"the simulated {self.name} has gone")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        message: Json = json.loads(line)
        return message

    def __enter__(self) -> Twin:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


def _folder(options: argparse.Namespace) -> Path:
    folder = socket_path(options).parent / FOLDER
    if not folder.is_dir():
        raise CommandFailed(
            NO_CONTROLLER,
            f"there are no simulated devices beside {socket_path(options)}: 'tablectl demo --stay' "
            "puts up a table with such, and says its --socket",
        )
    return folder


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _tell(options: argparse.Namespace, answer: Json, words: str) -> int:
    if options.json:
        say_json(answer)
    else:
        say(words)
    return DONE


def _draw(options: argparse.Namespace) -> int:
    if options.count < 1:
        raise CommandFailed(WRONG_USE, "twin draw: expected 1 card or more")
    cards: list[str] = []
    with Twin(options, "shoe") as shoe:
        for number in range(options.count):
            if not shoe.wait(lambda state: state["gate"] == "unlocked", GATE_S):
                drawn = f"after {number} of {options.count} cards " if number else ""
                raise CommandFailed(
                    NOT_PERMITTED, f"{drawn}the gate stays locked: the table expects no card"
                )
            cards += shoe.do("draw")["cards"]
            shoe.taken()
    return _tell(options, {"cards": cards}, " ".join(cards))


def _next(options: argparse.Namespace) -> int:
    with Twin(options, "shoe") as shoe:
        answer = shoe.do("stack", cards=options.cards)
    return _tell(options, answer, f"next: {' '.join(options.cards)}")


def _press(options: argparse.Namespace) -> int:
    with Twin(options, "jackpot") as unit:
        answer = unit.do("press")
        unit.taken()
    words = "pressed" if answer["counted"] else "pressed; it was not armed, so nothing came of it"
    return _tell(options, answer, words)


def _key(options: argparse.Namespace) -> int:
    with Twin(options, "keypad") as keypad:
        taken = 0
        for key in options.keys:  # as a hand does, which reads the rows in between
            taken += keypad.do("key", keys=key)["taken"]
            keypad.taken()
        rows = keypad.look()["rows"]
    return _tell(options, {"taken": taken, "rows": rows}, "\n".join(rows))


def _switch(options: argparse.Namespace) -> int:
    with Twin(options, "keypad") as keypad:
        keypad.do("switch", supervisor=options.position == "supervisor")
    return _tell(options, {"position": options.position}, f"the key stands at {options.position}")


def _cable(options: argparse.Namespace) -> int:
    with Twin(options, options.name) as twin:
        answer = twin.do(options.act)
    words = "is unplugged" if options.act == "unplug" else "is plugged in"
    return _tell(options, answer, f"{options.name} {words}")


def _look(options: argparse.Namespace) -> int:
    names = _names(_folder(options)) if options.name is None else [options.name]
    found: dict[str, Json] = {}
    for name in names:
        with Twin(options, name) as twin:
            found[name] = twin.look()
    if options.json:
        say_json(found)
        return DONE
    for name, state in found.items():
        say(name)
        say(columns(sorted((key, json.dumps(value)) for key, value in state.items())))
    return DONE


def _do(options: argparse.Namespace) -> int:
    given = {}
    for pair in options.given:
        name, is_, value = pair.partition("=")
        if not is_:
            raise CommandFailed(WRONG_USE, f"{pair!r}: expected KEY=VALUE, as open=true")
        try:
            given[name] = json.loads(value)
        except ValueError:
            given[name] = value
    with Twin(options, options.name) as twin:
        answer = twin.do(options.verb, **given)
        twin.taken()
    return _tell(options, answer, f"{options.name}: {options.verb} done")
