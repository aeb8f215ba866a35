"""The answers to keyed commands, so that a command that is given again is not carried out again.

A client that lost the answer to a command cannot know whether it was carried out. With a ``key`` of
its own choosing it may give it again: the last :data:`MOST` keyed commands that were carried out
are remembered, with their answers. They are not part of the play: they are stored beside the table
with each snapshot, and found again in the entries behind it.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.forms.json_values import JsonObject, checked
from controller.journal.canonical import canonical, decode
from controller.journal.model import Entry
from controller.table.events.of_people import PersonCommanded, SupervisorCommanded
from controller.table.outcome import CommandResult

KEY: Final = "key"
"""In the body of a command."""

MOST: Final = 256
"""So many answers are remembered."""

COMMANDS: Final = frozenset({"dealer", "supervisor"})
"""Types of events that may have a key. (A device's KEY has a field of that name.)"""


def has_key(entry: Entry) -> bool:
    """Whether the entry is a command that has a key."""
    return entry.type in COMMANDS and entry.body.get(KEY) is not None


@dataclass(frozen=True, slots=True)
class Keyed:
    """A keyed command: what identifies it, and its answer, compressed; one that still waits has
    the number of its ``entry`` at the table and no answer."""

    said: tuple[str, ...]
    answer: bytes = b""
    entry: int | None = None


class Answers:
    """The answers by their keys, the latest last; commands that still wait are beside them."""

    def __init__(self) -> None:
        self._kept: dict[str, Keyed] = {}
        self._waiting: dict[int, tuple[str, Keyed]] = {}

    def known(self, key: str) -> Keyed | None:
        """What is known under that key."""
        waits = (keyed for other, keyed in self._waiting.values() if other == key)
        return self._kept.get(key) or next(waits, None)

    def waits(self, key: str, said: tuple[str, ...], entry: int) -> None:
        """The command of that number has to wait for its result."""
        self._waiting[entry] = key, Keyed(said, entry=entry)

    def pop_waiting(self, result: CommandResult) -> tuple[str, tuple[str, ...]] | None:
        """A command that waited has its result: its key and what identifies it, where it has a key
        and was carried out."""
        found = self._waiting.pop(result.entry, None)
        return None if found is None or result.refused else (found[0], found[1].said)

    def remember(self, key: str, said: tuple[str, ...], answer: JsonObject) -> None:
        """Remember the answer; the oldest one is forgotten."""
        packed = zlib.compress(canonical(answer).encode("ascii"))
        self._kept.pop(key, None)
        self._kept[key] = Keyed(said, packed)
        while len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]

    def dump(self) -> list[object]:
        """Key, identity and answer of each, the oldest first, as a snapshot stores them."""
        return [
            [key, list(keyed.said), b64encode(keyed.answer).decode("ascii")]
            for key, keyed in self._kept.items()
        ]

    def load(self, plain: object) -> None:
        """Take what :meth:`dump` gave.

        Raises:
            ValueError, TypeError: it is not that.
        """
        for key, said, answer in checked(list[list[object]], plain, "answers"):
            identified = tuple(checked(list[str], said, "said"))
            self._kept[str(key)] = Keyed(identified, b64decode(checked(str, answer, "answer")))


def identity(event: PersonCommanded) -> tuple[str, ...]:
    """What makes a command the same as another one."""
    why = event.why if isinstance(event, SupervisorCommanded) else None
    return event.type, event.command, event.by or "", why or "", *event.giver.key


def unpacked(answer: bytes) -> Mapping[str, object]:
    """A remembered answer."""
    return decode(zlib.decompress(answer).decode("ascii"))
