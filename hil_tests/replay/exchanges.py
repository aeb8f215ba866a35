"""A device's half of a capture, in order: what it was told and answered, and what it said itself.

The rules:

- A command is one exchange however often it was sent: repetitions have its id. Its answer is the
  first that came.
- What a display is told (:data:`SHOWN`) depends on how fast things were stored: of two texts in
  quick succession the first may be left out. So only what stands there in the end is compared; of
  what was told last of all, shortly before the end, that it was told.
- ``PING`` goes when a line is idle, and ``HELLO`` again and again until it is answered, which both
  are matters of milliseconds: they are answered as they were at that time. Only a ``HELLO`` that
  was answered is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from drivers.api import Seen, Traffic, Value
from drivers.capture.reader import Sight
from drivers.table_link.messages import MIN_PAYLOAD, SPECS, DroppedError, Role, decode, seal, unseal

SHOWN: Final = frozenset({"TEXT", "LAMPS", "SIGNAL"})
HELLO, PING, EVENT_ACK = "HELLO", "PING", "EVENT_ACK"


@dataclass(slots=True)
class Exchange:
    """A command with its fields, and the payload that answered it, None where nothing did."""

    at_ns: int
    id: int
    name: str
    fields: Mapping[str, Value]
    answer: bytes | None = None
    answered_ns: int = 0

    def __str__(self) -> str:
        return in_words(self.name, self.fields)


@dataclass(slots=True)
class Half:
    """``commands`` are compared one by one; ``loose`` are those for displays and ``PING``, of which
    ``shown`` has the last one for each place; ``acknowledged`` are sessions and event numbers, each
    once; ``told`` is what came from the device by itself, and what became of its port."""

    commands: list[Exchange] = field(default_factory=list)
    loose: list[Exchange] = field(default_factory=list)
    shown: dict[str, Exchange] = field(default_factory=dict)
    acknowledged: list[tuple[int, int]] = field(default_factory=list)
    told: list[tuple[int, Seen]] = field(default_factory=list)


def half_of(sights: Iterable[Sight]) -> Half:
    """The half of one device."""
    half = Half()
    by_id: dict[int, Exchange] = {}
    for sight in sights:
        seen = sight.seen
        message = _message(seen)
        if message is None or not isinstance(seen, Traffic) or seen.id is None:
            half.told.append((sight.at_ns, seen))
        elif seen.outward:
            _note_command(half, by_id, Exchange(sight.at_ns, seen.id, seen.name, seen.fields))
        elif message is Role.EVENT:
            half.told.append((sight.at_ns, seen))
        elif (asked := by_id.get(seen.id)) is not None and asked.answer is None:
            asked.answer, asked.answered_ns = seen.raw, sight.at_ns
    half.commands = [one for one in half.commands if one.name != HELLO or one.answer is not None]
    return half


def _note_command(half: Half, by_id: dict[int, Exchange], said: Exchange) -> None:
    if said.name == EVENT_ACK:
        position = int(str(said.fields["session_id"])), int(str(said.fields["event_no"]))
        if position not in half.acknowledged:
            half.acknowledged.append(position)
        return
    before = by_id.get(said.id)
    if before is not None and before.name == said.name:
        return
    by_id[said.id] = said
    if said.name == PING or said.name in SHOWN:
        half.loose.append(said)
        if said.name in SHOWN:
            half.shown[place_of(said.name, said.fields)] = said
    else:
        half.commands.append(said)


def _message(seen: Seen) -> Role | None:
    """What part a payload has in the protocol; None: it is no message."""
    try:
        return SPECS[decode(seen.raw).type].role if isinstance(seen, Traffic) else None
    except DroppedError:
        return None


def covered(position: tuple[int, int], acknowledged: Iterable[tuple[int, int]]) -> bool:
    """Whether an event was acknowledged, by its own number or a later one of its session: what
    became durable together is acknowledged once, and what does is a matter of milliseconds."""
    session, number = position
    return any(other == session and number <= upto for other, upto in acknowledged)


def place_of(name: str, fields: Mapping[str, Value]) -> str:
    """Where a display shows it."""
    return f"{name} {fields['row']}" if "row" in fields else name


def readdressed(payload: bytes, command_id: int) -> bytes:
    """The same answer, to a command of another id."""
    return seal(unseal(payload)[0], command_id, payload[4 : 4 - MIN_PAYLOAD])


def in_words(name: str, fields: Mapping[str, Value]) -> str:
    """A message in a line."""
    return " ".join([name, *(f"{key}={value}" for key, value in fields.items())])
