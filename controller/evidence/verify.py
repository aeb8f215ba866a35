"""The whole journal checked: that nothing was changed, removed, added or put elsewhere. The rules:

- Every entry's digest is computed again from the digest of the entry before it *as stored*. So one
  changed entry is one finding at its number, and not one at every entry after it.
- What the chain cannot show is asked besides: numbers without gaps, boots and clocks in order, one
  draw per offer, no event twice, the triggers and indexes still in place, each index with the
  entries that it should have and no others, no free page, SQLite's own ``integrity_check``.
- A chain alone does not show that its tail was cut off, nor that all of it was rewritten.
  Digests known from elsewhere (a signed checkpoint, a printout) do: they are given as ``anchors``.
- What was verified once need not be read again every night: ``since`` is the entry up to which it
  was, with the digest that it had then. One that has another by now is a finding, and all is read.
- Playing the entries again and comparing states is another part's work: it is handed every entry
  that could be read, in order, through ``on_entry``, and its findings are of the same shape.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from controller.draw.evidence import Evidence
from controller.evidence.scrub import problems_of_pages
from controller.journal import rows, schema
from controller.journal.canonical import canonical
from controller.journal.chain import SHRINKS, began_with, follows, shrinks, wrong_settings
from controller.journal.errors import JournalError
from controller.journal.events import carried
from controller.journal.export import record
from controller.journal.model import Boot, Entry, Head
from controller.journal.reader import JournalReader
from controller.replay.counted_table import CountedTable
from controller.replay.replay import Replay

OnEntry = Callable[[Entry], Iterable[str]]
"""Takes an entry, returns what is wrong with it in plain words (nothing: all is well)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong: at entry ``seq``, or with the file as a whole (None)."""

    seq: int | None
    what: str

    def __str__(self) -> str:
        return self.what if self.seq is None else f"entry {self.seq}: {self.what}"


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """What a verification looked at and found. ``head`` is the digest of the last entry in
    hexadecimal, to be compared or signed elsewhere; ``remarks`` are no faults, but somebody may
    want to know. Of the findings ``doubts`` are what starts have found; ``heads`` is the number of
    good heads that the journal was held against."""

    entries: int
    last_seq: int
    head: str
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...] = ()
    doubts: tuple[Finding, ...] = ()
    heads: int = 0

    @property
    def well(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def before(self, other: VerificationReport) -> VerificationReport:
        """The report of what goes on from this, together with this one."""
        return replace(
            other,
            entries=self.entries + other.entries,
            findings=(*self.findings, *other.findings),
            remarks=(*self.remarks, *other.remarks),
            heads=self.heads + other.heads,
        )


def verify(
    reader: JournalReader,
    anchors: Mapping[int, bytes] | None = None,
    on_entry: OnEntry | None = None,
    *,
    since: Head | None = None,
    upto: int | None = None,
    pages: bool = True,
) -> VerificationReport:
    """Check everything up to the entry ``upto`` (None: the last at the time of the call), or what
    came after ``since``; the table may play on. ``pages`` has SQLite check its own pages as well,
    which is one long look.

    ``anchors`` are digests known from elsewhere by entry number. Never raises for a damaged
    journal: damage is what it reports.
    """
    walk = _Walk(reader, anchors or {}, on_entry, since, upto)
    findings: list[Finding] = []
    checks: list[Callable[[], Iterator[Finding]]] = [
        walk.findings,
        lambda: _schema(reader.connection),
    ]
    if pages:
        found = problems_of_pages(reader.connection)
        where = f"the pages of {reader.path}"
        checks.append(lambda: (Finding(None, f"{where}: {line}") for line in found))
    for check in checks:
        try:
            findings.extend(check())
        # SQLite's message may quote bytes that are no text: a ValueError.
        except (sqlite3.DatabaseError, TypeError, ValueError) as error:
            findings.append(
                Finding(None, f"{reader.path} cannot be read beyond entry {walk.seq}: {error}")
            )
    if reader.stale:
        findings.append(
            Finding(
                None, "a controller was started meanwhile: what was read may be half old, repeat"
            )
        )
    remarks = (SHRINKS,) if not findings and shrinks(reader.connection) else ()
    return VerificationReport(walk.count, walk.seq, walk.digest.hex(), tuple(findings), remarks)


@dataclass(slots=True)
class _Walk:
    """One walk over all entries, with what has to be remembered from one to the next."""

    reader: JournalReader
    anchors: Mapping[int, bytes]
    on_entry: OnEntry | None
    since: Head | None = None
    upto: int | None = None
    count: int = 0
    first: int = 1
    seq: int = 0
    digest: bytes = b""
    boot: int = 0
    mono_ns: int = 0
    boots: dict[int, Boot] = field(default_factory=dict)
    draws: dict[int, int] = field(default_factory=dict)
    events: dict[tuple[object, object, object], int] = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        """Walk from the first entry to the last."""
        connection = self.reader.connection
        upto = rows.head(connection)[0] if self.upto is None else self.upto
        self.first = rows.beginning(connection) + 1
        self.seq, self.digest = self.first - 1, rows.origin(connection)
        # Where they cannot be read the first entry was changed, which the walk says of it.
        with suppress(ValueError, TypeError, RecursionError):
            for (device, session), known in carried(connection).items():
                self.events[device, session, known.numbering] = known.event_no
        self.boots = rows.boots_by_number(connection)
        after = -(1 << 63)  # below the first, where nothing belongs and something may have been put
        if self.since is not None and self.since.seq >= self.first:
            if (row := rows.row_at(connection, self.since.seq)) and row[12] == self.since.digest:
                after = self.seq = self.since.seq
                self.digest, self.boot, self.mono_ns = row[12], row[1], row[2]
            else:
                yield Finding(
                    self.since.seq, "is missing, or is another one than was verified here before"
                )
        for page in rows.pages(connection, after, upto):
            for row in page:
                yield from (Finding(seq, what) for seq, what in self._row(row))
        for boot in rows.without_entry(connection, list(self.boots.values())):
            yield Finding(None, f"boot {boot.boot} is in the table of boots, and has no entry")
        for seq in sorted(self.anchors):
            if seq > self.seq:
                yield Finding(
                    seq, f"is known from elsewhere, but the journal ends with entry {self.seq}"
                )

    def _row(self, row: rows.Row) -> Iterator[tuple[int, str]]:
        seq, boot, mono_ns = row[:3]
        next_one = seq == self.seq + 1
        if not next_one:
            yield from self._gap(seq)
        yield from ((seq, what) for what in self._clock(boot, mono_ns))
        if next_one and boot != self.boot and not began_with(self.boots.get(boot), row):
            yield seq, f"is the first of boot {boot}, whose beginning was changed"
        # After a gap the digest that this entry was chained to is gone with the missing one.
        if next_one and not follows(row, self.boots, self.digest):
            yield seq, "was changed, or does not follow from the entry before it (digest differs)"
        if self.anchors.get(seq, row[12]) != row[12]:
            yield seq, "has another digest than the one known from elsewhere"
        yield from ((seq, what) for what in self._contents(row))
        self.count += 1
        self.seq, self.digest, self.boot, self.mono_ns = seq, row[12], boot, mono_ns

    def _gap(self, seq: int) -> Iterator[tuple[int, str]]:
        if seq < self.first:
            yield seq, "stands before the first entry, where none belongs"
        elif seq == self.seq + 2:
            yield self.seq + 1, "is missing"
        elif seq > self.seq:
            yield self.seq + 1, f"is missing, with all up to entry {seq - 1}"

    def _clock(self, boot: int, mono_ns: int) -> Iterator[str]:
        if boot not in self.boots:
            yield f"belongs to boot {boot}, which the journal does not know"
        if boot < self.boot:
            yield f"belongs to boot {boot}, the entry before it to boot {self.boot}"
        elif boot == self.boot and mono_ns < self.mono_ns:
            yield f"was made at {mono_ns} ns of its boot, before the entry that it follows"

    def _contents(self, row: rows.Row) -> Iterator[str]:
        seq = row[0]
        try:
            entry = rows.entry_of(row)
            if canonical(entry.body) != row[11]:
                yield "has a body that is not in canonical form"
        except (JournalError, ValueError, RecursionError) as error:
            yield f"cannot be read: {error}"
            return
        if entry.offer is not None:
            first = self.draws.setdefault(entry.offer, seq)
            if first != seq:
                yield f"is a second draw for offer {entry.offer}, drawn by entry {first}"
        if entry.event_no is not None:
            key = entry.device, entry.session, entry.numbering
            last = self.events.get(key, 0)
            if entry.event_no <= last:
                yield (
                    f"is event {entry.event_no} of {entry.device}, session {entry.session}, "
                    f"but event {last} was stored before it"
                )
            self.events[key] = entry.event_no
        if self.on_entry is not None:
            yield from self.on_entry(entry)


def _schema(connection: sqlite3.Connection) -> Iterator[Finding]:
    """Tables, indexes and triggers, and the settings in its header: what keeps a start from playing
    on it is a finding here."""
    yield from (Finding(None, wrong) for _, wrong in schema.differing(connection))
    yield from (Finding(None, wrong) for wrong in wrong_settings(connection))


MOST_TOLD: Final = 100  # differences of each sort beyond these are only counted


class ReplayCheck:
    """Plays the journal again beside its verification: from its beginning, or from ``counted``."""

    def __init__(self, counted: CountedTable | None = None) -> None:
        self._replay = Replay(counted)
        self._evidence = Evidence()
        self._faults = 0
        self.other_engine: list[str] = []
        self.other_count = 0

    def note_earlier(self, entry: Entry) -> None:
        """An entry from before ``counted``: a draw or a correction behind it may be about it."""
        self._evidence.check_line(record(entry))

    def check_entry(self, entry: Entry) -> list[str]:
        """Faults of an entry: a draw that does not follow, and differences under the engine that
        it was played with."""
        try:
            faults = self._evidence.check_line(record(entry))
            differences = self._replay.replay_entry(entry)
        except Exception as error:  # a changed entry may hold anything
            faults, differences = [f"cannot be replayed: {error!r}"], []
        if self._replay.same_engine:
            faults += differences
        else:
            self.other_count += len(differences)
            shown = (f"entry {entry.seq}: {what}" for what in differences)
            self.other_engine += list(shown)[: MOST_TOLD - len(self.other_engine)]
        return self._counted(faults)

    def _counted(self, faults: list[str]) -> list[str]:
        shown = faults[: max(MOST_TOLD - self._faults, 0)]
        if self._faults <= MOST_TOLD < self._faults + len(faults):
            shown.append(
                "has more such faults, and there may be others behind it: no more are told"
            )
        self._faults += len(faults)
        return shown
