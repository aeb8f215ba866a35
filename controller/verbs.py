"""Programs of verbs beside ``tablectl``: their options, and what they end with."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller import __version__
from controller.not_done import NOT_WELL, NotDone
from controller.regular_files import lead_nowhere

INTERRUPTED: Final = 130
"""After Ctrl-C."""
UNREAD: Final = 141
"""Nobody reads what it prints any more."""


def none_added(_: argparse.ArgumentParser) -> None:
    """No options."""


@dataclass(frozen=True, slots=True)
class Verb:
    """In words, and as a function that may return an exit status; how its own options are added."""

    words: str
    run: Callable[..., int | None]
    examples: tuple[tuple[str, str], ...]
    add: Callable[[argparse.ArgumentParser], None] = none_added


def parser_of(
    verbs: Mapping[str, Verb],
    add_to_all: Callable[[argparse.ArgumentParser], None] = none_added,
    **of_program: Any,
) -> argparse.ArgumentParser:
    """The parser of a program of these verbs; ``of_program`` is what argparse is told of it."""
    laid_out = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(formatter_class=laid_out, allow_abbrev=False, **of_program)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    under = parser.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    for name, verb in verbs.items():
        examples = "".join(f"\n  {words}\n      {what}" for words, what in verb.examples)
        of_verb = under.add_parser(
            name,
            help=verb.words,
            description=verb.words,
            epilog=f"examples:{examples}",
            formatter_class=laid_out,
            allow_abbrev=False,
        )
        add_to_all(of_verb)
        verb.add(of_verb)
    return parser


def complain(text: str) -> None:
    """A line on standard error, where that can be written."""
    if sys.stderr is None:  # closed by whoever began the program
        return
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        lead_nowhere(sys.stderr.fileno())


def status_of(program: str, run: Callable[[], int | None]) -> int:
    """The exit status of a program that runs this; what is not done is said."""
    if sys.stdout is None:
        complain(f"{program}: standard output is closed, so nothing could be told; nothing is done")
        return NOT_WELL
    try:
        status = run()
        sys.stdout.flush()
    except NotDone as error:
        complain(f"{program}: {error}")
        return error.code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        lead_nowhere(sys.stdout.fileno())
        return UNREAD
    except OSError as error:
        lead_nowhere(sys.stdout.fileno())
        where = error.filename or "standard output"
        complain(f"{program}: {where}: it cannot be used: {error.strerror or error}")
        return NOT_WELL
    return status or 0
