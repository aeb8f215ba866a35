"""``nightly``: what the timer of that name does by night, given by hand."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from controller.cli.arguments import add_option
from controller.cli.connection import configuration_path
from controller.cli.group import Group
from controller.cli.output import DONE, print_answer, print_line
from controller.cli.progress import entries_watched
from controller.configuration.reading import load_configuration
from controller.evidence.trust import JOURNAL, OWN_WORD
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.upkeep.night.memory import accept
from controller.upkeep.night.night import Night
from controller.upkeep.night_report import USUAL, Closed, NightReport, alone


def register(top: Group) -> None:
    """Add the command."""
    command = top.command(
        "nightly", _nightly, "Verify the journal beside play; take closed ones to another medium"
    )
    add_option(command, "--config FILE", "the table's configuration")
    add_option(
        command,
        "--report FILE",
        "where the report is kept, which is the memory of the next night",
        default=USUAL,
    )
    add_option(command, "--to DIR", "where closed journals are taken, a stick say")
    add_option(
        command,
        "--accept",
        "what was verified before and is missing since, or was found wrong: go on with that",
    )
    add_option(command, "--by NAME", "who accepts that")
    add_option(command, "--why TEXT", "why")


def _nightly(options: argparse.Namespace) -> int:
    if not options.accept and (options.by is not None or options.why is not None):
        raise NotDone(WRONG_USE, "nightly: --by and --why have a use only with --accept")
    config = load_configuration(configuration_path(options))
    with alone(options.report):
        if options.accept:
            accepted = accept(options.report, config.state_directory, options.by, options.why)
            for one in () if options.json else accepted:
                print_line(f"accepted: {one}")
        report = Night(config, options.report, options.to, watch=entries_watched).run()
    print_answer(options, report, _lines(report))
    return DONE if report["well"] and not report["problems"] else NOT_WELL


def _lines(report: NightReport) -> Iterator[str]:
    journal, key = report["journal"], report.get("key")
    if key is not None:
        yield OWN_WORD if key == JOURNAL else f"key: {key}"
    if journal is None and report["well"]:
        yield f"journal: there is none in {report['state']}, so none was verified"
    if journal is not None:
        how = "whole" if journal["whole"] else "what is new"
        what = f"entries {journal['from']} to {journal['to']} verified ({how})"
        if journal["to"] < journal["from"]:
            what = f"nothing new since entry {journal['to']}"
        yield f"journal: {what}, {'well' if not journal['findings'] else 'NOT WELL'}"
        yield from (_finding(one["seq"], one["what"]) for one in journal["findings"])
    if report.get("doubts"):
        yield (
            "what a start found wrong is said every night until somebody accepts it: tablectl "
            "nightly --accept --by NAME --why TEXT"
        )
    if report.get("missing"):
        yield (
            "what is missing is said every night until it is there again, or somebody accepts that "
            "it is not: tablectl nightly --accept --by NAME --why TEXT"
        )
    for one in report["closed"]:
        yield f"closed: {one['name']}, {one['bytes'] / 1e6:,.1f} MB, {_journal_words(one)}"
        yield from (_finding(found["seq"], found["what"]) for found in one["findings"])
    yield from (f"removed here: {name}, for its copy is well" for name in report["removed"])
    yield from (f"problem: {what}" for what in report["problems"])
    yield f"took {report['took_s']:.1f} s"


def _journal_words(one: Closed) -> str:
    taken = one["taken"]
    well = "well" if one["well"] else "NOT WELL"
    where = f"taken to {taken['to']} {taken['at']}" if taken else "not taken yet"
    return f"{well}, {where}"


def _finding(seq: int | None, what: str) -> str:
    return f"  {what}" if seq is None else f"  entry {seq}: {what}"
