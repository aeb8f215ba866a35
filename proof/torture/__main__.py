"""usage: python -m proof.torture [NAME [OPTION ...]]

Runs one kind of torture with its options, or, without a name, each with its own defaults. What
options there are: python -m proof.torture NAME --help
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

ALL: Final = ("play", "kills", "unplugging", "altering")
"""What runs when none is named; a floor needs PostgreSQL, and takes long."""

KNOWN: Final = (*ALL, "floor")


def run_kind(name: str, arguments: Sequence[str]) -> int:
    """Run one kind of torture; its exit status: 1 when anything was wrong."""
    module = import_module(f"proof.torture.{name}")
    parser = argparse.ArgumentParser(
        prog=f"python -m proof.torture {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(parser)
    return int(module.run_torture(parser.parse_args(arguments)))


def main(arguments: Sequence[str]) -> int:
    """Run what is named, with its options, or all with their own defaults."""
    if not arguments:
        return max(run_kind(name, ()) for name in ALL)
    name, *options = arguments
    if name in ("-h", "--help"):
        print(f"{__doc__}\nnames: {', '.join(KNOWN)} (the last one only when named)")
        return 0
    if name not in KNOWN:
        print(f"torture: there is no {name!r}; known: {', '.join(KNOWN)}", file=sys.stderr)
        return 2
    return run_kind(name, options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
