"""One name, one thing: no two public classes have the same name, wherever they stand."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("controller", "drivers", "exporter", "figures", "floor", "web")


def _classes() -> dict[str, list[str]]:
    """The files of each public class that stands at the top of one, by its name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(path.relative_to(ROOT)))
    return found


def test_a_class_is_the_only_one_of_its_name() -> None:
    found = _classes()
    assert len(found) > 500
    assert {name: files for name, files in found.items() if len(files) > 1} == {}
