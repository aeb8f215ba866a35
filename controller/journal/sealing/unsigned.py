"""Entries that no head followed for longer than the controller takes, and heads that entries name.

The rules:

- A head that was written durably is named by an entry of type ``head`` behind it, and the last one
  of all by the record of the next start (:func:`named_in`). A head that an entry names and that is
  not among the heads was taken away.
- While something happens a head is signed every half minute, or it is said that heads cannot be
  written (``heads-failing``). So in one run of the controller no entry stays for longer than
  :data:`UNSIGNED_S` without an entry that names a head: whoever rewrites the journal's end has to
  take away the heads of what he rewrote, and cannot make others. An entry ``head`` is no happening:
  an idle table signs nothing.
- Times are written by whoever writes entries. So rounds count as well: a head is signed behind each
  round's end, and :data:`UNSIGNED_ROUNDS` finished rounds for which none is named are too many,
  over however many starts and boots. A boot begins with a start, and each head is named once.
- Earlier versions named no heads. Their entries are not judged: the walk begins with the first
  entry that names one, or where the caller says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.journal.model import Entry
from controller.journal.sealing.recorded import SEALING

HEAD: Final = "head"
"""The type of an entry that names a head."""

NAMED: Final = "head"
"""Key of what a start record tells of its heads: the last one that it found, or None."""

CUT: Final = "journal-cut"
DIFFERS: Final = "journal-differs-from-head"
DOUBTED: Final = "heads-doubted"
DOUBTS: Final = frozenset((CUT, DIFFERS, DOUBTED))
"""Faults that hold the table: nothing is signed before a supervisor has ended them."""

FAILING: Final = "heads-failing"

UNSIGNED_S: Final = 90.0
"""For so long, in seconds, entries may follow one for which no head was signed: three times as long
as the controller takes, or takes to say that heads cannot be written."""


@dataclass(frozen=True, slots=True)
class NamedHead:
    """A head as an entry names it: for the entry ``seq``, with that ``signature``."""

    seq: int
    signature: str


UNSIGNED_ROUNDS: Final = 3
"""Two are possible where a medium is slow and the power is cut."""

_FINISHED: Final = frozenset({"settled", "void"})


@dataclass(frozen=True, slots=True)
class Stretch:
    """Entries ``first`` to ``last``, which no head followed: ``what`` shows that one is missing;
    ``said`` that heads could not be written or were doubted."""

    first: int
    last: int
    what: str
    said: bool = False

    def __str__(self) -> str:
        return f"from entry {self.first} to {self.last}: {self.what}"


def named_in(entry: Entry) -> NamedHead | None:
    """The head that an entry names; None where it names none."""
    told: object = None
    if entry.type == HEAD:
        told = entry.body
    elif entry.type == "start" and isinstance(sealing := entry.body.get(SEALING), Mapping):
        told = sealing.get(NAMED)
    if not isinstance(told, Mapping):
        return None
    seq, signature = told.get("seq"), told.get("signature")
    return NamedHead(seq, signature) if type(seq) is int and isinstance(signature, str) else None


@dataclass(slots=True)
class Unsigned:
    """A walk over entries in order. ``judging``: from the first entry on, and not only from the
    first that names a head."""

    judging: bool = False
    _boot: int = 0
    _begun: Entry | None = None
    _faults: set[str] = field(default_factory=set)
    _said: bool = False
    _told: bool = False
    _state: str = ""
    _rounds: int = 0
    _since: int = 0
    _named: int = -1

    def take(self, entry: Entry) -> Stretch | None:
        """Take the next entry; the stretch that it makes too long, told once."""
        named = named_in(entry)
        again = entry.type == HEAD and named is not None and named.seq <= self._named
        if named is not None:
            self.judging = True
            self._named = max(self._named, named.seq)
            if named.seq >= self._since:  # by a start record as well, behind a crash
                self._rounds, self._since = 0, 0
        before, self._boot = self._boot, entry.boot
        if entry.type == "start" or entry.boot != before:
            self._begun, self._told = None, False
        self._mind_faults(entry)
        if again:
            return Stretch(entry.seq, entry.seq, "a head that was named before is named again")
        if entry.type == HEAD and named is not None:
            if self._begun is None or named.seq >= self._begun.seq:
                self._begun, self._told, self._said = None, False, False
                self._faults.clear()
            return None
        if before and entry.boot != before and entry.type != "start" and self.judging:
            return Stretch(entry.seq, entry.seq, "a boot begins without a start")
        if self._begun is None:
            self._begun, self._told, self._said = entry, False, bool(self._faults)
        return self._too_long(self._begun, entry)

    def _mind_faults(self, entry: Entry) -> None:
        """What the journal says of why no head is signed: for as long as any of it stood."""
        fault = entry.body.get("fault") if entry.type == "condition" else None
        if isinstance(fault, str) and fault in DOUBTS | {FAILING}:
            if entry.body.get("present") is True:
                self._faults.add(fault)
                self._said = True
            else:
                self._faults.discard(fault)

    def _too_long(self, begun: Entry, entry: Entry) -> Stretch | None:
        after = entry.body.get("after")
        told = after.get("state") if isinstance(after, Mapping) else None
        state = told.removeprefix("held.") if isinstance(told, str) else self._state
        if state in _FINISHED and self._state not in _FINISHED:
            self._rounds += 1
            self._since = self._since or entry.seq
        self._state = state
        lasted = (entry.mono_ns - begun.mono_ns) / 1e9
        if not self.judging or self._told:
            return None
        if self._rounds >= UNSIGNED_ROUNDS:
            what, first = f"{self._rounds} rounds were finished", self._since
            self._rounds, self._since = 0, 0
        elif lasted > UNSIGNED_S:
            what, first = f"it went on for {lasted:.0f} s and longer", begun.seq
        else:
            return None
        self._told = True
        return Stretch(first, entry.seq, what, self._said)
