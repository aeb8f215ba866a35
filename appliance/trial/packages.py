"""The packages of a table's box that a trial exchanges: this version, and one before and one after
it, which are the same program under another number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

from appliance.build import as_they_lie, build
from appliance.releases import FOLDER, Release

BEFORE: Final = "0.2.0"
VERSION: Final = "0.3.0"
AFTER: Final = "0.3.1"


def packages(
    release: Release, arch: str = "amd64", versions: Iterable[str] = (VERSION, AFTER)
) -> dict[str, list[Path]]:
    """Them, by version; the program's own comes first in each list."""
    found: dict[str, list[Path]] = {}
    for version in versions:
        to = FOLDER / f"exchanged-{release.name}-{arch}" / version
        made = build(release, arch, to, partial(_source, version=version))
        found[version] = sorted(
            (path for path in made if path.suffix == ".deb" and of_a_box(path)),
            key=lambda path: "demo" in path.name,
        )
    return found


def of_a_box(package: Path) -> bool:
    """Whether a table's box has it: the controller, or what is a part of that."""
    return package.name.startswith("table-controller")


def _source(tree: Path, *, version: str) -> None:
    as_they_lie(tree)
    for name, pattern in (
        ("debian/changelog", r"(?<=^table-controller \()[^)]+"),
        ("pyproject.toml", r'(?m)(?<=^version = ")[^"]+'),
        ("controller/__init__.py", r'(?m)(?<=^__version__ = ")[^"]+'),
    ):
        path = tree / name
        path.write_text(re.sub(pattern, version, path.read_text("utf-8"), count=1), "utf-8")
