"""``round run`` and ``round show``: rounds from scripts, and rounds from the journal.

The rules of ``round run`` (docs/round-scripts.md):

- Every script is run, whatever the result of those before it. The highest status counts: 0 all ran,
  2 one is malformed, 3 one has a step that the rules refuse.
- With ``--json`` each script gives one line in its place, a result or an error. Errors also go to
  standard error with file, line, and step or key.
- A file whose name ends in ``.jsonl`` has a script a line; ``-`` is standard input, the same.

``round show`` is in :mod:`~.show`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE
from controller.cli.group import Group
from controller.cli.output import complain, say, say_json
from controller.cli.rounds import show
from controller.files.rules import rules_in
from controller.game.round.refusal import Refused
from controller.game.scripts.positions import line_about, line_of
from controller.game.scripts.runner import StepRefused, run_script, tell_script
from controller.game.scripts.script import MalformedScript, RulesByName, read_json, read_script
from controller.regular_files import MOST_BYTES, read_regular, read_whole
from controller.sheets.accounts import account
from controller.utf8 import NotUtf8, text_of


def register(top: Group) -> None:
    """Add the commands."""
    group = top.group("round")
    run = group.command("run", _run, "Play scripts of rounds through the rules")
    run.add_argument("files", metavar="FILE", nargs="+", help=".json, or .jsonl: a script a line")
    show.register(group)


@dataclass(frozen=True, slots=True)
class _Source:
    """A script's bytes and where they stand; ``line`` is its own in a file of many, else 0."""

    file: str
    raw: bytes
    line: int
    rules: RulesByName


def _run(options: argparse.Namespace) -> int:
    worst = DONE
    first = True
    for name in options.files:
        try:
            for source in _sources(name):
                if not (options.json or first):
                    say()
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


def _decode(source: _Source) -> str:
    """The script's text. In a file of many, bytes that are none spoil their own line only."""
    try:
        return text_of(source.raw)
    except NotUtf8 as error:
        line = source.line or source.raw.count(b"\n", 0, error.at) + 1
        raise _NotText(line, str(error)) from error


class _NotText(Exception):
    """Bytes that are no text, and the line where they stand."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        super().__init__(reason)


def _run_one(source: _Source, *, as_json: bool) -> int:
    title, text = None, ""
    try:
        text = _decode(source)
        data = read_json(text)
        if isinstance(data, dict) and isinstance(data.get("title"), str):
            title = data["title"]
        script = read_script(data, source.rules)
        if as_json:
            say_json(run_script(script))
        else:
            say("\n".join(account(*tell_script(script))))
    except _NotText as error:
        place = f"{source.file}:{error.line}"
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
        say_json({"title": title, "error": error})
    complain(f"{place}: {reason}")
    return status
