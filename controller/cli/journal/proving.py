"""``journal prove``: one round, or that a checkpoint was extended, without the whole journal.

The rules:

- A proof is checked here before it is written. The file that it goes to must not be there. Where
  the file of nodes is damaged the proof is made from the entries alone.
- A round in an archived journal is proven with ``--archive``. Nodes that are not kept any more are
  then computed from the entries, a minute or so for some million.
- ``--from`` proves that the newest checkpoint extends an earlier one, or that the one in ``--to``
  does: of a running table the newest is soon another than that of a round's proof. Either may be
  the text of a checkpoint, or the proof of a round, whose checkpoint counts.
- A proof's checkpoint is the newest, or where witnesses have not cosigned that, the one that most
  of them have cosigned.
- What is written is there whole or not at all. ``--tlog`` writes the entries with a proof each, in
  the form that other programs check (:mod:`~.tlog_files`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal import sealing
from controller.cli.journal.checkpoints import Newest, newest_checkpoint
from controller.cli.journal.opened import archives, opened
from controller.cli.output import complain, say, say_json
from controller.cli.printed.new_files import check_new, write_new
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.json_values import checked
from controller.regular_files import read_whole

if TYPE_CHECKING:
    from controller.cli.group import Group
    from controller.journal.tree.entries import EntryTree
    from controller.journal.tree.note import Checkpoint
    from controller.replay.spans import RoundSpan


MOST_BYTES: Final = 1 << 26
"""A proof of a round is some ten kilobytes."""


def register(group: Group) -> None:
    """Add the command."""
    prove = group.command(
        "prove", _prove, "A proof of one round, or that an earlier checkpoint was extended"
    )
    what = prove.add_mutually_exclusive_group(required=True)
    what.add_argument("round", metavar="ROUND", nargs="?", help="the number of a round, or 'last'")
    what.add_argument(
        "--from",
        dest="earlier",
        metavar="FILE",
        type=Path,
        help="an earlier checkpoint, or the proof of a round",
    )
    prove.add_argument(
        "--to",
        dest="later",
        metavar="FILE",
        type=Path,
        help="with --from: likewise, instead of the newest checkpoint",
    )
    prove.add_argument("--out", metavar="FILE", type=Path, help="where the proof goes")
    prove.add_argument(
        "--tlog",
        metavar="FOLDER",
        type=Path,
        help="into this folder, each entry of the round with its proof in C2SP's form",
    )
    prove.add_argument(
        "--spicy", action="store_true", help="with --tlog: also as spicy-torchwood reads it"
    )
    prove.add_argument(
        "--archive", metavar="DIR", type=Path, help="where the archived journals are"
    )
    prove.set_defaults(anew=False)
    sealing.add_options(prove)


def _prove(options: argparse.Namespace) -> int:
    from controller.journal.copies.archive import older
    from controller.journal.tree.entries import NoNode, NotKept
    from controller.journal.tree.proving import WrongTree

    if options.later is not None and options.earlier is None:
        raise CommandFailed(WRONG_USE, "--to has a use only with --from")
    if options.earlier is not None and options.tlog is not None:
        raise CommandFailed(WRONG_USE, "--tlog has a use only with a round")
    if options.spicy and options.tlog is None:
        raise CommandFailed(WRONG_USE, "--spicy has a use only with --tlog")
    if options.earlier is None and options.out is None and options.tlog is None:
        raise CommandFailed(
            WRONG_USE,
            "name the file that the proof goes to, --out FILE, or a folder, --tlog FOLDER",
        )
    if options.out is not None:
        check_new(options.out)
    named = archives(options)
    with opened(options) as reader, older(reader, *named) as (before, broken):
        if broken and named and not before:
            raise CommandFailed(NOT_PERMITTED, broken)
        line = [*before, reader]
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
    _hand_out(options, told)
    return DONE if not _doubted(told, newest) else NOT_WELL


def _doubted(told: dict[str, object], newest: Newest) -> bool:
    """Whether nobody vouches for what a proof is of; it is said then."""
    from controller.journal.tree.note import read_checkpoint

    said = read_checkpoint(str(told.get("checkpoint", told.get("new"))), list(newest.keys))
    entries = told.get("entries")
    first = checked(int, entries[0]["seq"]) if isinstance(entries, list) and entries else 1
    if first > said.doubted:
        return False
    complain(
        f"a start has found that nobody vouches for the entries up to {said.doubted}: whoever "
        "verifies this is told so"
    )
    return True


def _hand_out(options: argparse.Namespace, told: dict[str, object]) -> None:
    if options.tlog is not None:
        fields = _write_tlog(options, told)
        if options.out is None:
            if options.json:
                say_json(fields)
            else:
                say(f"{options.tlog}: {fields['entries']} entries in {fields['files']} files")
            return
    text = json.dumps(told)
    if options.out is None:
        say(text)
        return
    write_new(options.out, text + "\n")
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
        check = f"python3 verify_journal.py --proof {options.out} --key KEY"
        say(f"whoever has it checks it with: {check}")


def _write_tlog(options: argparse.Namespace, told: dict[str, object]) -> dict[str, object]:
    """Write the entries with a proof each; what is said of them."""
    from controller.cli.journal.tlog_files import write_tlog

    entries = checked(list[dict[str, object]], told["entries"])
    files = write_tlog(options.tlog, entries, str(told["checkpoint"]), spicy=options.spicy)
    return {"folder": str(options.tlog), "entries": len(entries), "files": len(files)}


# ---- the tree over a line of journals ------------------------------------------------------------


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
            NOT_WELL, str(cause_of(error, line[-1].directory / FILE_NAME, wants=READ))
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
    newest = newest.best_for(span.following or newest.said.size)
    last = newest.said.size if span.following is None else span.following - 1
    with _tree(options, since) as tree:

        def parts(first: int, upto: int) -> list[object]:
            found: list[object] = []
            for reader, following in zip(since, [*since[1:], None], strict=True):
                low = max(first, reader.begins + 1)
                high = min(upto, following.begins) if following else upto
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
                raise _not_now(
                    options,
                    "no round of a table, which begin with 1"
                    if number == 0
                    else f"not opened by the newest checkpoint, which is for entry {size}",
                )
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
    from controller.journal.tree.proving import extension

    text, old = _checkpoint_in(options.earlier, newest)
    new_text, new, whose = newest.text, newest.said, "the newest checkpoint"
    if options.later is not None:
        new_text, new = _checkpoint_in(options.later, newest)
        whose = str(options.later)
    if not old.size:
        raise CommandFailed(
            NOT_WELL, f"{options.earlier} is for entry 0: there is nothing to extend"
        )
    if old.size > newest.said.size:
        raise CommandFailed(
            NOT_WELL,
            f"{options.earlier} is for entry {old.size}, the newest checkpoint for entry "
            f"{newest.said.size}: the journal was cut or put back",
        )
    if not old.size <= new.size <= newest.said.size:
        raise CommandFailed(
            WRONG_USE,
            f"{options.earlier} is for entry {old.size}, {whose} for entry {new.size}: expected "
            f"the earlier one with --from, the later with --to, both up to {newest.said.size}",
        )
    with _tree(options, line) as tree:
        proof = extension(tree, old, new)
    return {"old": text, "new": new_text, "proof": proof}


def _checkpoint_in(path: Path, newest: Newest) -> tuple[str, Checkpoint]:
    """The checkpoint in a file, however mail and editors have treated the ends of its lines; that
    of a round's proof counts as well.

    Raises CommandFailed: 2 it cannot be read, 1 it is none of this journal's key.
    """
    from controller.journal.tree.note import BadCheckpoint, read_checkpoint

    try:
        text = read_whole(path, MOST_BYTES).decode("utf-8")
    except OSError as error:
        raise CommandFailed(
            WRONG_USE, f"{path} cannot be read: {cause_of(error, path, wants=READ)}"
        ) from error
    except UnicodeDecodeError as error:
        raise CommandFailed(WRONG_USE, f"{path} is no text, and so no checkpoint") from error
    if text.lstrip().startswith("{"):
        try:
            text = str(json.loads(text)["checkpoint"])
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise CommandFailed(WRONG_USE, f"{path} is no proof of a round") from error
    text = text.replace("\r\n", "\n").strip("\n") + "\n"
    try:
        return text, read_checkpoint(text, list(newest.keys))
    except BadCheckpoint as bad:
        raise CommandFailed(NOT_WELL, f"{path} {bad}") from bad
