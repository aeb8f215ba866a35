"""``python -m proof.torture.one_night CONFIG REPORT WALL``: a night at a time of its own, in a
process.

WALL is in ISO 8601. Prints a line of JSON: the report, and ``peak_kb``, what the process took at
most of main memory.
"""

from __future__ import annotations

import json
import resource
import sys
from datetime import datetime
from pathlib import Path

from controller.configuration.reading import load_configuration
from controller.upkeep.night.night import Night


def main(config: str, report: str, wall: str) -> int:
    """Run it; 1 where it found something."""
    now = datetime.fromisoformat(wall)
    told = Night(load_configuration(Path(config)), Path(report), wall=lambda: now).run()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({**told, "peak_kb": peak}))
    return 0 if told["well"] and not told["problems"] else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
