"""Write the keypad's grammar into the page: ``python -m pages.table.keys``."""

from __future__ import annotations

import sys

from controller.table.entering.grammar import GRAMMAR
from pages.generated import DOCS, between, run

DOCUMENT = DOCS / "supervisor.md"


def make(present: str) -> str:
    """The page with the table of keys as the code has it."""
    lines = ["| keys | command | |", "| --- | --- | --- |"]
    lines += [f"| `{keys}` | {command} | {remark} |" for keys, command, remark in GRAMMAR]
    return between(present, "keys", lines)


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it."""
    given = sys.argv[1:] if arguments is None else arguments
    return run("pages.table.keys", DOCUMENT, make, given)


if __name__ == "__main__":
    sys.exit(main())
