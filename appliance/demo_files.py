"""``python -m appliance.demo_files``: the files of the package with the simulated devices.

All that ``tablectl demo`` imports and the box's own package has not, found from the imports in the
source: no test is among it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

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
    seen: set[Path] = set()
    waiting = list(STARTED)
    while waiting:
        file = _file_of(waiting.pop())
        if file is None or file in seen:
            continue
        seen.add(file)
        waiting += _imported(file)
    return sorted(file.relative_to(ROOT) for file in seen)


def _file_of(module: str) -> Path | None:
    if module.partition(".")[0] not in TAKEN:
        return None
    path = ROOT.joinpath(*module.split("."))
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file
    return None


def _imported(file: Path) -> Iterator[str]:
    """The modules that a file imports, or may, and the packages that these lie in."""
    package = file.relative_to(ROOT).parent.parts
    yield from (".".join(package[:end]) for end in range(1, len(package) + 1))
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


if __name__ == "__main__":
    for path in demo_files():
        print(path)
