"""An entry out of its line, as :mod:`~controller.journal.export` writes it: for who has lines and
no file of the journal. Nothing is proven here.
"""

from __future__ import annotations

import json
from typing import TypedDict

from controller.journal.canonical import DIGEST_BYTES, is_hex
from controller.journal.export import OWN
from controller.journal.model import Draft, Entry
from controller.json_values import JsonObject, WrongForm, checked


class _EveryLine(TypedDict):
    """What every line has."""

    seq: int
    boot: int
    mono_ns: int
    wall: str
    type: str
    digest: str


class _Line(_EveryLine, total=False):
    """What an entry about a device, or a draw, has besides."""

    device: str
    session: int
    event_no: int
    t_ms: int
    offer: int
    renumbered: int


def read_line(line: bytes | str) -> Entry:
    """The entry that the line tells.

    Raises:
        WrongForm: it is none; the message says why. BadDraft: its fields contradict each other.
    """
    try:
        parsed = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WrongForm(f"no line of an export: {error}") from error
    told = checked(_Line, parsed, "line")
    if not is_hex(told["digest"], DIGEST_BYTES):
        raise WrongForm(f"line.digest: {told['digest']!r} is no digest")
    event_no = told.get("event_no")
    numbering = told.get("renumbered", None if event_no is None else 0)
    draft = Draft(
        told["type"],
        _body(parsed),
        told.get("device"),
        told.get("session"),
        event_no,
        told.get("t_ms"),
        told.get("offer"),
        renumbered=event_no is None and numbering is not None,
    )
    return Entry(
        told["seq"],
        told["boot"],
        told["mono_ns"],
        told["wall"],
        draft,
        numbering,
        bytes.fromhex(told["digest"]),
    )


def _body(parsed: dict[str, object]) -> JsonObject:
    """The body: by itself, or as what the line has beside its own names."""
    if "body" in parsed:
        return checked(dict[str, object], parsed["body"], "line.body")
    return {name: value for name, value in parsed.items() if name not in OWN}
