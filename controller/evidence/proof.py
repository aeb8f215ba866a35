"""Proofs without the whole journal: of one round, and that a checkpoint was extended; the newest
signed checkpoint, that of the last signed head, with the cosignatures of witnesses. The rules:

- A proof is checked here before it is handed out. Where the file of nodes is damaged the proof is
  made from the entries alone.
- A round in an archived journal is proven where the archive is named. Nodes that are not kept any
  more are then computed from the entries, a minute or so for some million.
- An extension is that of the newest checkpoint, or of another one that is named: of a running table
  the newest is soon another than that of a round's proof. Either may be the text of a checkpoint,
  or the proof of a round, whose checkpoint counts.
- A proof's checkpoint is the newest, or where witnesses have not cosigned that, the one that most
  of them have cosigned.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.evidence.heads import last_head
from controller.evidence.tree.checkpoint import (
    BadCheckpoint,
    Checkpoint,
    name_of,
    read_checkpoint,
    vkey_of,
)
from controller.evidence.tree.cosignature import (
    GoodCosignature,
    beside_heads,
    cosigned,
    read_kept,
)
from controller.evidence.tree.entries import TREE_FILE, EntryTree, NodeFile, NoNode, NotKept
from controller.evidence.tree.proving import WrongTree, extension, proven
from controller.forms.json_values import checked
from controller.journal.keys import PublicKey
from controller.journal.model import Entry
from controller.journal.reader import JournalReader, parts_of
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import read_whole
from controller.replay.finding import (
    RoundSpan,
    SearchPace,
    at_once,
    last_finished,
    round_named,
    span_of,
)
from controller.replay.recovery import Span, before_entry, before_round

MOST_BYTES: Final = 1 << 26  # a proof of a round is some ten kilobytes
Proof = dict[str, object]  # as JSON


@dataclass(frozen=True, slots=True)
class Prover:
    """Proves out of a ``line`` of journals, the oldest first, by the ``newest`` checkpoint of the
    last one. ``archived``: those before it were named, too; ``tell`` hears what takes long.
    ``pace``: how entries are gone through."""

    line: Sequence[JournalReader]
    newest: Newest
    archived: bool
    tell: Callable[[str], None]
    pace: SearchPace = at_once

    def round(self, name: str) -> Proof:
        """The proof of the round of that number, or of the ``last`` one. Raises NotDone where it is
        not to be proven, or not now."""
        return self._make_proof(lambda anew: self._round(name, anew=anew))

    def extension(self, earlier: Path, later: Path | None) -> Proof:
        """The proof that the checkpoint in the file ``later`` extends the ``earlier`` one; None:
        that the newest does. Raises NotDone where they are none of this journal, or the one is not
        the earlier one."""
        return self._make_proof(lambda anew: self._extension(earlier, later, anew=anew))

    def doubted(self, proof: Proof) -> int:
        """Up to which entry nobody vouches for what the proof is of; 0 where that is not so."""
        said = read_checkpoint(
            str(proof.get("checkpoint", proof.get("new"))), list(self.newest.keys)
        )
        entries = proof.get("entries")
        first = checked(int, entries[0]["seq"]) if isinstance(entries, list) and entries else 1
        return said.doubted if first <= said.doubted else 0

    def _make_proof(self, make: Callable[[bool], Proof]) -> Proof:
        try:
            try:
                return make(False)
            except (NotKept, WrongTree) as error:
                self.tell(
                    f"{error}: the nodes are computed anew from the entries, which may take long"
                )
                return make(True)
        except NoNode as error:
            raise NotDone(
                NOT_PERMITTED,
                f"the tree is not there for it: {error}. The tree is still being made, or a round "
                "of an archived journal needs --archive DIR",
            ) from error
        except WrongTree as error:
            raise NotDone(NOT_WELL, str(error)) from error

    @contextmanager
    def _tree(self, line: Sequence[JournalReader], *, anew: bool) -> Iterator[EntryTree]:
        """The tree over those journals; ``anew``: out of their entries alone."""
        path, nodes = line[-1].directory / TREE_FILE, None
        with ExitStack() as stack:
            try:
                nodes = None if anew else stack.enter_context(NodeFile(path))
            except FileNotFoundError:
                pass
            except OSError as error:
                raise NotDone(NOT_WELL, str(cause_of(error, path, wants=READ))) from error
            yield EntryTree(line, nodes, computes=self.archived or anew, pace=self.pace)

    def _round(self, name: str, *, anew: bool) -> Proof:
        since, span = _span(name, self.line, self.newest.said.size, self.pace)
        newest = self.newest.best_for(span.following or self.newest.said.size)
        last = newest.said.size if span.following is None else span.following - 1
        with self._tree(since, anew=anew) as tree:

            def parts(first: int, upto: int) -> list[object]:
                found: list[object] = []
                for part in parts_of(since, first - 1, upto):
                    found += proven(tree, *part, newest.said)
                return found

            entries = parts(span.first, last)
            following = None if span.following is None else parts(span.following, span.following)[0]
        return {
            "checkpoint": newest.text,
            "vkey": vkey_of(newest.key),
            "entries": entries,
            "next": following,
        }

    def _extension(self, earlier: Path, later: Path | None, *, anew: bool) -> Proof:
        newest = self.newest
        text, old = _checkpoint_in(earlier, newest)
        new_text, new, whose = newest.text, newest.said, "the newest checkpoint"
        if later is not None:
            new_text, new = _checkpoint_in(later, newest)
            whose = str(later)
        if not old.size:
            raise NotDone(NOT_WELL, f"{earlier} is for entry 0: there is nothing to extend")
        if old.size > newest.said.size:
            raise NotDone(
                NOT_WELL,
                f"{earlier} is for entry {old.size}, the newest checkpoint for entry "
                f"{newest.said.size}: the journal was cut or put back",
            )
        if not old.size <= new.size <= newest.said.size:
            raise NotDone(
                WRONG_USE,
                f"{earlier} is for entry {old.size}, {whose} for entry {new.size}: expected "
                f"the earlier one with --from, the later with --to, both up to {newest.said.size}",
            )
        with self._tree(self.line, anew=anew) as tree:
            proof = extension(tree, old, new)
        return {"old": text, "new": new_text, "proof": proof}


def _span(
    name: str, line: Sequence[JournalReader], size: int, pace: SearchPace
) -> tuple[Sequence[JournalReader], RoundSpan]:
    """From which entry to which the round goes, and the journals from the one in which it begins;
    raises NotDone (3) where it is not to be proven."""
    number = round_named(name)
    if number is None:
        # The table stood still from the end of an archived journal to the first entry behind it.
        before = line[-1].predecessor
        by = size if before is None else max(size, before.seq + 1)
        counted, entries = before_entry(line[-1], _paced(line[-1], pace), by)
        number = last_finished(entries, counted, size)
    for at in range(len(line) - 1, -1, -1):
        since = line[at:]
        counted, entries = before_round(since[0], _paced(since[0], pace), number)
        if counted is not None or since[0].predecessor is None:
            following: list[Iterator[Entry]] = [pace(reader.iterate()) for reader in since[1:]]
            span = span_of(chain(entries, *following), counted, number, size)
            if span is None:
                raise _not_now(
                    name,
                    "no round of a table, which begin with 1"
                    if number == 0
                    else f"not opened by the newest checkpoint, which is for entry {size}",
                )
            if not span.finished:
                raise _not_now(name, f"not finished by the newest checkpoint, for entry {size}")
            return since, span
    raise _not_now(name, "in an archived journal: name the archive with --archive DIR")


def _paced(reader: JournalReader, pace: SearchPace) -> Span:
    return lambda *span: pace(reader.iterate(*span))


def _not_now(name: str, why: str) -> NotDone:
    return NotDone(NOT_PERMITTED, f"round {name} cannot be proven: it is {why}")


def _checkpoint_in(path: Path, newest: Newest) -> tuple[str, Checkpoint]:
    """The checkpoint in a file, however mail and editors have treated the ends of its lines; that
    of a round's proof counts as well. Raises NotDone: 2 it cannot be read, 1 it is none of this
    journal's key."""
    try:
        text = read_whole(path, MOST_BYTES).decode("utf-8")
    except OSError as error:
        what = f"{path} cannot be read: {cause_of(error, path, wants=READ)}"
        raise NotDone(WRONG_USE, what) from error
    except UnicodeDecodeError as error:
        raise NotDone(WRONG_USE, f"{path} is no text, and so no checkpoint") from error
    if text.lstrip().startswith("{"):
        try:
            text = str(json.loads(text)["checkpoint"])
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise NotDone(WRONG_USE, f"{path} is no proof of a round") from error
    text = text.replace("\r\n", "\n").strip("\n") + "\n"
    try:
        return text, read_checkpoint(text, list(newest.keys))
    except BadCheckpoint as bad:
        raise NotDone(NOT_WELL, f"{path} {bad}") from bad


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest checkpoint: its ``text``, what that says, and the key that signed it; ``kept`` are
    all cosignatures that there are."""

    text: str
    said: Checkpoint
    key: PublicKey
    keys: Sequence[PublicKey]
    kept: Sequence[GoodCosignature] = ()

    def best_for(self, need: int) -> Newest:
        """The one for ``need`` entries or more that most witnesses have cosigned, the newest of
        those: where one is silent, a proof by an earlier checkpoint is worth more."""
        best = self
        for one in self.kept:
            text = cosigned(one.checkpoint, self.kept)
            try:
                said = read_checkpoint(text, [self.key])
            except BadCheckpoint:  # of a key before this one
                continue
            better = (text.count("\n"), said.size) > (best.text.count("\n"), best.said.size)
            if better and need <= said.size <= self.said.size:
                best = replace(self, text=text, said=said)
        return best


def newest_checkpoint(path: Path, keys: Sequence[PublicKey]) -> Newest:
    """The checkpoint of the last head in the file at ``path`` that one of the keys has signed, with
    the cosignatures of it that there are. Raises NotDone: 3 where it has none yet, 1 where there is
    no good head."""
    try:
        newest = last_head(path, keys)
        head = last_head(path, keys, with_checkpoint=True)
        kept = read_kept(beside_heads(path))
    except OSError as error:
        where = Path(error.filename or path)
        what = f"{where} cannot be read: {cause_of(error, where, wants=READ)}"
        raise NotDone(WRONG_USE, what) from error
    if newest is None:
        raise NotDone(NOT_WELL, f"there is no good head of this journal at {path}")
    if head is None:
        raise NotDone(
            NOT_PERMITTED,
            f"no head up to entry {newest.seq} has a checkpoint: the tree over the journal is "
            "still being made, beside play; 'tablectl status --json' says how far it is (upkeep)",
        )
    try:
        said = read_checkpoint(head.checkpoint, keys)
    except BadCheckpoint as bad:
        raise NotDone(NOT_WELL, f"the checkpoint of the last head {bad}") from bad
    key = next(key for key in keys if name_of(key) == said.origin)
    return Newest(cosigned(head.checkpoint, kept), said, key, keys, kept)
