"""``python -m appliance.demo_files``: the files of the package with the simulated devices.

All that ``tablectl demo`` imports and the box's own package has not, found from the imports in the
source: no test is among it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from appliance.imports import imported_by

ROOT: Final = Path(__file__).resolve().parents[1]
STARTED: Final = (
    "hil_tests.demo.__main__",
    "hil_tests.bench.processes",
    "hil_tests.benches.virtual.on_bus",
    "hil_tests.benches.virtual.pyusb_backend",
    "simulators.__main__",
    "simulators.person",
)
"""What is run by its name."""
TAKEN: Final = ("hil_tests", "simulators")


def demo_files() -> list[Path]:
    """Their paths from the source's root, in order."""
    files, _ = imported_by(STARTED, ROOT, TAKEN)
    return sorted(file.relative_to(ROOT) for file in files)


if __name__ == "__main__":
    for path in demo_files():
        print(path)
