"""``round show``: a round as it was played and settled, from the journal.

The rules:

- The course is told step by step, then the result. ``--json`` is the result object alone, as fast
  as ever; with ``--course`` it has the steps too.
- ``--step`` shows the table as it lay after each step, key by key. ``--html FILE`` writes one page
  for a dispute, which needs nothing else to be read.
- A round that is not in the journal is looked for in the closed ones that it goes on from, on the
  box and in ``--archive DIR``.
- A round that 0.1 played is told from its entries, and that is said; it has no course.
- The journal's files are read. Where this person may not, the controller is asked, which tells
  supervisors the result; of the course it says nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from controller.cli.connection import connect
from controller.cli.exits import DONE, NOT_PERMITTED, WRONG_USE, NotDone
from controller.cli.group import Group, add_flag, add_path
from controller.cli.journal.opened import archives, opened
from controller.cli.output import complain, say, say_json, tell
from controller.files.new_files import check_new, write_new
from controller.forms.json_values import checked
from controller.game.round.result_fields import RoundResult
from controller.journal.errors import NoJournal
from controller.plain_text import columns
from controller.sheets.accounts import account, settled_cells, signed

if TYPE_CHECKING:
    from controller.replay.course.found import Found
    from controller.replay.course.steps import Facts
    from controller.replay.unplayed import Unplayed

NEEDS_FILES = (
    "the course is in the journal's files, which only the controller's user and root may read: "
    "'sudo tablectl round show', or --state DIRECTORY"
)


def register(group: Group) -> None:
    """Add the command."""
    show = group.command("show", _show, "A round as it was played and settled, from the journal")
    show.add_argument("number", metavar="N", nargs="?", default="last", help="or 'last'")
    form = show.add_mutually_exclusive_group()
    add_flag(form, "--step", "step by step at a terminal, by keys")
    add_path(form, "--html", "FILE", "one page for a dispute, to print")
    add_flag(form, "--course", "with --json: the steps too")
    add_path(show, "--archive", "DIR", "where the archived journals are")


def _show(options: argparse.Namespace) -> int:
    from controller.replay.finding import round_named
    from controller.replay.unplayed import Unplayed

    if options.step and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NotDone(WRONG_USE, "--step is for a terminal: this is none")
    if options.step and options.json:
        raise NotDone(WRONG_USE, "--step is for people: leave out --json")
    if options.html is not None:
        check_new(options.html)
    found = _found(options, round_named(options.number))
    if isinstance(found, Unplayed):
        return _tell_unplayed(options, found)
    if options.html is not None or options.step or options.course:
        if found.facts is None:
            raise NotDone(NOT_PERMITTED, NEEDS_FILES)
        if options.html is not None:
            return _write_page(options, found, found.facts)
        if options.step:
            from controller.cli.rounds.stepping import step_through

            step_through(found.result, found.steps)
            return DONE
    if options.json:
        course = {"course": [step.as_json() for step in found.steps]} if options.course else {}
        say_json({**found.result, **course})
    else:
        _tell(found)
    return DONE


def _tell_unplayed(options: argparse.Namespace, played: Unplayed) -> int:
    from controller.journal.of_0_1 import NOT_PLAYED

    if options.html is not None or options.step or options.course:
        raise NotDone(WRONG_USE, f"round {played.number} has no course: it is {NOT_PLAYED}")
    tell(options, played.as_json(), _unplayed(played))
    return DONE


def _unplayed(played: Unplayed) -> Iterator[str]:
    """What its entries say, on lines."""
    told: Mapping[str, Any] = played.as_json()
    yield f"Round {told['round']}, {told['not_played']}. Its entries say:"
    cells = ((str(one["seq"]), one["wall"], one["type"], one["what"]) for one in told["entries"])
    yield columns(cells, right=(0,))
    if told["shoe"]:
        yield f"shoe\n  {told['shoe']}"
    if told["settlements"]:
        yield "settled"
        yield columns(map(settled_cells, told["settlements"]), right=(2, 5))
        yield "net"
        yield columns(((who, signed(net)) for who, net in told["net"].items()), right=(1,))


def _tell(found: Found) -> None:
    from controller.sheets.course_page import course_lines

    if found.facts is None:
        complain(NEEDS_FILES)
    for line in course_lines(found.steps):
        say(line)
    say("\n".join(account(found.result)))


def _write_page(options: argparse.Namespace, found: Found, facts: Facts) -> int:
    from controller.sheets.dispute_page import dispute_page

    page = dispute_page(found.result, found.steps, facts)
    write_new(options.html, page)
    steps = len(found.steps)
    told = {"file": str(options.html), "bytes": len(page.encode()), "steps": steps}
    tell(options, told, [f"{options.html}: round {found.result.get('round')}, {steps} steps"])
    return DONE


def _found(options: argparse.Namespace, number: int | None) -> Found | Unplayed:
    """The round from the journal's files; from the controller, where they may not be read."""
    from controller.replay.course.found import Found, find_course

    told = options.course or not options.json or options.html is not None
    try:
        with opened(options) as reader:
            return find_course(reader, number, lambda: archives(options), told=told)
    except NotDone as failed:
        named = options.state is not None or options.archive is not None
        if named or not isinstance(failed.__cause__, NoJournal):
            raise
    with connect(options) as client:
        return Found(checked(RoundResult, client.round(number), "round"))
