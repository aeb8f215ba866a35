"""Write the rooms of the code into the maintainer's page.

A room is a folder of Python. What it is for is the first paragraph of its docstring; the order of
the controller's rooms is that of their import contract (``pyproject.toml``).
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pages.generated import ROOT, between, heads

CONTRACT: Final = "Layers of the controller"
OTHERS: Final = (
    "figures",
    "exporter",
    "floor",
    "web",
    "drivers",
    "simulators",
    "verifier",
    "hil_tests",
    "proof",
)
TOOLS: Final = ("pages", "appliance")
QUOTED: Final = re.compile(r"(?::\w+:)?(`{1,2})\.?(.+?)\1")


def make_page(present: str) -> str:
    """The page with its two tables anew."""
    text = between(present, "rooms", [*heads("in `controller/`", "what"), *_inner()])
    return between(text, "others", [*heads("folder", "what"), *_outer()])


def _inner() -> Iterator[str]:
    top = ROOT / "controller"
    for name in layers():
        if (top / name).is_dir():
            yield _row(top / name, top)
            yield from (_row(room, top) for room in _rooms(top / name))
        else:
            yield _row(top / f"{name}.py", top)


def _outer() -> Iterator[str]:
    for name in (*OTHERS, *TOOLS):
        top = ROOT / name
        yield _row(top, ROOT)
        yield from (_row(room, ROOT) for room in _rooms(top) if room.parent == top)


def layers() -> list[str]:
    """The controller's rooms and single files, each above those that it may import."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    found = next(contract for contract in contracts if contract["name"] == CONTRACT)
    return " | ".join(found["layers"]).split(" | ")


def _rooms(top: Path) -> list[Path]:
    return sorted(file.parent for file in top.glob("*/**/__init__.py"))


def _row(place: Path, top: Path) -> str:
    file = place / "__init__.py" if place.is_dir() else place
    name = f"{place.relative_to(top)}/" if place.is_dir() else place.name
    told = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    first = " ".join(told.partition("\n\n")[0].split()).replace("|", "\\|")
    purpose = QUOTED.sub(r"`\2`", first)
    return f"| `{name}` | {purpose} |"
