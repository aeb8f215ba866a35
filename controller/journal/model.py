"""An entry of the journal, before it is written (:class:`Draft`) and after (:class:`Entry`).
The rules:

- A device's event has ``device``, ``session``, ``event_no`` and ``t_ms``; its ``type`` is the
  message's name (``CARD``). Other entries about a device may name device and session.
- A draw has the type ``draw`` and an ``offer``; nothing else has either.
- ``renumbered`` stands on the entry that tells of a link whose device numbers the events of a
  session it has used before from lower numbers again (Table Link section 4: the answered
  ``last_event`` is below what is stored). It alone lets an event number of that session be
  stored a second time; without it the database refuses the second card 17 for ever, also when a
  shoe that was lent to another table comes back with the session it left with.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from controller.forms.json_values import JsonObject
from controller.journal.errors import BadDraft

DRAW = "draw"  # the type of the entry that holds an offer's draw, and of no other
SEALING: Final = "sealing"
"""Key, in the body of a start record, of what the start says of signing. Like the next ones also in
the first entry of a journal that goes on from an archived one."""

FOUND: Final = "found"  # key of what starts have found wrong
VERSIONS: Final = "versions"  # key of the number by which the journal is stored, among others
FORMAT: Final = "format"
"""Key, among these, of the form of the journal (:data:`controller.journal.schema.FORMAT`)."""

TREE: Final = "tree"  # key of the tree over the archived entries; in such a first entry alone


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be written. ``body`` holds what :mod:`controller.journal.canonical` allows;
    ``t_ms`` is in the device's milliseconds since its start. Raises :class:`BadDraft` when the
    fields contradict each other."""

    type: str
    body: JsonObject
    device: str | None = None
    session: int | None = None
    event_no: int | None = None
    t_ms: int | None = None
    offer: int | None = None
    renumbered: bool = False

    def __post_init__(self) -> None:
        if not self.type:
            raise BadDraft("a journal entry needs a type")
        if (self.type == DRAW) != (self.offer is not None):
            raise BadDraft(
                f"entry of type {self.type!r} with offer {self.offer!r}: "
                "a draw has an offer, and only a draw"
            )
        if self.event_no is not None:
            if self.device is None or self.session is None or self.t_ms is None:
                raise BadDraft(
                    f"device event {self.type!r} needs device, session, event_no and t_ms; "
                    f"got {self.device!r}, {self.session!r}, {self.event_no!r}, {self.t_ms!r}"
                )
            if self.renumbered:
                raise BadDraft("'renumbered' stands on the link's entry, not on an event")
        elif self.renumbered and (self.device is None or self.session is None):
            raise BadDraft("'renumbered' needs the device and the session that it is about")


@dataclass(frozen=True, slots=True)
class Entry:
    """What was written: a draft, its place, and the digest of everything up to it.

    ``boot`` counts the kernel's boots as this journal has seen them, from 1; ``mono_ns`` is the
    monotonic clock of that boot in nanoseconds; ``wall`` is ISO 8601 text and only a remark, since
    a controller without a clock chip goes back in time after a power cut. ``numbering`` counts the
    renumberings of the entry's session; None when the entry neither is an event nor tells of one.
    """

    seq: int
    boot: int
    mono_ns: int
    wall: str
    draft: Draft
    numbering: int | None
    digest: bytes

    @property
    def type(self) -> str:
        """The entry's type."""
        return self.draft.type

    @property
    def body(self) -> JsonObject:
        """The entry's body."""
        return self.draft.body

    @property
    def device(self) -> str | None:
        """The device that the entry is about, by its name in the configuration."""
        return self.draft.device

    @property
    def session(self) -> int | None:
        """The device's event session."""
        return self.draft.session

    @property
    def event_no(self) -> int | None:
        """The number of the device's event within its session."""
        return self.draft.event_no

    @property
    def t_ms(self) -> int | None:
        """The device's milliseconds since its start."""
        return self.draft.t_ms

    @property
    def offer(self) -> int | None:
        """The offer that a draw answers."""
        return self.draft.offer


class Head(NamedTuple):
    """The journal's last entry: ``seq`` (0 for none) and the digest of all up to it."""

    seq: int
    digest: bytes


class Predecessor(NamedTuple):
    """The last entry of the journal that another one goes on from: that journal's ``identity``
    (16 bytes), the entry's number and digest."""

    identity: bytes
    seq: int
    digest: bytes


class Boot(NamedTuple):
    """A boot of the controller as the journal has counted it. ``boot_id`` is the kernel's own name
    for it; ``after_seq`` the last entry before it."""

    boot: int
    boot_id: str
    wall: str
    after_seq: int


def read_written(wall: str) -> datetime | None:
    """The time that an entry of the journal was given; None where it says none."""
    try:
        written = datetime.fromisoformat(wall)
    except ValueError:
        return None
    return written if written.tzinfo is not None else None
