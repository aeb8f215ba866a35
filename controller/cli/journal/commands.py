"""``journal verify``, ``archive``, ``export``, ``stats``: a table's journal, live or stopped, from
outside.

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
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial

from controller.cli.arguments import add_option
from controller.cli.connection import state_directory
from controller.cli.group import Group
from controller.cli.journal import checkpoints, entry_search, key, recover, sources
from controller.cli.journal.sources import opened
from controller.cli.output import DONE, complain, print_answer, stream
from controller.cli.progress import Bar, entries_watched
from controller.evidence import examine
from controller.evidence.examine import (
    HEADS,
    JOURNAL,
    KEY,
    Stats,
    collect,
    rounds_opened,
)
from controller.evidence.heads import beside
from controller.evidence.trust import Trust
from controller.evidence.verification import verified, verify_line
from controller.evidence.verify import ReplayCheck, VerificationReport
from controller.forms.json_values import JsonObject
from controller.journal.export import lines
from controller.journal.reader import JournalReader
from controller.not_done import NOT_WELL
from controller.plain_text import columns
from controller.upkeep.next_start import AGAIN, Archiving


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("journal")
    verify = group.command("verify", _verify, "Integrity of the whole journal")
    add_option(verify, "--no-replay", "check the chain only, without playing it again")
    add_option(
        verify, "--archive DIR", "and the archived files that it goes on from, in this directory"
    )
    sources.add_options(verify)
    archive = group.command(
        "archive", _archive, "Have a stopped table's journal closed; given again, copy it"
    )
    add_option(archive, "--to DIR", "the archive", required=True)
    add_option(archive, "--no-replay", "verify the chain only, without playing it again")
    sources.add_options(archive)
    export = group.command("export", _export, "Its contents as JSON lines, in order")
    add_option(
        export,
        "--evidence DIR",
        "into this directory, with signed heads and key, as far as it is signed",
    )
    sources.add_options(export)
    entry_search.register(group)
    group.command("stats", _stats, "Its size and what is in it")
    sources.register(group)
    checkpoints.register(group)
    key.register(group)
    recover.register(group)


def _verify(options: argparse.Namespace) -> int:
    for last_try in (False, True):
        again = None if options.no_replay else ReplayCheck()
        take = again.check_entry if again else None
        with opened(options, may_be_stale=True) as reader:
            by, line = sources.trust(options, reader), None
            if options.archive:
                line = verify_line(by, reader, options.archive, take, entries_watched)
            sealed = sources.read_sealed(options, reader, by)
            report = verified(reader, sealed, by.keys, take, watch=entries_watched)
            report = line.before(report) if line else report
            if last_try or not reader.stale:
                break
    differences = again.other_engine if again else []
    untold = again.other_count - len(differences) if again else 0
    told = {
        "well": report.well,
        "key": by.by,
        "entries": report.entries,
        "last_seq": report.last_seq,
        "head": report.head,
        "replayed": again is not None,
        "heads": report.heads,
        "sealed_to": max(sealed.good, default=None) if sealed else None,
        "findings": [{"seq": f.seq, "what": f.what} for f in report.findings],
        "remarks": list(report.remarks),
        "differences": differences,
        "differences_untold": untold,
    }
    other = [*differences, *([f"{untold} more differences"] if untold else [])]
    signed = f", {report.heads if sealed or report.heads else 'no'} signed heads"
    print_answer(options, told, _verified(by, report, other, signed))
    if not report.well:
        complain("keep a copy of the whole state directory as it is, repair nothing, call support")
    return DONE if report.well and not by.of_the_journal else NOT_WELL


def _verified(
    by: Trust, report: VerificationReport, other: list[str], signed: str
) -> Iterator[str]:
    yield by.whose_word
    yield from (f"played by another version of the engine: {difference}" for difference in other)
    yield from report.remarks
    yield from map(str, report.findings)
    word = "well" if report.well else f"NOT WELL, {len(report.findings)} findings"
    yield f"{report.entries} entries, head {report.head[:16]}{signed}: {word}"
    if by.of_the_journal:
        yield (
            "whether that is the controller's shows with --key KEY, as it was written down at "
            "the installation, or with the file of keys beside the configuration (--config)"
        )


def _archive(options: argparse.Namespace) -> int:
    replay, signed = not options.no_replay, partial(sources.signed, options)
    archived = Archiving(
        state_directory(options), options.to, signed, replay, complain, entries_watched
    ).archive()
    if archived is None:
        print_answer(options, {"requested": True}, [f"the next start closes the journal: {AGAIN}"])
        return DONE
    heads = beside(archived)
    told = {"archived": str(archived), "heads": str(heads)}
    said = f"archived as {archived}, its signed heads as {heads.name}"
    print_answer(options, told, [said, "a new journal goes on from it"])
    return DONE


def _export(options: argparse.Namespace) -> int:
    with opened(options) as reader:
        if options.evidence is not None:
            return _write_dossier(options, reader)
        count = 0 if sys.stdout.isatty() else reader.head.seq - reader.begins
        with Bar(count, "entries") as bar:
            for line in lines(reader):
                stream(line)
                bar.advance()
    return DONE


def _write_dossier(options: argparse.Namespace, reader: JournalReader) -> int:
    by, heads = sources.trust(options, reader), sources.heads_path(options)
    taken = heads, examine.heads_bytes(heads)
    sealed, to = sources.read_sealed(options, reader, by), options.evidence
    last, left_out = examine.write(to, reader, by, taken)
    told = {
        "directory": str(to),
        "entries": last,
        "left_out": left_out,
        "last": sealed.last.short if sealed and sealed.last else None,
        "key": by.by,
        "fingerprint": by.keys[-1].fingerprint,
    }
    more = f"the last {left_out} entries are not signed and were left out"
    said = [by.whose_word, f"{to}: {JOURNAL} up to entry {last}, {HEADS}, {KEY}"]
    said += [more] if left_out else []
    said += [f"the key's fingerprint: {one.fingerprint}" for one in by.keys]
    print_answer(options, told, said)
    return NOT_WELL if left_out else DONE


def _stats(options: argparse.Namespace) -> int:
    with opened(options) as reader:
        stats, rounds = collect(reader), rounds_opened(reader)
    print_answer(options, {**asdict(stats), "rounds": rounds}, _stats_lines(stats, rounds))
    return DONE


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
        yield columns((it["boot"], it["wall"], f"{it['entries']} entries") for it in stats.boots)


def _moment(moment: JsonObject | None) -> str:
    return "-" if moment is None else f"{moment['wall']} (entry {moment['seq']})"


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"
