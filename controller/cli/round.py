"""``round run`` and ``round show``: rounds from scripts, and rounds from the journal.

The rules of ``round run`` (docs/round-scripts.md):

- Every script is run, whatever the result of those before it. The highest status counts: 0 all ran,
  2 one is malformed, 3 one has a step that the rules refuse.
- With ``--json`` each script gives one line in its place, a result or an error. Errors also go to
  standard error with file, line, and step or key.
- A file whose name ends in ``.jsonl`` has a script a line; ``-`` is standard input, the same.

The rules of ``round show``:

- The course is told step by step, then the result. ``--json`` is the result object alone, as fast
  as ever; with ``--course`` it has the steps too.
- ``--step`` shows the table as it lay after each step, key by key. ``--html FILE`` writes one page
  for a dispute, which needs nothing else to be read.
- A round that is not in the journal is looked for in the closed ones that it goes on from, on the
  box and in ``--archive DIR``.
- The journal's files are read. Where this person may not, the controller is asked, which tells
  supervisors the result; of the course it says nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.cli.arguments import add_option
from controller.cli.connection import connect
from controller.cli.group import Group
from controller.cli.journal.sources import archives, from_files
from controller.cli.output import DONE, complain, print_answer, print_json, print_line
from controller.files.new_files import check_new, write_new
from controller.files.rules import rules_in
from controller.forms.json_values import checked
from controller.game.round.refusal import Refused
from controller.game.round.result_fields import RoundResult
from controller.game.scripts.positions import line_about, line_of
from controller.game.scripts.runner import StepRefused, run_script, tell_script
from controller.game.scripts.script import MalformedScript, RulesByName, read_json, read_script
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import MOST_BYTES, NotUtf8, read_regular, read_whole, text_of
from controller.sheets.accounts import account

if TYPE_CHECKING:
    from controller.journal.reader import JournalReader
    from controller.replay.course.steps import Facts
    from controller.replay.finding import FoundRound

NEEDS_FILES = (
    "the course is in the journal's files, which only the controller's user and root may read: "
    "'sudo tablectl round show', or --state DIRECTORY"
)


def _register_show(group: Group) -> None:
    show = group.command(
        "show", _show_round, "A round as it was played and settled, from the journal"
    )
    add_option(show, "number N", "or 'last'", nargs="?", default="last")
    form = show.add_mutually_exclusive_group()
    add_option(form, "--step", "step by step at a terminal, by keys")
    add_option(form, "--html FILE", "one page for a dispute, to print")
    add_option(form, "--course", "with --json: the steps too")
    add_option(show, "--archive DIR", "where the archived journals are")


def _show_round(options: argparse.Namespace) -> int:
    from controller.replay.finding import round_named

    if options.step and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NotDone(WRONG_USE, "--step is for a terminal: this is none")
    if options.step and options.json:
        raise NotDone(WRONG_USE, "--step is for people: leave out --json")
    if options.html is not None:
        check_new(options.html)
    found = _find_round(options, round_named(options.number))
    if options.html is not None or options.step or options.course:
        if found.facts is None:
            raise NotDone(NOT_PERMITTED, NEEDS_FILES)
        if options.html is not None:
            return _write_page(options, found, found.facts)
        if options.step:
            from controller.cli.stepping import step_through

            step_through(found.result, found.steps)
            return DONE
    if options.json:
        course = {"course": [asdict(step) for step in found.steps]} if options.course else {}
        print_json({**found.result, **course})
    else:
        _print_course(found)
    return DONE


def _print_course(found: FoundRound) -> None:
    from controller.sheets.accounts import course_lines

    if found.facts is None:
        complain(NEEDS_FILES)
    for line in course_lines(found.steps):
        print_line(line)
    print_line("\n".join(account(found.result)))


def _write_page(options: argparse.Namespace, found: FoundRound, facts: Facts) -> int:
    from controller.sheets.dispute_page import dispute_page

    page = dispute_page(found.result, found.steps, facts)
    write_new(options.html, page)
    steps = len(found.steps)
    told = {"file": str(options.html), "bytes": len(page.encode()), "steps": steps}
    said = f"{options.html}: round {found.result.get('round')}, {steps} steps"
    print_answer(options, told, [said])
    return DONE


def _find_round(options: argparse.Namespace, number: int | None) -> FoundRound:
    """The round from the journal's files; from the controller, where they may not be read."""
    from controller.replay.finding import FoundRound, find_course

    told = options.course or not options.json or options.html is not None

    def course_of(reader: JournalReader) -> FoundRound:
        return find_course(reader, number, lambda: archives(options), told=told)

    def result_told() -> FoundRound:
        with connect(options) as client:
            return FoundRound(checked(RoundResult, client.round(number), "round"))

    return from_files(options, course_of, result_told)


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("round")
    run = group.command("run", _run_scripts, "Play scripts of rounds through the rules")
    add_option(run, "files FILE", ".json, or .jsonl: a script a line", type=str, nargs="+")
    _register_show(group)


