"""What is read and written for witnesses and floor beside the loop.

The rules:

- Entries and proofs are read by one thread at a time, which rests as a search for a round does
  (:mod:`controller.daemon.journaling.played_rounds`): no more than a fifth of one processor.
- Entries of closed journals are handed out as well, as long as those are here.
- A proof is checked before it is handed out: who refuses it knows another history.
- The cosignatures that are kept are read at the start and written one time after the other
  (:mod:`controller.evidence.tree.cosignature`). A medium that cannot be read or written costs
  neither a start nor play: what was lost the witnesses say again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.control.handler import BadCommand, RequestRefused
from controller.daemon.journaling.played_rounds import WITHIN_S, PlayedRounds
from controller.daemon.outside import Outside
from controller.evidence.tree.checkpoint import Checkpoint
from controller.evidence.tree.cosignature import GoodCosignature, latest, read_kept, write_kept
from controller.evidence.tree.entries import TREE_FILE, EntryTree, NodeFile, NoNode
from controller.evidence.tree.merkle import is_subtree, root_of
from controller.evidence.tree.proving import WrongTree, contained, extension
from controller.files.media import MediumQuestion
from controller.journal.export import lines
from controller.journal.reader import ARCHIVE, JournalReader, older, parts_of
from controller.replay.finding import SearchPace
from controller.upkeep.signing import ANSWERED_S

_log = logging.getLogger(__name__)


class Remembering:
    """Those in the file at ``path``, in the order of sizes in ``kept``."""

    def __init__(self, path: Path, outside: Outside, loop: asyncio.AbstractEventLoop) -> None:
        self._path = path
        self._outside = outside
        self._loop = loop
        self._writing = self._again = False
        self.kept: list[GoodCosignature] = []

    def load(self) -> None:
        """Read them, within the time that a start gives a medium."""
        try:
            self.kept = MediumQuestion(lambda: read_kept(self._path)).answer(ANSWERED_S)
        except OSError as error:
            why = cause_of(error, self._path, wants=READ)
            _log.warning("%s: %s; witnesses are asked anew", self._path, why)

    def add(self, new: GoodCosignature) -> None:
        """Keep one more."""
        self.kept = latest([*self.kept, new])
        self._again = True
        if not self._writing:
            self._write()

    def _write(self) -> None:
        kept, self._again, self._writing = self.kept, False, True
        self._outside.aside(
            self._loop,
            lambda: _write_error(self._path, kept),
            self._is_written,
            lambda error: str(cause_of(error, self._path)),
        )

    def _is_written(self, wrong: str) -> None:
        self._writing = False
        if wrong:
            _log.warning("cosignatures are not kept: %s", wrong)
        elif self._again:
            self._write()


def _write_error(path: Path, kept: Collection[GoodCosignature]) -> str:
    try:
        write_kept(path, kept)
    except OSError as error:
        return f"{path}: {cause_of(error, path)}"
    return ""


MOST: Final = 256
"""Entries that are handed out at once."""
MOST_BYTES: Final = 1 << 20
"""Beyond this no further one is handed out with them."""


class HandingOut:
    """Out of the journal in ``directory``, and those before it there or in ``taken``."""

    def __init__(self, directory: Path, taken: Path | None) -> None:
        self._directory = directory
        self._places = [directory / ARCHIVE, *([taken] if taken else [])]
        self._reading = PlayedRounds(directory)
        self.end, self.join = self._reading.stop, self._reading.join

    async def entries(self, after: int, most: int) -> list[str]:
        """See :meth:`controller.daemon.witnesses.Witnesses.entries`."""
        if not 1 <= most <= MOST:
            raise BadCommand(f"most: expected 1 to {MOST}", "unreadable-command")

        def read_texts(reader: JournalReader, pace: SearchPace) -> list[str]:
            found: list[str] = []
            with self._line(reader, after) as line:
                if after < line[0].begins:
                    raise RequestRefused(
                        f"entries {after + 1} to {line[0].begins} are in a closed journal that is "
                        "not here any more",
                        code="taken-away",
                    )
                size = 0
                for text in pace(
                    chain.from_iterable(lines(*part) for part in parts_of(line, after))
                ):
                    size += len(text)
                    if found and (len(found) == most or size > MOST_BYTES):
                        break
                    found.append(text)
            return found

        return await self._reading.search(read_texts, WITHIN_S, "journal export")

    async def proof(self, old: int, new: Checkpoint) -> list[str]:
        """In base64, that the tree of ``new`` begins with that of ``old``; or RequestRefused."""
        if old in (0, new.size):
            return []

        def prove(tree: EntryTree) -> list[str]:
            return extension(tree, _earlier(tree, old, new), new)

        return await self._proven(old, prove, f"nothing can be proven from entry {old}")

    async def subtree(self, start: int, end: int, size: int, newest: Checkpoint) -> list[str]:
        """The proof, in base64, that the entries ``start`` + 1 to ``end`` are a subtree of the tree
        of ``size`` entries, with which that of ``newest`` begins; BadCommand where there is no such
        subtree, RequestRefused where the proof cannot be had."""
        if not (is_subtree(start, end) and end <= size <= newest.size):
            raise BadCommand(
                f"start, end, size: expected a subtree, and a size from its end to {newest.size}",
                "unreadable-command",
            )

        def prove(tree: EntryTree) -> list[str]:
            whole = _earlier(tree, size, newest)
            extension(tree, whole, newest)
            return contained(tree, start, end, whole)

        what = f"entries {start + 1} to {end} cannot be proven"
        return await self._proven(start, prove, what)

    async def _proven(
        self, after: int, prove: Callable[[EntryTree], list[str]], unproven: str
    ) -> list[str]:
        """A proof that needs the entries behind that one; ``unproven`` says that there is none."""

        def read_proof(reader: JournalReader, pace: SearchPace) -> list[str]:
            with self._line(reader, after) as line, NodeFile(self._directory / TREE_FILE) as nodes:
                try:
                    proof = prove(EntryTree(line, nodes, pace=pace))
                except NoNode as error:
                    raise _unproven(unproven, f"{error}") from error
                except WrongTree as error:
                    wrong = f"{nodes.path} does not lead to what was signed"
                    raise _unproven(unproven, wrong) from error
            list(pace(iter((None,))))  # a rest for what that has taken besides
            return proof

        return await self._reading.search(read_proof, WITHIN_S, "journal prove")

    @contextmanager
    def _line(self, reader: JournalReader, after: int) -> Iterator[Sequence[JournalReader]]:
        if after >= reader.begins:
            yield [reader]
            return
        places = [place for place in self._places if place.is_dir()]
        with older(reader, *places) as (before, _):
            yield [*before, reader]


def _earlier(tree: EntryTree, size: int, newest: Checkpoint) -> Checkpoint:
    return Checkpoint(newest.origin, size, root_of(size, tree.node))


def _unproven(what: str, why: str) -> RequestRefused:
    return RequestRefused(f"{what}: {why}", code="cannot-be-proven")
