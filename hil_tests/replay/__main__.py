"""``python -m hil_tests.replay CAPTURE...``: captures played again, as docs/captures.md says.

Exit 0: all came as it did. 1: it did not, and what is otherwise. 2: these files cannot be replayed.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from drivers.capture.reader import BadCapture
from hil_tests.replay import JOURNAL, replay
from hil_tests.replay.case import CannotReplay
from hil_tests.replay.exported import BadExport


def main(arguments: list[str] | None = None) -> int:
    """Replay what is named."""
    parser = argparse.ArgumentParser(prog="hil_tests.replay", description="Play captures again")
    parser.add_argument("captures", metavar="CAPTURE", nargs="+", type=Path)
    parser.add_argument(
        "--journal",
        metavar="EXPORT",
        type=Path,
        help=f"what 'tablectl journal export' wrote of that time; else NAME{JOURNAL}",
    )
    parser.add_argument("--json", action="store_true", help="report in JSON")
    options = parser.parse_args(arguments)
    try:
        came = replay(*options.captures, journal=options.journal)
    except (BadCapture, BadExport, CannotReplay) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    for trouble in came.troubles:
        print(trouble, file=sys.stderr)
    if options.json:
        print(json.dumps(asdict(came)))
    else:
        for difference in came.differences:
            print(difference)
        told = "as it was" if not came.differences else "OTHERWISE"
        print(f"{came.entries} entries in {came.seconds:.1f} s of table time: {told}")
    return 1 if came.differences else 0


if __name__ == "__main__":
    sys.exit(main())
