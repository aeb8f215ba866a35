"""The faults of a rule file as its author needs them: the line, and what may have been meant.

The loader's faults are lines of text, and this reads three things in them:

- A fault begins with what it is about: ``[section]``, ``section.key``, ``section."dotted.key"`` or
  ``irregularities[2].key`` (entries from 0).
- ``is unknown`` behind that speaks of a name, ``= 'word':`` of a value.
- ``expected a, b`` or ``permitted are a, b`` lists what may stand there instead.

An error of another form gets neither line nor suggestion, but is still reported.
"""

from __future__ import annotations

import difflib
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
_UNKNOWN = re.compile(r"\S+ is unknown")
_GIVEN = re.compile(r"\S+ = '(?P<word>[^']*)': ")
_RULE = re.compile(r"\S+ = \{(?P<given>.*)\}: expected \{ value")
_LISTED = re.compile(r"(?:expected|permitted are) (?P<list>[^()=<>]+)$")
_NOT_TOML = re.compile(r"is not TOML: .*\(at line (?P<line>\d+)")
_SECTIONS = {("document",), *((name,) for name in section_names())}
_CLOSE = 0.6


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
        meant = f" (did you mean {self.did_you_mean}?)" if self.did_you_mean else ""
        return f"{self.said}{meant}"


def explained(text: str, faults: Sequence[str]) -> list[RuleFault]:
    """The loader's faults of a file with this text, in the order of its lines."""
    lines = lines_of(text)
    missing = [_path(said) for said in faults if " is missing" in said]
    found = [_explained(said, lines, missing) for said in faults]
    return sorted(found, key=lambda fault: fault.line or 0)


def _explained(said: str, lines: Mapping[Path, int], missing: Sequence[Path]) -> RuleFault:
    not_toml = _NOT_TOML.match(said)
    if not_toml is not None:
        return RuleFault(int(not_toml["line"]), "", said, None)
    path = _path(said)
    if path[:1] not in lines and path[:1] not in _SECTIONS:
        path = ()
    return RuleFault(line_of(lines, path), _dotted_path(path), said, _near(said, missing))


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


def _near(said: str, missing: Sequence[Path]) -> str | None:
    """The nearest of what may stand there: what the fault lists, and, for an unknown name, what
    another fault misses at the same place."""
    listed = _LISTED.search(said)
    choices = [word.strip(" '\"") for word in re.split(",| or ", listed["list"])] if listed else []
    given = _GIVEN.match(said)
    if given is not None:
        wrong = given["word"]
    elif (rule := _RULE.match(said)) is not None:
        choices = ["value", "clause"]
        names = re.findall(r"'(\w+)':", rule["given"])
        wrong = next((name for name in names if name not in choices), "")
    elif _UNKNOWN.match(said):
        path = _path(said)
        wrong = str(path[-1])
        choices += [str(other[-1]) for other in missing if other[:-1] == path[:-1]]
    else:
        return None
    plain = {_plain(choice): choice for choice in choices}
    near = difflib.get_close_matches(_plain(wrong), plain, 1, _CLOSE)
    return plain[near[0]] if near else None


def _plain(word: str) -> str:
    return word.lower().replace("-", "_").replace(" ", "_")
