"""What was asked for, on standard output: a result as JSON, or as text."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from textwrap import fill
from typing import Final

from controller.not_done import NOT_WELL, NotDone
from controller.plain_text import columns
from controller.regular_files import lead_nowhere
from figures.report.figure import Grid, PictureToDraw, PlayedBy
from figures.report.reading import Result, result_of

WIDTH: Final = 100


def as_text(result: Result) -> Iterator[str]:
    """Its lines: all but the pictures."""
    yield result.heading
    for content in result.contents:
        match content:
            case Grid(caption, head):
                yield f"\n{caption}\n{columns([head, *content.rows], right=content.numbers)}"
            case PlayedBy(rows):
                yield f"\n{columns(rows)}"
            case PictureToDraw():
                continue
            case str():
                yield f"\n{fill(content, WIDTH)}"


def print_result(given: argparse.Namespace, told: Mapping[str, object]) -> None:
    """One line of JSON with ``--json``, else as text; raises as :func:`print_text`."""
    as_json = json.dumps(told, allow_nan=False)
    print_text(given, as_json if given.json else "\n".join(as_text(result_of(told))))


def print_text(given: argparse.Namespace, text: str) -> None:
    """A text.

    Raises:
        NotDone: 1, it cannot be written; said is how the figures can be had all the same.
        BrokenPipeError: nobody reads it.
    """
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        lead_nowhere(sys.stdout.fileno())
        why = f"standard output cannot be written: {error.strerror or error}"
        raise NotDone(NOT_WELL, why + _resume_hint(given)) from error


def _resume_hint(given: argparse.Namespace) -> str:
    if "resume" not in given:
        return ""
    if given.resume:
        return f"; what was played is in {given.resume}: the same command tells it at once"
    return "; with --resume FILE what is played is kept, and the same command tells it again"
