"""What was asked for, on standard output: a result as JSON, or as text."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping

from controller.not_done import NOT_WELL, NotDone
from controller.regular_files import lead_nowhere
from figures.report.plain import as_text
from figures.report.reading import result_of


def tell(given: argparse.Namespace, told: Mapping[str, object]) -> None:
    """One line of JSON with ``--json``, else as text; raises as :func:`say`."""
    as_json = json.dumps(told, allow_nan=False)
    say(given, as_json if given.json else "\n".join(as_text(result_of(told))))


def say(given: argparse.Namespace, text: str) -> None:
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
        raise NotDone(NOT_WELL, why + _kept(given)) from error


def _kept(given: argparse.Namespace) -> str:
    if "resume" not in given:
        return ""
    if given.resume:
        return f"; what was played is in {given.resume}: the same command tells it at once"
    return "; with --resume FILE what is played is kept, and the same command tells it again"
