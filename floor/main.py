"""``table-floor``: what a house's server runs, and what people ask it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from controller import __version__


def build() -> argparse.ArgumentParser:
    """The parser of its options."""
    parser = argparse.ArgumentParser(
        prog="table-floor",
        description="Collects the journals of a house's tables, and witnesses them",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Do what was asked; returns the exit status."""
    build().parse_args(argv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
