"""The faults of a rule file as its author needs them: the line, and what may have been meant.

The loader's faults are lines of text, and this reads two things in them:

- A fault begins with what it is about: ``[section]``, ``section.key``, ``section."dotted.key"`` or
  ``irregularities[2].key`` (entries from 0).
- ``did you mean NAME?`` names what may have been meant.

An error of another form gets neither line nor suggestion, but is still reported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from controller.files.rule_lines import section_names
from controller.game.rules.positions import Path, line_of, lines_of

_ABOUT = re.compile(
    r"(?:section )?(?:\[+(?P<header>[\w-]+)\]+"
    r"|(?P<section>[\w-]+)(?:\[(?P<entry>\d+)\])?(?P<keys>(?:\.[\w-]+)*)"
    r"(?:\.\"(?P<quoted>[^\"]*)\")?)"
)
_MEANT = re.compile(r"did you mean (?P<name>[^?]+)\?")
_NOT_TOML = re.compile(r"is not TOML: .*\(at line (?P<line>\d+)")
_SECTIONS = {("document",), *((name,) for name in section_names())}


@dataclass(frozen=True, slots=True)
class RuleFault:
    """One fault: where it stands (``line`` from 1, ``key`` as its path), what is wrong, and the
    name or value that was probably meant."""

    line: int | None
    key: str
    said: str
    did_you_mean: str | None

    def as_json(self) -> dict[str, object]:
        """As ``rules check --json`` lists it."""
        return asdict(self)

    def __str__(self) -> str:
        return self.said


def explained(text: str, faults: Sequence[str]) -> list[RuleFault]:
    """The loader's faults of a file with this text, in the order of its lines."""
    lines = lines_of(text)
    found = [_explained(said, lines) for said in faults]
    return sorted(found, key=lambda fault: fault.line or 0)


def _explained(said: str, lines: Mapping[Path, int]) -> RuleFault:
    not_toml = _NOT_TOML.match(said)
    if not_toml is not None:
        return RuleFault(int(not_toml["line"]), "", said, None)
    path = _path(said)
    if path[:1] not in lines and path[:1] not in _SECTIONS:
        path = ()
    meant = _MEANT.search(said)
    return RuleFault(line_of(lines, path), _dotted_path(path), said, meant and meant["name"])


def _path(said: str) -> Path:
    """What the fault is about."""
    match = _ABOUT.match(said)
    if match is None:
        return ()
    entry = () if match["entry"] is None else (int(match["entry"]),)
    keys = [key for key in (match["keys"] or "").split(".") if key]
    names = (match["header"] or match["section"], *entry, *keys, match["quoted"])
    return tuple(name for name in names if name is not None)


def _dotted_path(path: Path) -> str:
    text = ""
    for name in path:
        dotted = f'."{name}"' if "." in str(name) else f".{name}"
        text += f"[{name}]" if isinstance(name, int) else dotted
    return text.removeprefix(".")
