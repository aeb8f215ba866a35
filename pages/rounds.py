"""Write what may go wrong in a round, and its remedies, into the page of round scripts:
``python -m pages.rounds``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

from controller.game.rules.cases import REMEDIES
from controller.game.rules.triggers import KNOWN
from pages.generated import DOCS, between, run

MODULE: Final = "pages.rounds"
DOCUMENT: Final = DOCS / "round-scripts.md"


def make(present: str) -> str:
    """The page with both tables anew."""
    return between(between(present, "triggers", list(_triggers())), "remedies", list(_remedies()))


def _triggers() -> Iterator[str]:
    yield from ("| trigger | | what it means |", "| --- | --- | --- |")
    for name, trigger in KNOWN.items():
        report = f"`report {name} BOX`" if trigger.box else f"`report {name}`"
        opened = "by a card" if trigger.by_card else report
        yield f"| `{name}` | {opened} | {trigger.words} |"


def _remedies() -> Iterator[str]:
    yield from ("| remedy | what it does |", "| --- | --- |")
    yield from (f"| `{name}` | {words} |" for name, words in REMEDIES.items())


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it."""
    return run(MODULE, DOCUMENT, make, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
