"""The packages of a table's box that a trial exchanges: the version before, this one, and one after
it.

The version before is the program of the commit :data:`BEFORE`, with today's packaging around it: it
had none of its own. The one after is this one under a higher number.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

from appliance.build import as_they_lie, build, commit
from appliance.releases import FOLDER, Release

BEFORE: Final = "06f3ceb"
VERSIONS: Final = ("0.1.0", "0.3.0", "0.3.1")
OF_BEFORE: Final = ("controller", "drivers", "config", "pages", "simulators", "hil_tests")
"""Its folders, with today's names; those that came later go."""
BESIDE: Final = ("figures", "floor", "console")
"""Programs of their own that came later, each with its package, or none yet."""


def packages(
    release: Release, arch: str = "amd64", versions: Iterable[str] = VERSIONS
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
    if version == VERSIONS[0]:
        as_they_lie(tree)
        for name in (*OF_BEFORE, *BESIDE):
            shutil.rmtree(tree / name)
        for file in (one for name in BESIDE for one in (tree / "debian").glob(f"table-{name}.*")):
            file.unlink()
        control = tree / "debian" / "control"
        ours = [f"Package: table-{name}\n" for name in BESIDE]
        kept = [
            one
            for one in control.read_text("utf-8").split("\n\n")
            if not any(f"{one}\n".startswith(name) for name in ours)
        ]
        control.write_text("\n\n".join(kept), "utf-8")
        commit(tree, BEFORE, *OF_BEFORE)
    else:
        as_they_lie(tree)
    for name, pattern in (
        ("debian/changelog", r"(?<=^table-controller \()[^)]+"),
        ("pyproject.toml", r'(?m)(?<=^version = ")[^"]+'),
        ("controller/__init__.py", r'(?m)(?<=^__version__ = ")[^"]+'),
    ):
        path = tree / name
        path.write_text(re.sub(pattern, version, path.read_text("utf-8"), count=1), "utf-8")
