"""What a line on the control socket means: requests, answers and their limits. No I/O.

The rules (docs/control-socket.md is the same for integrators):

- One JSON object a line, UTF-8, ended by a newline. A request has ``v`` (1), ``id`` (a number of
  the client's own choosing, repeated in the answer) and ``do``. Nothing in it is nested but the
  lists ``commands`` of a dry run and ``cosignatures``.
- A key that its ``do`` does not know is an error, and so is a key that stands twice: the intention
  is not guessed where money depends on it.
- Texts are printable and short: they go into the journal and onto a terminal as they are. A PIN
  goes nowhere: no message and no ``repr`` has it.
- Any request but ``watch`` may bring the ``person`` that makes it, with his ``pin``.
- An answer has ``ok``: with true a ``result``, with false an ``error`` with ``kind``, ``code``,
  ``reason``, ``clause``, ``permitted`` and ``actions``. ``watch``, ``capture`` and ``try`` are
  answered again and again under the same ``id``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NamedTuple

from controller.forms.expected import FormField, Range, Secret, Several, Text, fields_reader
from controller.forms.faults import Wrong
from controller.forms.json_values import JsonObject, parse_json
from controller.forms.reading import form_of

VERSION: Final = 1
MAX_LINE_BYTES: Final = 8192
MAX_ID: Final = (1 << 53) - 1
MAX_COMMAND: Final = 200
MAX_NAME: Final = 100
MAX_REASON: Final = 500
MAX_NUMBER: Final = 20
MAX_KEY: Final = 64
MAX_PERSON: Final = 64
PIN: Final = re.compile(r"[0-9]{4,12}")
MAX_COMMANDS: Final = 30
"""Of a dry run."""
MAX_COSIGNATURES: Final = 8
MAX_COSIGNATURE: Final = 500

ErrorKind = Literal["refused", "changed", "not_allowed", "malformed", "unavailable"]
"""``refused`` by the rules or the table's state, ``changed``: what the client saw is not so any
more, ``not_allowed`` to this person, ``malformed`` request, ``unavailable``: this controller cannot
answer now."""

PersonsRole = Literal["dealer", "supervisor", "technician"]
"""A supervisor may all that a dealer and a technician may."""

Role = PersonsRole | Literal["witness"]
"""``witness``: the process that speaks to witnesses, for the requests of its own."""

_Number = Literal["after", "most", "old", "start", "end", "size", "time"]


class RequestRow(NamedTuple):
    """A request: the ``role`` that it needs (None: none, or it is judged otherwise), what somebody
    ``wanted`` who may not, its ``texts`` with the most characters of each, and its whole
    ``numbers``, which are 0 where they are left out."""

    role: Role | None = None
    wanted: str = "act as a person"
    texts: Mapping[str, int] = MappingProxyType({})
    numbers: tuple[_Number, ...] = ()


_ROUNDS: Final = RequestRow("supervisor", "see the rounds of the journal", {"number": MAX_NUMBER})
_BY_HAND: Final = "try devices by hand"

REQUESTS: Final[Mapping[str, RequestRow]] = {
    "status": RequestRow(),
    "watch": RequestRow(),
    "counters": RequestRow("supervisor", "see the counters"),
    "ready": RequestRow(),
    "choices": RequestRow("dealer", "see what may be put right"),
    "round": _ROUNDS,
    "course": _ROUNDS,
    "proof": _ROUNDS,
    "shift": RequestRow("supervisor", "see the reports on shifts", {"which": MAX_NUMBER}),
    "dealer": RequestRow("dealer", "give a dealer's commands", {"command": MAX_COMMAND}),
    "supervisor": RequestRow(
        "supervisor",
        "give a supervisor's commands",
        {"command": MAX_COMMAND, "by": MAX_NAME, "why": MAX_REASON},
    ),
    "entries": RequestRow("witness", "read the journal's entries", {}, ("after", "most")),
    "checkpoint": RequestRow("witness", "read the journal's checkpoints", {}, ("after", "old")),
    "subtree": RequestRow("witness", "read the journal's proofs", {}, ("start", "end", "size")),
    "witnessed": RequestRow(
        "witness",
        "tell what witnesses answered",
        {"name": MAX_NAME, "answer": MAX_REASON},
        ("size", "time"),
    ),
    "links": RequestRow(),
    "links_lately": RequestRow(),
    "self_test": RequestRow("technician", "have devices test themselves", {"device": MAX_NAME}),
    "capture": RequestRow("technician", "look at a device's traffic", {"device": MAX_NAME}),
    "try": RequestRow("technician", _BY_HAND, {"device": MAX_NAME}),
    "device_command": RequestRow(
        "technician", _BY_HAND, {"device": MAX_NAME, "command": MAX_COMMAND}
    ),
    "device_tested": RequestRow(
        "technician",
        _BY_HAND,
        {"device": MAX_NAME, "test": MAX_NAME, "verdict": MAX_NUMBER, "what": MAX_REASON},
    ),
    "sign_in": RequestRow(texts={"person": MAX_PERSON}),
    "sign_out": RequestRow(),
    "people": RequestRow(),
    "person_add": RequestRow(texts={"person": MAX_PERSON, "role": MAX_NUMBER}),
    "person_pin": RequestRow(texts={"person": MAX_PERSON}),
    "person_remove": RequestRow(texts={"person": MAX_PERSON}),
}
"""Every request that there is."""
WITH_PIN: Final = frozenset({"sign_in", "person_add", "person_pin"})
"""Requests that need a ``pin``."""
OF_NOBODY: Final = frozenset({"watch", "sign_out", "people", "person_remove"})
"""Requests that nobody makes by PIN."""
_OPTIONAL: Final = frozenset({"by", "why"})
COMMANDS: Final = frozenset({"dealer", "supervisor"})
"""Requests that may have ``at``, ``key``, ``dry`` and ``commands``."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request that can be read. Texts that ``do`` does not take are empty. Of a command ``at`` is
    what the client has seen, ``key`` by which it may give the command again; ``dry``: it is tried,
    and the ``commands`` of a dry run one after the other. ``person`` and ``pin``: who makes it, or
    of whom it is. From ``after`` on it is for the process that speaks to witnesses
    (:mod:`controller.control.answers`)."""

    id: int
    do: str
    command: str = ""
    by: str | None = None
    why: str | None = None
    device: str = ""
    number: str = ""
    which: str = ""
    test: str = ""
    verdict: str = ""
    what: str = ""
    at: int | None = None
    key: str | None = None
    dry: bool = False
    commands: tuple[str, ...] = ()
    person: str = ""
    pin: str = field(default="", repr=False)
    role: str = ""
    after: int = 0
    most: int = 0
    old: int = 0
    start: int = 0
    end: int = 0
    name: str = ""
    size: int = 0
    time: int = 0
    answer: str = ""
    cosignatures: tuple[str, ...] = ()


class BadRequest(Exception):
    """A line that is no request; ``id`` where it could be read. ``fatal``: the line's end was
    never found, so nothing behind it can be read either. ``code`` says for programs what it is."""

    def __init__(
        self,
        reason: str,
        id: int | None = None,  # noqa: A002
        *,
        fatal: bool = False,
        code: str = "unreadable-request",
    ) -> None:
        self.id = id
        self.code = code
        self.fatal = fatal
        super().__init__(reason)


def parse_request(line: bytes) -> Request:
    """The request in a line without its newline; BadRequest, with what was expected."""
    if len(line) > MAX_LINE_BYTES:
        raise BadRequest(
            f"a line is at most {MAX_LINE_BYTES} bytes", fatal=True, code="line-too-long"
        )
    data = _read_object(line)
    given_id = data.get("id")
    if type(given_id) is not int or not 0 <= given_id <= MAX_ID:
        raise BadRequest(f"id: expected a whole number from 0 to {MAX_ID}")
    version = data.get("v")
    if type(version) is not int or version != VERSION:
        raise BadRequest(
            f"v: this controller speaks version {VERSION}", given_id, code="unknown-version"
        )
    do = data.get("do")
    if not isinstance(do, str) or do not in REQUESTS:
        raise BadRequest(
            f"do: expected one of {', '.join(REQUESTS)}", given_id, code="unknown-request"
        )
    several = do in COMMANDS and "commands" in data
    brought = do in WITH_PIN or (bool({"person", "pin"} & data.keys()) and do not in OF_NOBODY)
    known, read = _reader(do, by_pin=brought, several=several)
    for key in data.keys() - known:
        raise BadRequest(f"{do!r} has no key {key[:40]!r}", given_id, code="unknown-key")
    found = read(data, None)
    if isinstance(found, Wrong):
        raise BadRequest("; ".join(found.lines("")), given_id)
    if several and (not found.get("dry") or "command" in data):
        raise BadRequest("commands: of a dry run, in place of its command", given_id)
    if found.get("dry") and found.get("key") is not None:
        raise BadRequest("key: a dry run is not stored, so it has none", given_id)
    if several:
        found["command"] = "; ".join(found["commands"])
    given = {key: value for key, value in found.items() if value is not None}
    return Request(given_id, do, **given)


_NUMBER: Final = Range("a whole number", 0, MAX_ID)
_PIN: Final = Secret("4 to 12 digits, as a text", form=PIN)


def _text(most: int) -> Text:
    return Text("printable text", most)


_OF_COMMANDS: Final[Mapping[str, object]] = {
    "at": Annotated[int | None, _NUMBER],
    "key": Annotated[str | None, _text(MAX_KEY)],
    "dry": bool | None,
}


@cache
def _reader(do: str, *, by_pin: bool, several: bool) -> tuple[frozenset[str], Any]:
    """The keys of a request, and what reads them; ``several``: it has ``commands``."""
    row = REQUESTS[do]
    required: dict[str, object] = {key: _text_or_none(key, most) for key, most in row.texts.items()}
    optional: dict[str, object] = dict.fromkeys(row.numbers, Annotated[int, _NUMBER])
    if do in COMMANDS:
        optional |= _OF_COMMANDS
    if several:
        del required["command"]
        lines = f"a list of 1 to {MAX_COMMANDS} texts"
        required["commands"] = _lines(MAX_COMMAND, Several(lines, MAX_COMMANDS, 1))
    if do == "witnessed":
        lines = f"a list of at most {MAX_COSIGNATURES} lines"
        optional["cosignatures"] = _lines(MAX_COSIGNATURE, Several(lines, MAX_COSIGNATURES))
    if by_pin:
        required |= {"person": Annotated[str, _text(MAX_PERSON)], "pin": Annotated[str, _PIN]}
    fields = [
        FormField(key, form_of(hint), hint, hints is required and key not in _OPTIONAL)
        for hints in (required, optional)
        for key, hint in hints.items()
    ]
    known = {"v", "id", "do", "command" if several else "", *required, *optional}
    return frozenset(known), fields_reader(fields, others=True)


def _text_or_none(key: str, most: int) -> object:
    expected = _text(most)
    return Annotated[str | None, expected] if key in _OPTIONAL else Annotated[str, expected]


def _lines(most: int, several: Several) -> object:
    return Annotated[tuple[Annotated[str, _text(most)], ...], several]


def _read_object(line: bytes) -> JsonObject:
    try:
        data = parse_json(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise BadRequest("expected one JSON object in UTF-8, each key once") from None
    if not isinstance(data, Mapping):
        raise BadRequest("expected a JSON object")
    return data


def encode_result(id: int, result: bytes) -> bytes:  # noqa: A002
    """The line that answers request ``id`` with a result already written by :func:`encode`."""
    return b'{"v":%d,"id":%d,"ok":true,"result":%b}\n' % (VERSION, id, result)


def encode_error(
    id: int | None,  # noqa: A002
    kind: ErrorKind,
    reason: str,
    clause: str = "",
    permitted: Sequence[str] = (),
    *,
    actions: Sequence[JsonObject] = (),
    code: str,
    more: JsonObject | None = None,
) -> bytes:
    """The line that refuses request ``id`` (None: unreadable); ``more`` of the error."""
    why = {"kind": kind, "code": code, "reason": reason, "clause": clause}
    may = {"permitted": list(permitted), "actions": list(actions)}
    error = {**why, **may, **(more or {})}
    return encode({"v": VERSION, "id": id, "ok": False, "error": error}) + b"\n"


def encode(value: JsonObject) -> bytes:
    """A JSON object as ASCII without line ends; any mapping counts as an object."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False, default=_plain_mapping).encode(
        "ascii"
    )


def _plain_mapping(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be sent")


def encode_request(request: Request) -> bytes:
    """The line of a request, for clients."""
    data: dict[str, object] = {"v": VERSION, "id": request.id, "do": request.do}
    row = REQUESTS[request.do]
    given = {key: getattr(request, key) for key in (*row.texts, *row.numbers)}
    data |= {key: value for key, value in given.items() if value is not None}
    if request.cosignatures:
        data["cosignatures"] = list(request.cosignatures)
    if request.commands:
        data["commands"] = list(request.commands)
        del data["command"]
    if request.dry:
        data["dry"] = True
    if request.at is not None:
        data["at"] = request.at
    if request.key is not None:
        data["key"] = request.key
    if request.pin:
        data |= {"person": request.person, "pin": request.pin}
    return encode(data) + b"\n"
