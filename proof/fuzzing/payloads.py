"""Payloads of Table Link as a stranger would make them: with the right CRC and whatever inside.

What is written by the rules of the protocol comes from its own tables
(:mod:`drivers.table_link.messages`), so a message added there is fuzzed without a word here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from drivers.table_link.layout import Layout
from drivers.table_link.messages import COMMANDS, EVENTS, MAX_PAYLOAD, SPECS, Role, Spec, seal
from proof.fuzzing.choices import Choices

NUMBERS: Final = tuple(SPECS)
Near = Mapping[str, Sequence[int]]
"""By a field's name, values that mean something in the conversation as it stands."""


def specs_of(kind: str, role: Role) -> list[Spec]:
    """The messages of that role which that kind of device knows."""
    return [spec for spec in SPECS.values() if spec.role is role and kind in spec.kinds]


def body(choices: Choices, layout: Layout, near: Near) -> bytes:
    """A body of the right length: each field at its bounds, near something, or anything."""
    found = b""
    for field in layout.fields:
        if field.name in near and choices.below(12):
            number = choices.among(near[field.name]) & ((1 << 8 * field.size) - 1)
        else:
            number = choices.number(8 * field.size)
        found += number.to_bytes(field.size, "little")
    return found


def wild(choices: Choices, ids: Sequence[int]) -> bytes:
    """A payload of any type known or unknown, of any length, sealed or not."""
    match choices.below(4):
        case 0:
            return choices.raw(choices.below(MAX_PAYLOAD + 8))
        case 1:
            number = choices.byte()
        case _:
            number = choices.among(NUMBERS)
    return seal(number, choices.among(ids), choices.raw(choices.below(MAX_PAYLOAD - 4)))


def fields(choices: Choices, name: str) -> dict[str, int | str | tuple[int, ...]]:
    """Fields of a command or event as our own side would give them: of the right shape."""
    spec = COMMANDS.get(name) or EVENTS[name]
    return spec.own.unpack(bytes(0x7F & n for n in choices.raw(64)).ljust(64, b"\0"))
