"""Every message of Table Link v1 as data (section 5), its payload (section 1), and how one is told
to a technician.

A payload is ``version:1 type:1 id:2``, a body of 0 to 48 bytes, and ``crc:4`` (zlib's CRC-32)
over all before it; all little-endian. An answer's type is its command's with bit 7 set and it
bears the command's name; ``NAK`` answers any command. The tables below are the whole of
section 5: the documentation is generated from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from struct import Struct
from zlib import crc32

from drivers.api import Traffic, Value
from drivers.table_link.layout import Layout
from drivers.vocabulary import KINDS

VERSION = 1
ANSWER_BIT = 0x80
MIN_PAYLOAD, MAX_PAYLOAD = 8, 56
HELLO, PING, EVENT_ACK, RESET, FAULT, NAK = 0x01, 0x02, 0x03, 0x04, 0x7F, 0xFF

_HEAD = Struct("<BBH")
_CRC = Struct("<I")


class Role(StrEnum):
    """Who sends a message and what for."""

    COMMAND = "command"
    ANSWER = "answer"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Spec:
    """One message: ``kinds`` of device that know it; an event's ``own`` layout is its body
    without ``event_no`` and ``t_ms``."""

    type: int
    name: str
    role: Role
    kinds: frozenset[str]
    layout: Layout
    own: Layout


@dataclass(frozen=True, slots=True)
class Message:
    """A decoded payload. ``type`` tells a command from its answer of the same name."""

    type: int
    id: int
    name: str
    fields: Mapping[str, Value]


class DropReason(StrEnum):
    """Why a payload is no message; the value is the counter's name."""

    SIZE = "bad_size"
    CRC = "bad_crc"
    VERSION = "bad_version"
    TYPE = "unknown_type"
    LENGTH = "bad_length"
    ID = "bad_id"


