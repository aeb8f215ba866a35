"""``table-figures``: what games return, for who approves, buys or audits a table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller import __version__
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.regular_files import lead_nowhere
from figures.games.games import ShoeTooSmall
from figures.kernel.tables import NotForTheKernel
from figures.program.edge import add_edge, add_side, edge, side
from figures.program.shift import add_shift, shift
from figures.program.strangers import add_strangers, print_strangers
from figures.program.strategy import add_strategy, print_strategy
from figures.program.telling import INTERRUPTED
from figures.program.worth import add_worth, print_worth
from figures.report.command import add_report, write_report

UNREAD: Final = 141

MEANING: Final = {
    0: "done",
    NOT_WELL: "a figure is too far from its exact value to be chance; or a file or a cluster"
    " cannot be used now",
    WRONG_USE: "wrong options, or a file that is not what was expected",
    INTERRUPTED: "interrupted (Ctrl-C): figures are those of the rounds that were played",
    UNREAD: "nobody reads its output any more: it may have ended before it was done",
}
"""Of its exit statuses."""


@dataclass(frozen=True, slots=True)
class FiguresCommand:
    """A verb: what it does, in words and as a function that returns the exit status; how its
    options are added, and examples of it."""

    words: str
    run: Callable[[argparse.Namespace], int]
    add: Callable[[argparse.ArgumentParser], None]
    examples: tuple[tuple[str, str], ...]


def _report(given: argparse.Namespace) -> int:
    try:
        write_report(given)
    except ImportError as error:
        needed = f"{error.name} is not installed; the extra 'figures' brings it"
        raise NotDone(NOT_WELL, f"report: {needed}") from error
    return 0


COMMANDS: Final[Mapping[str, FiguresCommand]] = {
    "edge": FiguresCommand(
        "Plays very many rounds: house edge, side wagers, the draw, how often what happens",
        edge,
        add_edge,
        (
            (
                "table-figures edge mbs-pontoon-pandemonium-v5 --rounds 2e9 --resume mbs.run",
                "to five places of a fraction; after Ctrl-C the same command goes on",
            ),
            (
                "table-figures edge division-15-pontoon --cluster tcp://10.0.0.1:8786 --json",
                "by the workers of a Dask cluster, for 'shift' and 'report'",
            ),
        ),
    ),
    "side": FiguresCommand(
        "Holds side wagers and the Super Bonus against what they return exactly",
        side,
        add_side,
        (("table-figures side rws-pontoon-plus-v5 --decks 6", "every round from a full shoe"),),
    ),
    "shift": FiguresCommand(
        "Tells what a shift may bring, and what a floor's report is to expect",
        shift,
        add_shift,
        (
            (
                "table-figures shift mbs.json --rounds 400 --stake 25 --loses 5000 10000",
                "of main wagers of $25 on every box",
            ),
            (
                "table-figures shift mbs.json --stake 25 --expected > expected/DIGEST.json",
                "DIGEST: the SHA-256 of the rule file",
            ),
        ),
    ),
    "worth": FiguresCommand(
        "Tells what each value of a rule file is worth to the house",
        print_worth,
        add_worth,
        (
            (
                "table-figures worth mbs-pontoon-pandemonium-v5 --jobs 2 --json > worth.json",
                "for a report",
            ),
        ),
    ),
    "strategy": FiguresCommand(
        "Finds the exact strategy of a document, and what it is worth; a table to print",
        print_strategy,
        add_strategy,
        (
            (
                "table-figures strategy division-15-pontoon --decks 6 --svg card.svg",
                "a card for six decks, and the same as text",
            ),
            (
                "table-figures strategy mbs-pontoon-pandemonium-v5 --json > strategy.json",
                "for a report",
            ),
        ),
    ),
    "strangers": FiguresCommand(
        "Plays the published edges of other tables, and tells which of them come out",
        print_strangers,
        add_strangers,
        (
            (
                "table-figures strangers --rounds 1e10 --jobs 2 --json > strangers.json",
                "as many hands as were published, for a report",
            ),
        ),
    ),
    "report": FiguresCommand(
        "Makes a report with pictures of what the other commands have printed as JSON",
        _report,
        add_report,
        (
            (
                "table-figures report mbs.json worth.json --html mbs.html --pdf mbs.pdf",
                "to read and to print",
            ),
        ),
    ),
}


def build() -> argparse.ArgumentParser:
    """The parser of its options."""
    parser = argparse.ArgumentParser(
        prog="table-figures",
        description="Tells what the games of rule files return",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    for name, command in COMMANDS.items():
        examples = "".join(f"\n  {words}\n      {what}" for words, what in command.examples)
        verb = verbs.add_parser(
            name,
            help=command.words,
            description=command.words,
            epilog=f"examples:{examples.rstrip()}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add(verb)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Do what was asked; returns the exit status."""
    given = build().parse_args(argv)
    try:
        status = COMMANDS[given.verb].run(given)
        sys.stdout.flush()
    except NotDone as error:
        print(f"table-figures: {error}", file=sys.stderr)
        return error.code
    except (NotForTheKernel, ShoeTooSmall) as error:
        print(f"table-figures: {error}", file=sys.stderr)
        return WRONG_USE
    except ImportError as error:
        needed = f"{error.name} is not installed; the extra 'figures' brings it"
        print(f"table-figures: {needed}", file=sys.stderr)
        return NOT_WELL
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        lead_nowhere(sys.stdout.fileno())
        return UNREAD
    return status


if __name__ == "__main__":
    sys.exit(main())
