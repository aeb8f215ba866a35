"""Defects of what is stored: each is a macro of ``stored.pml`` and a bench whose code has the same
one, never the code itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from controller.daemon.journaling.sealing import Sealing
from controller.evidence import at_start
from controller.evidence.heads import SignedHead, append_head
from controller.journal import commits, schema
from controller.journal.events import prepare
from controller.journal.model import Draft, Entry
from controller.journal.reader import JournalReader
from controller.journal.store import Journal
from controller.upkeep import recover as recovery
from controller.upkeep.next_start import mark
from proof.models.playing import Defect
from proof.models.stored.bench import PowerCut, StoredBench
from proof.models.stored.files import Life
from proof.models.stored.forger import WALL


class RowApart(StoredBench):
    """The row follows its entry in a transaction of its own."""

    def _append(self, life: Life, draft: Draft) -> Sequence[Entry]:
        self.row_due = True
        with patch.object(Journal, "_sign", lambda *_: None):
            return life.journal.append([draft], 1, WALL)

    def _step_row(self) -> None:
        journal = self._alive().journal
        journal.connection.execute("BEGIN IMMEDIATE")
        schema.mend_signed(journal.connection)
        last = journal.head
        at = last.seq, last.digest
        commits.store_signature(journal.connection, self.key, journal.identity, at, WALL)
        journal.connection.execute("COMMIT")
        self.row_due = False

    def _step_kill(self) -> None:
        super()._step_kill()
        self.row_due = False


def _next(life: Life) -> bytes:
    """The digest that the entry which waits will have."""
    journal = life.journal
    assert life.draft is not None
    entries, _ = prepare([life.draft], journal._boot, journal._head, {}, 1, WALL)
    return entries[0].digest


class AcknowledgeEarly(StoredBench):
    """What is asked is acknowledged before it is stored."""

    def _tells(self, life: Life) -> bool:
        return life.process > 1 and bool(life.waiting) and self.made < self.bounds["ENTRIES"]

    def _step_told(self) -> None:
        self.acked = _next(self._alive())

    def _step_commit(self) -> None:
        super()._step_commit()
        self._alive().untold = False


class HeadEarly(StoredBench):
    """A head is signed for what is about to be stored."""

    def _seals(self, life: Life) -> bool:
        return bool(life.waiting) and self.made < self.bounds["ENTRIES"]

    def _step_seal(self) -> None:
        life = self._alive()
        life.due = life.journal.head.seq + 1
        name, digest = life.journal.identity.hex(), _next(life).hex()
        head = SignedHead(name, "T1", life.due, digest, 1, WALL).signed(self.key)

        def write() -> str:
            append_head(self.heads, head)
            return ""

        life.asked.append((write, lambda _: None))


class RowWithSlice(StoredBench):
    """Every slice of the copy brings the row along, whether it reaches its entry or not."""

    def _copy_slice(self, life: Life, most: int) -> None:
        super()._copy_slice(life, most)
        row, _ = commits.read_row(life.reader.connection)
        assert row is not None
        commits.copy(life.copy._connection, row)


class TakeAll(StoredBench):
    """A recovery takes all that the copy has."""

    def recover(self) -> None:
        """Without an end at the row."""
        with JournalReader(self.copy) as reader:
            row, _ = commits.read_row(reader.connection)
        put = recovery._make_durable

        def with_row(made: Path, last: int) -> None:
            assert row is not None
            with closing(sqlite3.connect(made, isolation_level=None)) as target:
                commits.copy(target, row)
            put(made, last)

        with (
            patch.object(recovery, "_signed", lambda *_: None),
            patch.object(recovery, "_make_durable", with_row),
        ):
            super().recover()


class CopyStays(StoredBench):
    """A recovery leaves the copy as it is, also where it goes on behind what was taken."""

    def recover(self) -> None:
        """Nothing is put aside."""
        with patch.object(recovery, "_put_aside", lambda _: ()):
            super().recover()


class MarkLate(StoredBench):
    """A recovery's mark is made when the journal is in its place."""

    late = ""

    def recover(self) -> None:
        """And where the power fails before, it is not."""
        with patch.object(recovery, "mark", lambda _, what: setattr(self, "late", what)):
            super().recover()
        if self._mark_fails:
            raise PowerCut
        mark(self.directory, self.late)

    _mark_fails = False

    def _step_recover_cut_marked(self) -> None:
        self._mark_fails = True
        with suppress(PowerCut):
            self._recovering("")
        self._mark_fails = False


class SuccessorUnsigned(StoredBench):
    """A journal that goes on has no row before its first start."""

    def _step_close_begin(self) -> None:
        with patch.object(commits, "store_signature", lambda *_: None):
            super()._step_close_begin()


class SnapshotForgets(StoredBench):
    """A journal that goes on does not say that the offer is drawn."""

    def _carried(self, drawn: bool) -> bool:
        return False


class Blind(StoredBench):
    """A start does not look at the row."""

    def _look_at_signatures(self, journal: Journal) -> Sealing:
        cover = replace(journal.cover(self.keys), wrong="")
        with patch.object(Journal, "cover", lambda *_: cover):
            return super()._look_at_signatures(journal)


class NoHeads(StoredBench):
    """A start does not look whether the journal has what the last head names."""

    def _look_at_signatures(self, journal: Journal) -> Sealing:
        def read_only(*arguments: Any, **_: object) -> list[tuple[str, str]]:
            last = arguments[4]
            with suppress(FileNotFoundError):
                last(self.heads, self.keys)
            return []

        with patch.object(at_start, "check_heads", read_only):
            return super()._look_at_signatures(journal)


def _bounds(**others: int) -> Mapping[str, int]:
    return {"ENTRIES": 4, "FAULTS": 0, "ATTACKS": 0, "CLOSES": 0, **others}


DEFECTS: Final[Mapping[str, Defect[StoredBench]]] = {
    "ROW_APART": Defect(_bounds(), 20, RowApart),
    "ACK_EARLY": Defect(_bounds(), 20, AcknowledgeEarly),
    "HEAD_EARLY": Defect(_bounds(), 20, HeadEarly),
    "ROW_WITH_SLICE": Defect(_bounds(), 20, RowWithSlice),
    "TAKE_ALL": Defect(_bounds(FAULTS=1), 20, TakeAll),
    "COPY_STAYS": Defect(_bounds(FAULTS=1), 20, CopyStays),
    "MARK_LATE": Defect(_bounds(FAULTS=1), 20, MarkLate),
    "SUCCESSOR_UNSIGNED": Defect(_bounds(CLOSES=1), 20, SuccessorUnsigned),
    "SNAPSHOT_FORGETS": Defect(_bounds(ENTRIES=5, CLOSES=1), 25, SnapshotForgets),
    "BLIND": Defect(_bounds(ATTACKS=1), 20, Blind),
    "NO_HEADS": Defect(_bounds(ENTRIES=3, ATTACKS=2), 15, NoHeads),
}
"""By the macro of the model."""
