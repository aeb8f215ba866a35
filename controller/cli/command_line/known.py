"""What is known now of the values that a command takes, for completion in a shell.

A module that registers a command says what an argument is a name of (:func:`of`); nothing is looked
up before a shell asks. What cannot be had, because no controller answers, is completed with
nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from controller.table.showing.status_fields import Status


ALIKE = 0.6
"""Share of the letters that have to agree, in their order (:mod:`difflib`)."""


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """A question that names the nearest of ``known``; empty where none is near."""
    from difflib import get_close_matches  # only after a mistake

    nearest = get_close_matches(given, list(known), 1, ALIKE)
    return f"did you mean {nearest[0]!r}?" if nearest else ""


def of(what: str, to: argparse._ActionsContainer, *names: str, **how: Any) -> None:
    """Add an argument that takes one of :data:`KINDS`."""
    find = KINDS[what]

    def completer(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
        return [value for value in find(parsed_args) if value.startswith(prefix)]

    action = to.add_argument(*names, **how)
    setattr(action, "completer", completer)  # noqa: B010 - argcomplete looks for it there


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


def _devices(options: argparse.Namespace) -> Iterable[str]:
    return _state(options).get("devices", {})


def _dealers(options: argparse.Namespace) -> Iterable[str]:
    return _state(options).get("permitted") or []


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
    "device": _devices,
    "dealer's command": _dealers,
    "supervisor's command": _supervisors,
    "rule set": _rules,
    "fault": _faults,
}