class DroppedError(Exception):
    """The payload is to be dropped and counted under ``reason``; it is never answered."""

    def __init__(self, reason: DropReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


# type, name, the command's body, the answer's body (None: not answered)
_Command = tuple[int, str, str, str | None]
_Event = tuple[int, str, str]

_HELLO_ANSWER = (
    "kind:1 minor:1 session_id:4 oldest_unacked:4 last_event:4 capabilities:4 firmware:3v"
    " serial:12s digest:8x"
)
_COMMON: list[_Command] = [
    (
        HELLO,
        "HELLO",
        "session_id:4 event_no:4",
        _HELLO_ANSWER,
    ),
    (PING, "PING", "", "uptime_ms:4 state:1 faults:2 unacked:2"),
    (EVENT_ACK, "EVENT_ACK", "session_id:4 event_no:4", None),
    (RESET, "RESET", "", ""),
    (0x05, "SELF_TEST", "", "failed:2 duration_ms:2"),
    (0x06, "AUTHENTICATE", "nonce:16x", "digest:32x"),
]
_COMMON_EVENTS: list[_Event] = [(FAULT, "FAULT", "faults:2")]

_COMMANDS: dict[str, list[_Command]] = {
    "shoe": [
        (0x10, "GATE", "unlocked:1 cards:1", "last_event:4"),
        (0x11, "SIGNAL", "colour:1 blink:1", ""),
    ],
    "shuffler": [
        (0x18, "START", "set:1", ""),
        (0x19, "RELEASE", "set:1", ""),
        (0x1A, "ABORT", "", ""),
    ],
    "jackpot": [
        (0x20, "ARM", "offer_id:4 box:1", ""),
        (0x21, "DISARM", "offer_id:4", "last_event:4"),
        (0x22, "SHOW", "offer_id:4 multiplier:2 spin_ms:2", ""),
        (0x23, "BLANK", "", ""),
        (0x24, "TEST_PATTERN", "pattern:1", ""),
        (0x25, "METER", "", "state:1 offer_id:4 box:1 multiplier:2 pressed:1"),
    ],
    "keypad": [
        (0x28, "TEXT", "row:1 text:20s", ""),
        (0x29, "LAMPS", "lit:4", ""),
    ],
}

_EVENTS: dict[str, list[_Event]] = {
    "shoe": [
        (0x40, "CARD", "rank:1 suit:1 flags:1 card_uid:4 remaining:2"),
        (0x41, "CUTTING_CARD", "remaining:2"),
        (0x42, "SHOE_STATE", "state:1 remaining:2"),
    ],
    "shuffler": [
        (0x50, "SHUFFLER_STATE", "state:1 set:1 count:2 progress:2"),
        (0x51, "SHUFFLE_DONE", "set:1 count:2 result:1"),
        (0x52, "CARD_DISCREPANCY", "rank:1 suit:1 difference:1i"),
    ],
    "jackpot": [
        (0x60, "PRESS", "offer_id:4"),
        (0x61, "SHOWN", "offer_id:4 multiplier:2"),
        (0x62, "COVER", "open:1"),
        (0x63, "STUCK", "held_ms:2"),
    ],
    "keypad": [(0x70, "KEY", "key:1s supervisor:1")],
}

EVENT_HEAD = "event_no:4 t_ms:4"
"""What every event's body begins with."""


def _specs() -> Iterator[Spec]:
    every = frozenset(KINDS.values())
    groups = [(every, _COMMON, _COMMON_EVENTS)]
    groups += [(frozenset({kind}), _COMMANDS[kind], _EVENTS[kind]) for kind in KINDS.values()]
    for kinds, commands, events in groups:
        for number, name, body, answer in commands:
            layout = Layout(body)
            yield Spec(number, name, Role.COMMAND, kinds, layout, layout)
            if answer is not None:
                layout = Layout(answer)
                yield Spec(number | ANSWER_BIT, name, Role.ANSWER, kinds, layout, layout)
        for number, name, body in events:
            layout = Layout(f"{EVENT_HEAD} {body}")
            yield Spec(number, name, Role.EVENT, kinds, layout, Layout(body))
    layout = Layout("code:1 refused:1")
    yield Spec(NAK, "NAK", Role.ANSWER, every, layout, layout)


SPECS: dict[int, Spec] = {spec.type: spec for spec in _specs()}
"""Every message by its type number, in the protocol's order."""

COMMANDS = {spec.name: spec for spec in SPECS.values() if spec.role is Role.COMMAND}
EVENTS = {spec.name: spec for spec in SPECS.values() if spec.role is Role.EVENT}


def seal(number: int, command_id: int, body: bytes) -> bytes:
    """The payload around a body: version, type and id before it, CRC after it."""
    start = _HEAD.pack(VERSION, number, command_id) + body
    return start + _CRC.pack(crc32(start))


def unseal(payload: bytes) -> tuple[int, int]:
    """Type and id of a payload whose size, CRC and version are right; the body starts at 4.

    DroppedError otherwise. The type may be unknown and the body of a wrong length.
    """
    size = len(payload)
    if not MIN_PAYLOAD <= size <= MAX_PAYLOAD:
        raise DroppedError(DropReason.SIZE)
    if crc32(payload[:-4]) != _CRC.unpack_from(payload, size - 4)[0]:
        raise DroppedError(DropReason.CRC)
    version, number, command_id = _HEAD.unpack_from(payload)
    if version != VERSION:
        raise DroppedError(DropReason.VERSION)
    return number, command_id


def encode(number: int, command_id: int, fields: Mapping[str, Value]) -> bytes:
    """The payload of message type ``number``. KeyError: no such type; ValueError: bad fields."""
    return seal(number, command_id, SPECS[number].layout.pack(fields))


def read_body(spec: Spec, payload: bytes) -> dict[str, Value]:
    """The fields of an unsealed payload of this type; DroppedError if its length is wrong."""
    if len(payload) - MIN_PAYLOAD != spec.layout.size:
        raise DroppedError(DropReason.LENGTH)
    return spec.layout.unpack(payload, 4)


def decode(payload: bytes) -> Message:
    """The message in a payload; DroppedError (with its reason) when there is none."""
    number, command_id = unseal(payload)
    spec = SPECS.get(number)
    if spec is None:
        raise DroppedError(DropReason.TYPE)
    return Message(number, command_id, spec.name, read_body(spec, payload))


def read_traffic(payload: bytes, *, outward: bool) -> Traffic:
    """What a payload says; one that is no message is called ``dropped`` with the reason."""
    try:
        message = decode(payload)
    except DroppedError as dropped:
        return Traffic(outward, payload, f"dropped: {dropped.reason.value}", None, {})
    answers = SPECS[message.type].role is Role.ANSWER and message.type != NAK
    name = f"{message.name} answer" if answers else message.name
    return Traffic(outward, payload, name, message.id, message.fields)
