"""``journal witness``: what each witness has cosigned last, and what it answered."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypedDict

from controller.cli.connection import connect
from controller.cli.exits import DONE
from controller.cli.output import columns, say, say_json
from controller.json_values import checked

if TYPE_CHECKING:
    from controller.cli.group import Group


class Told(TypedDict):
    """A witness, as the status has it; times in seconds since 1970."""

    name: str
    required: bool
    size: int | None
    time: int | None
    answer: str | None
    answered: int | None


def register(group: Group) -> None:
    """Add the command."""
    group.command("witness", _witness, "What each witness cosigned last, and what it answered")


def _witness(options: argparse.Namespace) -> int:
    with connect(options) as client:
        journal = checked(dict[str, object], client.status().get("journal"), "journal")
    told = checked(list[Told], journal.get("witnesses", []), "witnesses")
    if options.json:
        say_json({"witnesses": told})
    elif told:
        rows = [("witness", "entries", "cosigned", "it answered")]
        say(columns([*rows, *(_row(one) for one in told)]))
    else:
        say("the configuration names no witness ([[witness]])")
    return DONE


def _row(one: Told) -> tuple[str, str, str, str]:
    size = "none" if one["size"] is None else str(one["size"])
    answer = "nothing was told since the start"
    if one["answer"] is not None:
        answer = f"{one['answer']} ({_time(one['answered'])})"
    return (
        f"{one['name']}{' (required)' if one['required'] else ''}",
        size,
        _time(one["time"]),
        answer,
    )


def _time(seconds: int | None) -> str:
    if seconds is None:
        return "-"
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
