"""Writes the drawn pictures: ``python -m pages.drawn.pictures``; ``--check`` exits 1 where one is
not what is committed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Final

from pages.drawn import above, cables, hold, keypad
from pages.generated import DOCS, put

PICTURES: Final = DOCS / "pictures"
DRAWN: Final[Mapping[str, Callable[[], str]]] = {
    "drawn-table": above.drawn,
    "drawn-cables": cables.drawn,
    "drawn-keypad": keypad.drawn,
    "drawn-hold": hold.drawn,
}


def main(arguments: list[str] | None = None) -> int:
    """Write, or check; the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    drawn = ((PICTURES / f"{name}.svg", draw()) for name, draw in DRAWN.items())
    differ = put(drawn, check="--check" in given)
    for path in differ:
        print(f"{path.name} differs")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
