"""``python -m appliance.demo_files``: the files of the package with the simulated devices.

All that ``tablectl demo`` imports and the box's own package has not, found from the imports in the
source: no test is among it. What is imported only when a function is called counts, what is
imported for types alone does not.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final


def imported_by(
    modules: Iterable[str], root: Path, ours: Collection[str]
) -> tuple[set[Path], set[str]]:
    """The files below ``root`` that the modules lie in and import, directly or not, and the names
    of the packages outside ``ours``, the folders of ``root`` that are looked into."""
    files: set[Path] = set()
    others: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        top = module.partition(".")[0]
        if top not in ours:
            others.add(top)
        elif (file := _file_of(module, root)) is not None and file not in files:
            files.add(file)
            waiting += _imported(file, root)
    return files, others


def _file_of(module: str, root: Path) -> Path | None:
    path = root.joinpath(*module.split("."))
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file
    return None  # a name within a module


def _imported(file: Path, root: Path) -> Iterator[str]:
    """The modules that a file imports, or may, and the packages that these lie in."""
    package = file.relative_to(root).parent.parts
    yield from (".".join(package[:end]) for end in range(1, len(package) + 1))
    for node in _executed_nodes(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def _executed_nodes(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _executed_nodes(child)


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
