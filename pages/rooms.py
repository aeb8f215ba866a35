"""The rooms of the code, for the maintainer's page.

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

from pages.generated import ROOT, as_table

CONTRACT: Final = "Layers of the controller"
OTHERS: Final = (
    *("figures", "exporter", "floor", "web", "drivers", "simulators", "verifier", "hil_tests"),
    *("proof", "pages", "appliance"),
)
QUOTED: Final = re.compile(r"(?::\w+:)?(`{1,2})\.?(.+?)\1")


def controller_rooms() -> Iterator[str]:
    """The rooms of the controller, with those in them."""
    top = ROOT / "controller"
    places = (top / name if (top / name).is_dir() else top / f"{name}.py" for name in layers())
    rooms = (_row(room, top) for place in places for room in (place, *_rooms(place)))
    return as_table(("in `controller/`", "what"), rooms)


def other_folders() -> Iterator[str]:
    """The other folders of code, with the rooms right in them."""
    folders = [ROOT / name for name in OTHERS]
    places = (one for top in folders for one in (top, *_rooms(top)) if top in (one, one.parent))
    return as_table(("folder", "what"), (_row(place, ROOT) for place in places))


def layers() -> list[str]:
    """The controller's rooms and single files, each above those that it may import."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    found = next(contract for contract in contracts if contract["name"] == CONTRACT)
    return " | ".join(found["layers"]).split(" | ")


def _rooms(top: Path) -> list[Path]:
    return sorted(file.parent for file in top.glob("*/**/__init__.py"))


def _row(place: Path, top: Path) -> tuple[str, str]:
    file = place / "__init__.py" if place.is_dir() else place
    name = f"{place.relative_to(top)}{'/' if place.is_dir() else ''}"
    told = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return f"`{name}`", QUOTED.sub(r"`\2`", " ".join(told.partition("\n\n")[0].split()))
