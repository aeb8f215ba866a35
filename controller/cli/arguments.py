"""The values that a command takes: numbers as they are typed (whole ones within bounds, seconds,
amounts of money), and what is known now of the others, for completion in a shell.

A module that registers a command says what an argument is a name of; nothing is looked up before a
shell asks. What cannot be had, because no controller answers, is completed with nothing."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from controller.game.commands.values import parse_amount

if TYPE_CHECKING:
    from controller.table.showing.status_fields import Status

T = TypeVar("T")
MOST_DIGITS: Final = 20
PATHS: Final = frozenset({"FILE", "DIR", "FOLDER", "CAPTURE"})


def integer(low: int, high: int) -> Callable[[str], int]:
    """A type for argparse: a whole number from ``low`` to ``high``."""

    def read_number(text: str) -> int:
        plain = text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS
        if not plain or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: expected {low} to {high}")
        return int(text)

    return read_number


def many(most: int) -> Callable[[str], int]:
    """A type for argparse: a whole number from 1 to ``most``, which may be written as 1e6."""

    def read_number(text: str) -> int:
        digits, e, power = text.partition("e")
        plain = digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS
        if plain and (not e or (power.isascii() and power.isdecimal() and len(power) <= 2)):
            number: int = int(digits) * 10 ** int(power or 0)
            if 0 < number <= most:
                return number
        expected = f"expected a whole number from 1 to {most}, as 20000 or 1e6"
        raise argparse.ArgumentTypeError(f"{text!r}: {expected}")

    return read_number


def seconds(most: float) -> Callable[[str], float]:
    """A type for argparse: seconds, more than none and at most so many."""

    def read_seconds(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not 0 < value <= most:
            raise argparse.ArgumentTypeError(f"{text!r}: expected seconds, at most {most:.0f}")
        return value

    return read_seconds


def parsed(parse: Callable[[str], T]) -> Callable[[str], T]:
    """A type for argparse: what a parser reads, whose ``ValueError`` says what is wrong."""

    def read_text(text: str) -> T:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read_text


amount = parsed(parse_amount)
"""A type for argparse: an amount, in cents."""


ALIKE = 0.6
"""Share of the letters that have to agree, in their order (:mod:`difflib`)."""


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """A question that names the nearest of ``known``; empty where none is near."""
    from difflib import get_close_matches  # only after a mistake

    nearest = get_close_matches(given, list(known), 1, ALIKE)
    return f"did you mean {nearest[0]!r}?" if nearest else ""


def add_option(
    to: argparse._ActionsContainer, spec: str, about: str, *, known: str = "", **more: Any
) -> None:
    """Add an option or an argument. ``spec`` is its name and what stands for its value: of
    ``--out FILE`` the value is a path, as of all :data:`PATHS`; an option without a value is given
    or not, or one of ``choices``. A value ``known`` as one of :data:`KINDS` is completed."""
    name, _, metavar = spec.partition(" ")
    if metavar in PATHS:
        more = {"type": Path, **more}
    elif not metavar and "choices" not in more:
        more["action"] = "store_true"
    if metavar:
        more["metavar"] = metavar
    action = to.add_argument(name, help=about, **more)
    if known:
        find = KINDS[known]

        def completer(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
            return [value for value in find(parsed_args) if value.startswith(prefix)]

        setattr(action, "completer", completer)  # noqa: B010 - argcomplete looks for it there


def add_configuration(to: argparse._ActionsContainer) -> None:
    """Add the option of :func:`controller.cli.connection.configuration_path`."""
    add_option(
        to, "--config FILE", "the configuration (else the running table's, else the usual one)"
    )


def _state(options: argparse.Namespace) -> Status:
    from controller.cli.connection import connect
    from controller.control.client import NoController, RefusedByController
    from controller.forms.json_values import WrongForm
    from controller.table.showing.status_fields import status_of

    asked = argparse.Namespace(socket=getattr(options, "socket", None))
    try:
        with connect(asked) as client:
            return status_of(client.status())
    except (NoController, RefusedByController, WrongForm, OSError):
        return {}


def _supervisors(options: argparse.Namespace) -> Iterable[str]:
    state = _state(options)
    held = state.get("held")
    commands = list(held.get("remedies") or []) if held else []
    match str(state.get("state", "")).removeprefix("held."):
        case "service":
            return dict.fromkeys([*commands, "service off"])
        case "idle" | "closed":
            return [*commands, "service on"]
    return commands


def _rules(_: argparse.Namespace) -> Iterable[str]:
    from controller.files.rules import rule_files

    return rule_files()


def _faults(_: argparse.Namespace) -> Iterable[str]:
    from controller.faults.catalogue import CATALOGUE

    return CATALOGUE


KINDS: Final[Mapping[str, Callable[[argparse.Namespace], Iterable[str]]]] = {
    "device": lambda options: _state(options).get("devices", {}),
    "dealer's command": lambda options: _state(options).get("permitted") or [],
    "supervisor's command": _supervisors,
    "rule set": _rules,
    "fault": _faults,
}
