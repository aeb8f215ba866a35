"""How large the house is: ``python -m tests.architecture.house``.

The rules (``[tool.house.budget]`` in pyproject.toml has the numbers):

- A line of code is one that is neither blank, nor a comment, nor in a docstring. Python,
  JavaScript, SQL and shell count.
- A room is a folder at the top, and each of the controller's.

Run by hand it prints the rooms beside their targets, and how many modules are laid out otherwise
than they should be; ``--lower`` writes down what has become smaller.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tests.architecture.modules import EXCEPTIONS_OF, PROJECT, ROOT, files, modules

EXCEPTIONS: Final = Path(__file__).with_name("exceptions.toml")
OTHER_LANGUAGES: Final = {".js": "//", ".mjs": "//", ".sql": "--", ".sh": "#"}
SHELL: Final = re.compile(rb"#!.*\b(?:ba|da)?sh\b")
SPARE_LINES: Final = 40
SPARE_PER_CENT: Final = 3


def room_of(path: str) -> str:
    """The room in which a file stands."""
    parts = path.split("/")
    if len(parts) == 1:
        return "."
    return "/".join(parts[:2]) if parts[0] == "controller" and len(parts) > 2 else parts[0]


@cache
def code_of_rooms() -> Mapping[str, int]:
    """Lines of code by room."""
    rooms: dict[str, int] = defaultdict(int)
    for module in modules():
        rooms[room_of(module.path)] += module.code()
    for path in files():
        if (lines := _other_code(path)) is not None:
            rooms[room_of(path)] += lines
    return dict(sorted(rooms.items()))


def _other_code(path: str) -> int | None:
    """Lines of code of a file in another language; None where it is in none of them."""
    suffix = Path(path).suffix
    if suffix == ".py" or not (suffix in OTHER_LANGUAGES or "/" in path):
        return None
    content = (ROOT / path).read_bytes()
    remark = OTHER_LANGUAGES.get(suffix) or ("#" if SHELL.match(content[:40]) else None)
    if remark is None:
        return None
    text = content.decode("utf-8")
    if remark == "//":
        text = re.sub(r"^\s*/\*.*?\*/", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith(remark) for line in lines)


@dataclass(frozen=True)
class Room:
    """What a room has, may have and is meant to have, in lines of code."""

    name: str
    code: int
    most: int
    target: int

    @property
    def too_many(self) -> int:
        """Lines above the budget."""
        return max(0, self.code - self.most)

    @property
    def to_lower(self) -> int:
        """Lines that the budget has to spare, where they are too many to be left to chance."""
        spare = self.most - self.code
        return spare if spare > max(SPARE_LINES, self.most // 100 * SPARE_PER_CENT) else 0


def budget(project: str) -> dict[str, tuple[int, int]]:
    """What each room may have and what it is meant to have, by a pyproject.toml's text."""
    house = tomllib.loads(project)["tool"].get("house", {})
    return {name: (row["most"], row["target"]) for name, row in house.get("budget", {}).items()}


def rooms() -> list[Room]:
    """Every room that has code, or a budget."""
    allowed, there = budget(PROJECT.read_text("utf-8")), code_of_rooms()
    return [
        Room(name, there.get(name, 0), *allowed.get(name, (0, 0)))
        for name in sorted(allowed.keys() | there.keys())
    ]


def exceptions() -> dict[str, dict[str, str]]:
    """The exceptions by kind: what is excepted, and why."""
    listed: dict[str, dict[str, str]] = tomllib.loads(EXCEPTIONS.read_text("utf-8"))
    return listed


def lower() -> None:
    """Write into the budget what the rooms have, and strike out exceptions that are none."""
    project = PROJECT.read_text("utf-8")
    for room in rooms():
        if room.code < room.most:
            row = re.compile(rf'^("?{re.escape(room.name)}"? = {{ most = )\d+', re.MULTILINE)
            project = row.sub(rf"\g<1>{room.code}", project)
    PROJECT.write_text(project, "utf-8")
    kept = [
        line
        for line in EXCEPTIONS.read_text("utf-8").splitlines()
        if not (entry := re.match(r'"(.*?)" = ', line)) or entry[1] in _all_exceptions()
    ]
    EXCEPTIONS.write_text("\n".join(kept) + "\n", "utf-8")


@cache
def _all_exceptions() -> frozenset[str]:
    return frozenset(name for find in EXCEPTIONS_OF.values() for name in find())


def main(arguments: list[str]) -> int:
    """Print the rooms, and how many exceptions there are; with ``--lower``, write them down."""
    if arguments == ["--lower"]:
        lower()
    elif arguments:
        print("usage: python -m tests.architecture.house [--lower]", file=sys.stderr)
        return 2
    print(f"{'room':28}{'code':>8}{'budget':>8}{'target':>8}")
    whole = rooms()
    total = Room("all", *(sum(getattr(r, n) for r in whole) for n in ("code", "most", "target")))
    for room in (*whole, total):
        print(f"{room.name:28}{room.code:8}{room.most:8}{room.target:8}")
    for kind, find in EXCEPTIONS_OF.items():
        print(f"{kind:28}{len(find()):8}{len(exceptions().get(kind, {})):8}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
