"""``demo`` and ``twin``: a table without hardware, and what a person does to its devices.

The controller imports neither the rig nor the simulated devices. They are processes of their own,
found beside it in a checkout, and where the package table-controller-demo puts them on a box. The
demo is handed signals on, once, and waited out: it puts its processes and files away before this
command ends. The devices of ``demo --stay`` listen beside the controller's socket, in the folder
``twins``; what is done to them is :mod:`simulators.person`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from controller.cli.command_line import known
from controller.cli.command_line.nearest import did_you_mean
from controller.cli.connection import socket_path
from controller.cli.exits import (
    DONE,
    INTERRUPTED,
    NO_CONTROLLER,
    NOT_PERMITTED,
    NOT_WELL,
    WRONG_USE,
    CommandFailed,
)
from controller.cli.output import columns, say, say_json

if TYPE_CHECKING:
    from controller.cli.group import Group

DEMO: Final = "hil_tests.demo"
PERSON: Final = "simulators.person"
PACKAGED: Final = "table-controller-demo"
"""The package, and its folder beside that of the program (docs/decisions/0027)."""
HANDED_ON: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ENDS: Final = signal.SIGTERM
"""What is handed on for any of them. It ends the demo silently also where that does not listen yet,
and where a shell has started this command deaf to Ctrl-C."""
TWINS: Final = "twins"
RESERVED: Final = frozenset(("do", "id", "self", "verb"))
"""Keys that no verb takes."""
CODES: Final = {"silent": NO_CONTROLLER, "refused": NOT_PERMITTED, "unknown": WRONG_USE}

Json = dict[str, Any]


def register(top: Group) -> None:
    """Add the commands."""
    demo = top.command("demo", _demo)
    known.of("rule set", demo.add_argument("--rules", metavar="ID", help="the rule set to play"))
    demo.add_argument("--seed", metavar="N", type=int, help="for the same cards again")
    demo.add_argument("--rounds", metavar="N", type=int, help="how many rounds")
    demo.add_argument(
        "--stay", action="store_true", help="a standing table to be worked by hand, until Ctrl-C"
    )
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


def _environment(module: str) -> dict[str, str]:
    """For a process of that module, wherever it is."""
    if importlib.util.find_spec(module.partition(".")[0]) is not None:
        return dict(os.environ)
    packaged = Path(sys.prefix).parent.with_name(PACKAGED)
    if not packaged.is_dir():
        raise CommandFailed(
            WRONG_USE, f"there are no simulated devices here: 'apt install ./{PACKAGED}_*.deb'"
        )
    return {**os.environ, "PYTHONPATH": str(packaged)}


def _program(module: str) -> list[str]:
    return [sys.executable, "-m", module]


def _demo(options: argparse.Namespace) -> int:
    """Run the demo; its exit status."""
    command, environment = _program(DEMO), _environment(DEMO)
    for name in ("rules", "seed", "rounds"):
        value = getattr(options, name, None)
        if value is not None:
            command.append(f"--{name}={value}")
    command += [f"--{name}" for name in ("json", "stay") if getattr(options, name)]
    child: subprocess.Popen[bytes] | None = None
    told: list[int] = []

    def hand_on(number: int, _: FrameType | None) -> None:
        told.append(number)
        if child is not None:
            child.send_signal(ENDS)

    before = {number: signal.signal(number, hand_on) for number in HANDED_ON}
    try:
        # A group of its own: what is typed at the terminal reaches it through here only, once.
        child = subprocess.Popen(command, process_group=0, env=environment)
        if told:  # before there was a child to hand it on to
            child.send_signal(ENDS)
        status = child.wait()
        if status == -ENDS:  # before it could listen: nothing was put up yet
            return DONE if options.stay else INTERRUPTED
        return status
    finally:
        for number, handler in before.items():  # told once, it is ending: more change nothing
            signal.signal(number, signal.SIG_IGN if told else handler)


def _done(options: argparse.Namespace, deed: str, /, **given: Any) -> Json:
    """Have the person do it; the answer.

    Raises:
        CommandFailed: 4 there is no such table or device; 3 it refuses, with the reason; 2 there is
            none of that name.
    """
    folder = socket_path(options).parent / TWINS
    if not folder.is_dir():
        raise CommandFailed(
            NO_CONTROLLER,
            f"there are no simulated devices beside {socket_path(options)}: 'tablectl demo --stay' "
            "puts up a table with such, and says its --socket",
        )
    ran = subprocess.run(
        [*_program(PERSON), str(folder), deed, json.dumps(given)],
        stdout=subprocess.PIPE,
        env=_environment(PERSON),
        process_group=0,  # Ctrl-C ends it from here
        check=False,
    )
    if ran.returncode:
        raise CommandFailed(NOT_WELL, f"twin {deed} ended with {ran.returncode}")
    told: Json = json.loads(ran.stdout)
    if "failed" not in told:
        return told
    said = told["error"]
    if told["failed"] == "unknown":
        others = f"there are {', '.join(told['names'])}"
        said += f"; {did_you_mean(told['name'], told['names']) or others}"
    raise CommandFailed(CODES[told["failed"]], said)


def _tell(options: argparse.Namespace, answer: Json, words: str) -> int:
    if options.json:
        say_json(answer)
    else:
        say(words)
    return DONE


def _draw(options: argparse.Namespace) -> int:
    if options.count < 1:
        raise CommandFailed(WRONG_USE, "twin draw: expected 1 card or more")
    answer = _done(options, "draw", count=options.count)
    return _tell(options, answer, " ".join(answer["cards"]))


def _next(options: argparse.Namespace) -> int:
    answer = _done(options, "next", cards=options.cards)
    return _tell(options, answer, f"next: {' '.join(options.cards)}")


def _press(options: argparse.Namespace) -> int:
    answer = _done(options, "press")
    words = "pressed" if answer["counted"] else "pressed; it was not armed, so nothing came of it"
    return _tell(options, answer, words)


def _key(options: argparse.Namespace) -> int:
    answer = _done(options, "key", keys=options.keys)
    return _tell(options, answer, "\n".join(answer["rows"]))


def _switch(options: argparse.Namespace) -> int:
    answer = _done(options, "switch", position=options.position)
    return _tell(options, answer, f"the key stands at {options.position}")


def _cable(options: argparse.Namespace) -> int:
    answer = _done(options, "cable", name=options.name, act=options.act)
    words = "is unplugged" if options.act == "unplug" else "is plugged in"
    return _tell(options, answer, f"{options.name} {words}")


def _look(options: argparse.Namespace) -> int:
    found = _done(options, "look", name=options.name)
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
    if RESERVED & given.keys():
        raise CommandFailed(WRONG_USE, "do and id are the protocol's own: name other keys")
    answer = _done(options, "do", name=options.name, verb=options.verb, given=given)
    return _tell(options, answer, f"{options.name}: {options.verb} done")
