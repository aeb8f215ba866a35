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
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

from controller.cli.arguments import add_option, did_you_mean
from controller.cli.connection import socket_path
from controller.cli.group import Group, Parser
from controller.cli.output import DONE, NO_CONTROLLER, print_answer
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.plain_text import columns
from controller.verbs import INTERRUPTED

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
Words = str | Callable[[argparse.Namespace, Json], str]
"""What is said of a deed: of what was given, or made of the command and the answer."""


def register(top: Group) -> None:
    """Add the commands."""
    demo = top.command("demo", _demo)
    add_option(demo, "--rules ID", "the rule set to play", known="rule set")
    add_option(demo, "--seed N", "for the same cards again", type=int)
    add_option(demo, "--rounds N", "how many rounds", type=int)
    add_option(demo, "--stay", "a standing table to be worked by hand, until Ctrl-C")
    group = top.group("twin")

    def deed(name: str, about: str, words: Words, *given: str, does: str = "") -> Parser:
        """A command: these options of it are what the person is given for the deed."""
        command = group.command(name, _twin, about)
        command.set_defaults(does=does or name, given=given, words=words)
        return command

    about = "Draw cards from the shoe, each as its gate lets it go"
    draw = deed("draw", about, lambda _, told: " ".join(told["cards"]), "count")
    add_option(draw, "count N", "how many (1)", nargs="?", type=int, default=1)
    about = "Choose the cards that leave the shoe next"
    coming = deed("next", about, lambda asked, _: f"next: {' '.join(asked.cards)}", "cards")
    add_option(coming, "cards CARD", "as: 9S 10H AC", nargs="+")
    deed("press", "Press the jackpot button", _pressed)
    about = "Press keys of the dealer's keypad, one after the other"
    key = deed("key", about, lambda _, told: "\n".join(told["rows"]), "keys")
    add_option(key, "keys KEYS", "as on the keypad: 5, or 12#")
    about = "Turn the keypad's key switch"
    switch = deed("switch", about, "the key stands at {position}", "position")
    add_option(switch, "position", "where it is turned to", choices=("dealer", "supervisor"))
    for act, about, words in (
        ("unplug", "Pull a device's cable", "{name} is unplugged"),
        ("plug", "Put a device's cable back", "{name} is plugged in"),
    ):
        cable = deed(act, about, words, "name", "act", does="cable")
        add_option(cable, "name NAME", "as configured", known="device")
        cable.set_defaults(act=act)
    look = deed("look", "What a person sees at the devices, or at one", _twin_lines, "name")
    add_option(look, "name NAME", "as configured; left out: all", nargs="?", known="device")
    about = "Anything else that a simulated device can do"
    other = deed("do", about, "{name}: {verb} done", "name", "verb", "values")
    add_option(other, "name NAME", "as configured", known="device")
    add_option(other, "verb VERB", "as: lid, jam, cover, noise, restart, fault")
    add_option(other, "values KEY=VALUE", "as: open=true", nargs="*")


def _environment(module: str) -> dict[str, str]:
    """For a process of that module, wherever it is."""
    if importlib.util.find_spec(module.partition(".")[0]) is not None:
        return dict(os.environ)
    packaged = Path(sys.prefix).parent.with_name(PACKAGED)
    if not packaged.is_dir():
        raise NotDone(
            WRONG_USE, f"there are no simulated devices here: 'apt install ./{PACKAGED}_*.deb'"
        )
    return {**os.environ, "PYTHONPATH": str(packaged)}


def _demo(options: argparse.Namespace) -> int:
    command, environment = [sys.executable, "-m", DEMO], _environment(DEMO)
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


def _do_deed(options: argparse.Namespace, deed: str, /, **given: Any) -> Json:
    """Have the person do it; the answer. 4: there is no such table or device; 3: it refuses, with
    the reason; 2: there is none of that name."""
    folder = socket_path(options).parent / TWINS
    if not folder.is_dir():
        raise NotDone(
            NO_CONTROLLER,
            f"there are no simulated devices beside {socket_path(options)}: 'tablectl demo --stay' "
            "puts up a table with such, and says its --socket",
        )
    ran = subprocess.run(
        [sys.executable, "-m", PERSON, str(folder), deed, json.dumps(given)],
        stdout=subprocess.PIPE,
        env=_environment(PERSON),
        process_group=0,  # Ctrl-C ends it from here
        check=False,
    )
    if ran.returncode:
        raise NotDone(NOT_WELL, f"twin {deed} ended with {ran.returncode}")
    told: Json = json.loads(ran.stdout)
    if "failed" not in told:
        return told
    said = told["error"]
    if told["failed"] == "unknown":
        others = f"there are {', '.join(told['names'])}"
        said += f"; {did_you_mean(told['name'], told['names']) or others}"
    raise NotDone(CODES[told["failed"]], said)


def _twin(options: argparse.Namespace) -> int:
    given = {name: getattr(options, name) for name in options.given}
    if given.get("count", 1) < 1:
        raise NotDone(WRONG_USE, "twin draw: expected 1 card or more")
    if "values" in given:
        given["given"] = _values(given.pop("values"))
    told = _do_deed(options, options.does, **given)
    words: Words = options.words
    said = words.format(**given) if isinstance(words, str) else words(options, told)
    print_answer(options, told, [said])
    return DONE


def _pressed(_: argparse.Namespace, told: Json) -> str:
    return "pressed" if told["counted"] else "pressed; it was not armed, so nothing came of it"


def _twin_lines(_: argparse.Namespace, told: Json) -> str:
    rows = {
        name: sorted((key, json.dumps(was)) for key, was in at.items()) for name, at in told.items()
    }
    return "\n".join(f"{name}\n{columns(state)}" for name, state in rows.items())


def _values(pairs: list[str]) -> Json:
    given: Json = {}
    for pair in pairs:
        name, is_, value = pair.partition("=")
        if not is_:
            raise NotDone(WRONG_USE, f"{pair!r}: expected KEY=VALUE, as open=true")
        try:
            given[name] = json.loads(value)
        except ValueError:
            given[name] = value
    if RESERVED & given.keys():
        raise NotDone(WRONG_USE, "do and id are the protocol's own: name other keys")
    return given
