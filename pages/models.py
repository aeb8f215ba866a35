"""Write the claims of the models into their page: ``python -m pages.models``.

A model names them at its head, behind ``Claims:``, one to an item.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Final

from pages.generated import DOCS, ROOT, between, write_page

MODULE: Final = "pages.models"
DOCUMENT: Final = DOCS / "models.md"
MODELS: Final = ("link", "draw", "stored")
CLAIMS: Final = re.compile(r"^ \* Claims:\n(.*?)^ \*/$", re.MULTILINE | re.DOTALL)
ITEM: Final = re.compile(r"^ \* - (.*?)(?=^ \* - |\Z)", re.MULTILINE | re.DOTALL)


def make_page(present: str) -> str:
    """The page with its claims anew."""
    return between(present, "claims", ["| model | claim |", "| --- | --- |", *_rows()])


def _rows() -> Iterator[str]:
    for name in MODELS:
        text = (ROOT / "proof" / "models" / name / f"{name}.pml").read_text("utf-8")
        head = CLAIMS.search(text)
        assert head, f"{name}.pml names no claims"
        for item in ITEM.findall(head[1]):
            yield f"| {name} | {' '.join(item.replace(' *  ', ' ').split())} |"


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it."""
    return write_page(MODULE, DOCUMENT, make_page, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
