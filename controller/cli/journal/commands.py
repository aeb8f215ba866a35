"""``journal verify``, ``export`` and ``stats``: a table's journal, live or stopped, from outside.

The rules:

- Verifying means: the chain, the order, the file itself, the signatures, the evidence of every draw
  (:mod:`controller.draw.evidence`), and that playing it again comes to what it says. Played by
  another version of the engine a difference is reported and is no fault.
- A journal that was verified while a controller started on it is verified again; what else was read
  of it meanwhile is not trusted (:mod:`~.opened`).
- Damage never ends in a traceback: it is reported, with exit status 1.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.exits import DONE, NOT_WELL
from controller.cli.journal import (
    archive,
    checkpoints,
    find,
    key,
    proving,
    recover,
    sealing,
    witness,
)
from controller.cli.journal.again import Again
from controller.cli.journal.opened import opened
from controller.cli.journal.trust import trust
from controller.cli.output import columns, complain, say, say_json, stream
from controller.cli.printed.progress import Bar
from controller.files.signed_elsewhere import signed_elsewhere
from controller.journal.checks.stats import Moment, Stats, collect
from controller.journal.export import lines
from controller.journal.reader import JournalReader

if TYPE_CHECKING:
    from controller.cli.group import Group

BETWEEN_ROUNDS: Final = frozenset({"idle", "closed", "service", "settled", "void"})


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("journal")
    verify = group.command("verify", _verify, "Integrity of the whole journal")
    verify.add_argument(
        "--no-replay", action="store_true", help="check the chain only, without playing it again"
    )
    verify.add_argument(
        "--archive",
        metavar="DIR",
        type=Path,
        help="and the archived files that it goes on from, in this directory",
    )
    sealing.add_options(verify)
    archive.register(group)
    export = group.command("export", _export, "Its contents as JSON lines, in order")
    export.add_argument(
        "--evidence",
        metavar="DIR",
        type=Path,
        help="into this directory, with signed heads and key, as far as it is signed",
    )
    sealing.add_options(export)
    find.register(group)
    group.command("stats", _stats, "Its size and what is in it")
    sealing.register(group)
    checkpoints.register(group)
    witness.register(group)
    proving.register(group)
    key.register(group)
    recover.register(group)


def _verify(options: argparse.Namespace) -> int:
    for last_try in (False, True):
        again = None if options.no_replay else Again()
        take = again.take if again else None
        with opened(options, may_be_stale=True) as reader:
            by = trust(options, reader)
            line = archive.Line()
            if options.archive:
                line = archive.verify_line(by, reader, options.archive, take)
            sealed = sealing.read_sealed(options, reader, by)
            known = signed_elsewhere(reader.directory, _copy(options))
            report = line.before(sealing.verified(reader, sealed, by.keys, take, known=known))
            if last_try or not reader.stale:
                break
    differences = again.other_engine if again else []
    heads = line.heads + (len(sealed.good) if sealed else 0)
    untold = again.other_count - len(differences) if again else 0
    if options.json:
        say_json(
            {
                "well": report.well,
                "key": by.by,
                "entries": report.entries,
                "last_seq": report.last_seq,
                "head": report.head,
                "replayed": again is not None,
                "heads": heads,
                "sealed_to": max(sealed.good, default=None) if sealed else None,
                "findings": [{"seq": f.seq, "what": f.what} for f in report.findings],
                "remarks": list(report.remarks),
                "differences": differences,
                "differences_untold": untold,
            }
        )
    else:
        by.tell()
        for difference in differences:
            say(f"played by another version of the engine: {difference}")
        if untold:
            say(f"played by another version of the engine: {untold} more differences")
        for remark in report.remarks:
            say(remark)
        for finding in report.findings:
            say(str(finding))
        word = "well" if report.well else f"NOT WELL, {len(report.findings)} findings"
        signed = f", {heads} signed heads" if sealed or line.heads else ", no signed heads"
        say(f"{report.entries} entries, head {report.head[:16]}{signed}: {word}")
        if by.of_the_journal:
            say(
                "whether that is the controller's shows with --key KEY, as it was written down at "
                "the installation, or with the file of keys beside the configuration (--config)"
            )
    if not report.well:
        complain("keep a copy of the whole state directory as it is, repair nothing, call support")
    return DONE if report.well and not by.of_the_journal else NOT_WELL


def _copy(options: argparse.Namespace) -> Path | None:
    """The directory of the second copy; None where no configuration is known, or it names none."""
    from controller.cli.connection import configuration_path
    from controller.configuration.errors import BadConfiguration
    from controller.configuration.reading import load_configuration

    if options.config is None and options.state is not None:
        return None
    with contextlib.suppress(BadConfiguration):
        return load_configuration(configuration_path(options)).copy
    return None


def _export(options: argparse.Namespace) -> int:
    with opened(options) as reader:
        if options.evidence is not None:
            return sealing.export(options, reader)
        count = 0 if sys.stdout.isatty() else reader.head.seq - reader.begins
        with Bar(count, "entries") as bar:
            for line in lines(reader):
                stream(line)
                bar.advance()
    return DONE


def _stats(options: argparse.Namespace) -> int:
    with opened(options) as reader:
        stats, rounds = collect(reader), _rounds_opened(reader)
    if options.json:
        say_json({**asdict(stats), "rounds": rounds})
        return DONE
    say("\n".join(_stats_lines(stats, rounds)))
    return DONE


def _rounds_opened(reader: JournalReader) -> int:
    """Rounds counted by the states that entries led to; an ``open`` taken back counts no more."""
    rounds, before = 0, "idle"
    for entry in reader.iterate():
        after = entry.body.get("after")
        state = after.get("state") if isinstance(after, dict) else None
        if not isinstance(state, str):
            continue
        state = state.removeprefix("held.")
        if state == "betting" and before in BETWEEN_ROUNDS:
            rounds += 1
        elif before == "betting" and state in BETWEEN_ROUNDS:
            rounds -= 1
        before = state
    return rounds


def _stats_lines(stats: Stats, rounds: int) -> Iterator[str]:
    yield columns(
        [
            ("entries", stats.entries),
            ("rounds", rounds),
            ("draws", stats.draws),
            ("first", _moment(stats.first)),
            ("last", _moment(stats.last)),
            ("file", _size(stats.file_bytes)),
            ("write-ahead log", _size(stats.wal_bytes)),
            ("free on the disk", _size(stats.free_bytes)),
        ],
        indent="",
    )
    if stats.by_type:
        yield "entries by type"
        yield columns(stats.by_type.items(), right=(1,))
    if stats.boots:
        yield "boots of the machine"
        yield columns((boot.boot, boot.wall, f"{boot.entries} entries") for boot in stats.boots)


def _moment(moment: Moment | None) -> str:
    return "-" if moment is None else f"{moment.wall} (entry {moment.seq})"


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"
