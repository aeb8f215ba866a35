"""``journal prove``: one round, or that a checkpoint was extended, without the whole journal.

The rules:

- A proof is checked here before it is written. The file that it goes to must not be there. Where
  the file of nodes is damaged the proof is made from the entries alone.
- A round in an archived journal is proven with ``--archive``. Nodes that are not kept any more are
  then computed from the entries, a minute or so for some million.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal import sealing
from controller.cli.journal.checkpoints import Newest, newest_checkpoint
from controller.cli.journal.opened import opened
from controller.cli.output import complain, say, say_json
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.regular_files import read_regular

if TYPE_CHECKING:
    from controller.cli.group import Group
    from controller.journal.tree.entries import EntryTree
    from controller.replay.spans import RoundSpan


def register(group: Group) -> None:
    """Add the command."""
    prove = group.command(
        "prove", _prove, "A proof of one round, or that an earlier checkpoint was extended"
    )
    what = prove.add_mutually_exclusive_group(required=True)
    what.add_argument("round", metavar="ROUND", nargs="?", help="the number of a round, or 'last'")
    what.add_argument(
        "--from", dest="earlier", metavar="FILE", type=Path, help="an earlier checkpoint"
    )
    prove.add_argument("--out", metavar="FILE", type=Path, help="where the proof goes")
    prove.add_argument(
        "--archive", metavar="DIR", type=Path, help="where the archived journals are"
    )
    prove.set_defaults(anew=False)
    sealing.add_options(prove)


def _prove(options: argparse.Namespace) -> int:
    from controller.journal.tree.entries import NoNode, NotKept
    from controller.journal.tree.proving import WrongTree

    with opened(options) as reader, _line(options, reader) as line:
        newest = newest_checkpoint(options, reader)
        what = _round if options.earlier is None else _extension
        try:
            try:
                told = what(options, line, newest)
            except (NotKept, WrongTree) as error:
                if options.anew:
                    raise
                complain(
                    f"{error}: the nodes are computed anew from the entries, which may take long"
                )
                options.anew = True
                told = what(options, line, newest)
        except NoNode as error:
            raise CommandFailed(
                NOT_PERMITTED,
                f"the tree is not there for it: {error}. The tree is still being made, or a round "
                "of an archived journal needs --archive DIR",
            ) from error
        except WrongTree as error:
            raise CommandFailed(NOT_WELL, str(error)) from error
    return _hand_out(options, told)


def _hand_out(options: argparse.Namespace, told: dict[str, object]) -> int:
    text = json.dumps(told)
    if options.out is None:
        if options.earlier is None:
            raise CommandFailed(WRONG_USE, "name the file that the proof goes to: --out FILE")
        say(text)
        return DONE
    try:
        with options.out.open("x", encoding="ascii") as file:
            file.write(text + "\n")
    except OSError as error:
        raise CommandFailed(
            WRONG_USE, f"{options.out} cannot be written: {error.strerror}"
        ) from error
    entries = told.get("entries")
    fields = {
        "file": str(options.out),
        "bytes": len(text) + 1,
        "entries": len(entries) if isinstance(entries, list) else None,
    }
    if options.json:
        say_json(fields)
    else:
        what = f"{fields['entries']} entries" if fields["entries"] else "the extension"
        say(f"{options.out}: the proof of {what}, {fields['bytes']} bytes")
    return DONE


# ---- the line of journals -----------------------------------------------------------------------


@contextmanager
def _line(options: argparse.Namespace, reader: JournalReader) -> Iterator[list[JournalReader]]:
    """The journals that there are, the oldest first, the present one last."""
    from controller.journal.copies.archive import line_of

    with ExitStack() as stack:
        older: list[JournalReader] = []
        if options.archive is not None:
            paths, broken = line_of(reader, options.archive)
            if broken and not paths:
                raise CommandFailed(NOT_PERMITTED, broken)
            older = [
                stack.enter_context(JournalReader(options.archive, path.name)) for path in paths
            ]
        yield [*older, reader]


@contextmanager
def _tree(options: argparse.Namespace, line: Sequence[JournalReader]) -> Iterator[EntryTree]:
    """The tree over those journals."""
    from controller.journal.tree.entries import EntryTree
    from controller.journal.tree.nodes import FILE_NAME, NodeFile

    computes = options.archive is not None or options.anew
    try:
        if options.anew:
            raise FileNotFoundError
        nodes = NodeFile(line[-1].directory / FILE_NAME)
    except FileNotFoundError:
        yield EntryTree(line, None, computes=computes)
        return
    except OSError as error:
        raise CommandFailed(
            NOT_WELL, f"{line[-1].directory / FILE_NAME}: {error.strerror}"
        ) from error
    with nodes:
        yield EntryTree(line, nodes, computes=computes)


# ---- one round ----------------------------------------------------------------------------------


def _round(
    options: argparse.Namespace, line: Sequence[JournalReader], newest: Newest
) -> dict[str, object]:
    from controller.journal.tree.note import vkey_of
    from controller.journal.tree.proving import proven

    since, span = _span(options, line, newest.said.size)
    last = newest.said.size if span.following is None else span.following - 1
    with _tree(options, since) as tree:

        def parts(first: int, upto: int) -> list[object]:
            found: list[object] = []
            for reader, following in zip(since, [*since[1:], None], strict=True):
                before = reader.predecessor
                low = max(first, before.seq + 1 if before else 1)
                end = following.predecessor if following else None
                high = min(upto, end.seq) if end else upto
                if low <= high:
                    found += proven(tree, reader, low, high, newest.said)
            return found

        entries = parts(span.first, last)
        following = None if span.following is None else parts(span.following, span.following)[0]
    return {
        "checkpoint": newest.text,
        "vkey": vkey_of(newest.key),
        "entries": entries,
        "next": following,
    }


def _span(
    options: argparse.Namespace, line: Sequence[JournalReader], size: int
) -> tuple[Sequence[JournalReader], RoundSpan]:
    """From which entry to which the round goes, and the journals from the one in which it begins.

    Raises CommandFailed (3) where it is not to be proven.
    """
    from controller.replay.finding import NoSuchRound, round_named
    from controller.replay.recovery import before_entry, before_round
    from controller.replay.spans import last_finished, span_of

    try:
        number = round_named(options.round)
    except NoSuchRound as error:
        raise CommandFailed(WRONG_USE, str(error)) from error
    if number is None:
        # The table stood still from the end of an archived journal to the first entry behind it.
        before = line[-1].predecessor
        by = size if before is None else max(size, before.seq + 1)
        counted, entries = before_entry(line[-1], line[-1].iterate, by)
        number = last_finished(entries, counted, size)
    for at in range(len(line) - 1, -1, -1):
        since = line[at:]
        counted, entries = before_round(since[0], since[0].iterate, number)
        if counted is not None or since[0].predecessor is None:
            following: list[Iterator[Entry]] = [reader.iterate() for reader in since[1:]]
            span = span_of(chain(entries, *following), counted, number, size)
            if span is None:
                why = "no round" if number == 0 else "not opened by the newest checkpoint"
                raise _not_now(options, f"{why}, which is for entry {size}")
            if not span.finished:
                raise _not_now(options, f"not finished by the newest checkpoint, for entry {size}")
            return since, span
    raise _not_now(options, "in an archived journal: name the archive with --archive DIR")


def _not_now(options: argparse.Namespace, why: str) -> CommandFailed:
    return CommandFailed(NOT_PERMITTED, f"round {options.round} cannot be proven: it is {why}")


# ---- an extension -------------------------------------------------------------------------------


def _extension(
    options: argparse.Namespace, line: Sequence[JournalReader], newest: Newest
) -> dict[str, object]:
    from controller.journal.tree.note import BadCheckpoint, read_checkpoint
    from controller.journal.tree.proving import extension

    path: Path = options.earlier
    try:
        with read_regular(path) as file:
            text = file.read(1 << 16).decode("utf-8")
        old = read_checkpoint(text, list(newest.keys))
    except OSError as error:
        raise CommandFailed(WRONG_USE, f"{path} cannot be read: {error.strerror}") from error
    except (BadCheckpoint, UnicodeDecodeError) as bad:
        raise CommandFailed(NOT_WELL, f"{path} {bad}") from bad
    if not 0 < old.size <= newest.said.size:
        raise CommandFailed(
            NOT_WELL,
            f"{path} is for entry {old.size}, the newest checkpoint for entry {newest.said.size}: "
            + ("there is nothing to extend" if not old.size else "the journal was cut or put back"),
        )
    with _tree(options, line) as tree:
        proof = extension(tree, old, newest.said)
    return {"old": text, "new": newest.text, "proof": proof}
