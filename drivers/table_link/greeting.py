"""Who answered HELLO: whether it is what the port is for, and how it is reported (section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drivers.api import Identity, Value
from drivers.printable import is_plain
from drivers.table_link import timing
from drivers.table_link.link_events import Up
from drivers.vocabulary import KINDS, PLAIN_KINDS, kind_on_the_wire

SERIAL_LENGTH: Final = 12
"""Characters of a serial number in HELLO."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """The answer to HELLO; the names are those of its body."""

    kind: int
    minor: int
    session_id: int
    oldest_unacked: int
    last_event: int
    capabilities: int
    firmware: tuple[int, ...]
    serial: str
    digest: str

    @classmethod
    def from_fields(cls, fields: Mapping[str, Value]) -> Greeting:
        """From the decoded body, whose layout gives each field its type."""
        return cls(**fields)  # type: ignore[arg-type]

    def other_kind(self, expected_kind: str) -> str:
        """The kind that answers, where it is one and not the one expected; else ""."""
        kind = KINDS.get(self.kind, "")
        return "" if kind == kind_on_the_wire(expected_kind) else kind

    def objection(self, expected_kind: str, expected_serial: str = "") -> tuple[str, float] | None:
        """Why this device cannot be used, and after how many seconds to ask again.

        ``expected_serial`` is the serial number that is configured, empty for any. A USB unit's
        string descriptor, by which it was found, and HELLO carry the same one (section 2); HELLO
        has room for :data:`SERIAL_LENGTH` characters of it.
        """
        expected = PLAIN_KINDS[expected_kind]
        kind = KINDS.get(self.kind)
        if kind != kind_on_the_wire(expected_kind):
            found = PLAIN_KINDS[kind] if kind else f"device of kind {self.kind}"
            reason = f"a {found} answers where a {expected} was expected"
            return reason, timing.WRONG_KIND_HELLO_EVERY_S
        if not is_plain(self.serial):
            told = ascii(self.serial)
            reason = f"the {expected} tells a serial number that is no printable ASCII: {told}"
            return reason, timing.WRONG_KIND_HELLO_EVERY_S
        if expected_serial and self.serial != expected_serial[:SERIAL_LENGTH]:
            reason = f"the {expected} {self.serial} answers where {expected_serial} was expected"
            return reason, timing.WRONG_KIND_HELLO_EVERY_S
        if self.session_id == 0:
            return f"the {expected} names no session of events", timing.HELLO_EVERY_S
        return None

    @property
    def identity(self) -> Identity:
        """Who it is."""
        kind = KINDS.get(self.kind, f"unknown kind {self.kind}")
        return Identity(kind, self.serial, self.firmware, self.digest, self.capabilities)

    def up(self, *, new_session: bool, first: bool, taken: int) -> Up:
        """The report that the link is up."""
        return Up(
            self.identity,
            session=self.session_id,
            new_session=new_session,
            first=first,
            last_event=self.last_event,
            taken=taken,
        )
