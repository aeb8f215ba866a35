"""``table-figures``: what games return, for who approves, buys or audits a table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Final

from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.verbs import INTERRUPTED, UNREAD, Verb, parser_of, status_of
from figures.edges.cluster import BY_EXTRA
from figures.games.games import ShoeTooSmall
from figures.kernel.tables import NotForTheKernel
from figures.program.edge_commands import (
    add_edge,
    add_shift,
    add_side,
    add_worth,
    edge,
    print_worth,
    shift,
    side,
)
from figures.program.strategy_commands import (
    add_strangers,
    add_strategy,
    print_strangers,
    print_strategy,
)
from figures.report.command import add_report, write_report

MEANING: Final = {
    0: "done",
    NOT_WELL: "a figure is too far from its exact value to be chance; or a file or a cluster"
    " cannot be used now",
    WRONG_USE: "wrong options, or a file that is not what was expected",
    INTERRUPTED: "interrupted (Ctrl-C): figures are those of the rounds that were played",
    UNREAD: "nobody reads its output any more: it may have ended before it was done",
}
"""Of its exit statuses."""


COMMANDS: Final[Mapping[str, Verb]] = {
    "edge": Verb(
        "Plays very many rounds: house edge, side wagers, the draw, how often what happens",
        edge,
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
        add_edge,
    ),
    "side": Verb(
        "Holds side wagers and the Super Bonus against what they return exactly",
        side,
        (("table-figures side rws-pontoon-plus-v5 --decks 6", "every round from a full shoe"),),
        add_side,
    ),
    "shift": Verb(
        "Tells what a shift may bring, and what a floor's report is to expect",
        shift,
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
        add_shift,
    ),
    "worth": Verb(
        "Tells what each value of a rule file is worth to the house",
        print_worth,
        (
            (
                "table-figures worth mbs-pontoon-pandemonium-v5 --jobs 2 --json > worth.json",
                "for a report",
            ),
        ),
        add_worth,
    ),
    "strategy": Verb(
        "Finds the exact strategy of a document, and what it is worth; a table to print",
        print_strategy,
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
        add_strategy,
    ),
    "strangers": Verb(
        "Plays the published edges of other tables, and tells which of them come out",
        print_strangers,
        (
            (
                "table-figures strangers --rounds 1e10 --jobs 2 --json > strangers.json",
                "as many hands as were published, for a report",
            ),
        ),
        add_strangers,
    ),
    "report": Verb(
        "Makes a report with pictures of what the other commands have printed as JSON",
        write_report,
        (
            (
                "table-figures report mbs.json worth.json --html mbs.html --pdf mbs.pdf",
                "to read and to print",
            ),
        ),
        add_report,
    ),
}


def build() -> argparse.ArgumentParser:
    """The parser of its options."""
    return parser_of(
        COMMANDS, prog="table-figures", description="Tells what the games of rule files return"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Do what was asked; returns the exit status."""
    given = build().parse_args(argv)
    return status_of("table-figures", lambda: _run_command(given))


def _run_command(given: argparse.Namespace) -> int | None:
    try:
        return COMMANDS[given.verb].run(given)
    except NotForTheKernel as error:
        raise NotDone(WRONG_USE, str(error)) from error
    except ShoeTooSmall as error:
        raise NotDone(WRONG_USE, f"too few decks: {error}") from error
    except ModuleNotFoundError as error:
        needed = f"{error.name} is not installed; {BY_EXTRA}"
        raise NotDone(NOT_WELL, f"{given.verb}: {needed}") from error
    except ImportError as error:  # a library that does not fit another one says so itself
        raise NotDone(NOT_WELL, f"{given.verb}: {error}") from error


if __name__ == "__main__":
    sys.exit(main())