@dataclass(frozen=True, slots=True)
class _Source:
    """A script's bytes and where they stand; ``line`` is its own in a file of many, else 0."""

    file: str
    raw: bytes
    line: int
    rules: RulesByName


def _run_scripts(options: argparse.Namespace) -> int:
    worst = DONE
    first = True
    for name in options.files:
        try:
            for source in _sources(name):
                if not (options.json or first):
                    print_line()
                first = False
                worst = max(worst, _run_one(source, as_json=options.json))
        except OSError as error:
            why = str(cause_of(error, Path(error.filename or name), wants=READ))
            worst = max(worst, _failed(options.json, name, None, WRONG_USE, "unreadable-file", why))
    return worst


def _sources(name: str) -> Iterator[_Source]:
    path = Path(name)
    rules = rules_in(path.parent)
    if name != "-" and path.suffix.lower() != ".jsonl":
        yield _Source(name, read_whole(path), 0, rules)
        return
    with ExitStack() as stack:
        lines = sys.stdin.buffer if name == "-" else stack.enter_context(read_regular(path))
        for number, line in enumerate(iter(lambda: lines.readline(MOST_BYTES), b""), 1):
            if line.strip():
                yield _Source(name, line, number, rules)


def _run_one(source: _Source, *, as_json: bool) -> int:
    title, text = None, ""
    try:
        text = text_of(source.raw)
        data = read_json(text)
        if isinstance(data, dict) and isinstance(data.get("title"), str):
            title = data["title"]
        script = read_script(data, source.rules)
        if as_json:
            print_json(run_script(script))
        else:
            print_line("\n".join(account(*tell_script(script))))
    except NotUtf8 as error:
        line = source.line or source.raw.count(b"\n", 0, error.at) + 1
        place = f"{source.file}:{line}"
        return _failed(as_json, place, None, WRONG_USE, "unreadable-script", str(error))
    except MalformedScript as error:
        place = f"{source.file}:{source.line or line_about(text, str(error))}"
        return _failed(as_json, place, title, WRONG_USE, "unreadable-script", str(error))
    except StepRefused as error:
        line = source.line or line_of(text, "steps", error.index)
        more = {
            "step": error.index,
            "state": error.state,
            "permitted": error.permitted,
            "clause": error.refused.clause,
        }
        place = f"{source.file}:{line}"
        code = error.refused.code
        return _failed(as_json, place, title, NOT_PERMITTED, code, str(error), **more)
    except Refused as error:  # by a card, not by a step
        place = f"{source.file}:{source.line or line_of(text, 'shoe')}"
        code, clause = error.code, error.clause
        return _failed(as_json, place, title, NOT_PERMITTED, code, str(error), clause=clause)
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError) as error:
        # A mistake of ours must not keep the scripts behind this one from being run.
        place = f"{source.file}:{source.line or 1}"
        reason = f"internal error, report it: {error!r}"
        return _failed(as_json, place, title, NOT_WELL, "failed", reason)
    return DONE


def _failed(
    as_json: bool,
    place: str,
    title: str | None,
    status: int,
    code: str,
    reason: str,
    **more: object,
) -> int:
    if as_json:
        error = {"status": status, "code": code, "step": None, "reason": reason, **more}
        print_json({"title": title, "error": error})
    complain(f"{place}: {reason}")
    return status
