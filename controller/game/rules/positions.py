"""The line numbers of the keys of a TOML file, for messages about faults.

``tomllib`` gives no positions, so the file is scanned once more, by its lexical structure alone:
headers, keys, strings, lists, inline tables, comments. The file must be one that ``tomllib`` takes.
Every path found is compared with what ``tomllib`` has read from the same text; where the two do not
agree there are no positions at all, because a wrong line is worse than none.

A path is the names down to a key, with the number of the entry (from 0) for a list:
``("stand", "minimum")``, ``("irregularities", 2, "by")``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_NAME = re.compile(r"[A-Za-z0-9_-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL
)
_PLAIN = re.compile(r"[^,\]}#\n]+")


def lines_of(text: str) -> Mapping[Path, int]:
    """The line (from 1) of every key, header and list entry; empty where that is in doubt."""
    try:
        data = tomllib.loads(text)
        found = _Scan(text).paths()
    except (tomllib.TOMLDecodeError, _LostError, RecursionError):
        return {}
    if set(found) != set(_paths(data, ())):
        return {}  # pragma: no cover - tomllib and the scan agree on all TOML that is known
    return {path: text.count("\n", 0, at) + 1 for path, at in found.items()}


def line_of(lines: Mapping[Path, int], path: Path) -> int | None:
    """The line of the path or of the nearest path that contains it; None where there is neither."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None


def _paths(value: object, at: Path) -> Iterator[Path]:
    """Every path in the parsed value."""
    if at:
        yield at
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _paths(inner, (*at, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _paths(inner, (*at, number))


class _LostError(Exception):
    """The text has another form than expected here."""


class _Scan:
    """One scan of the text; ``_found`` has each path with its offset, the first one where several
    define it (a table's header after that of a table inside it)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._found: dict[Path, int] = {}
        self._entries: dict[Path, int] = {}
        """How many entries the lists of tables (``[[…]]``) have so far."""

    def paths(self) -> dict[Path, int]:
        table: Path = ()
        while self._more():
            start = self._at
            if self._skip_mark("[["):
                table = self._resolved(self._names(), start, entry=True)
                self._need("]]")
            elif self._skip_mark("["):
                table = self._resolved(self._names(), start)
                self._need("]")
            else:
                self._key(table)
        return self._found

    def _resolved(self, names: list[str], start: int, entry: bool = False) -> Path:
        """The path of a header; lists of tables stand for their last entry."""
        path: Path = ()
        for number, name in enumerate(names, 1):
            path = self._note((*path, name), start)
            if entry and number == len(names):
                self._entries[path] = self._entries.get(path, 0) + 1
            if path in self._entries:
                path = self._note((*path, self._entries[path] - 1), start)
        return path

    def _key(self, table: Path) -> None:
        start, path = self._at, table
        for name in self._names():
            path = self._note((*path, name), start)
        self._need("=")
        self._value(path)

    def _value(self, path: Path) -> None:
        self._more()
        if self._skip_mark("["):
            self._list(path)
        elif self._skip_mark("{"):
            while not self._closed("}"):
                self._key(path)
                self._more()
                self._skip_mark(",")
        else:
            self._match(_STRING if self._text[self._at : self._at + 1] in ('"', "'") else _PLAIN)

    def _list(self, path: Path) -> None:
        number = 0
        while not self._closed("]"):
            self._value(self._note((*path, number), self._at))
            number += 1
            self._more()
            self._skip_mark(",")

    def _names(self) -> list[str]:
        names = []
        self._skip(_BLANK)
        while True:
            name = self._match(_NAME)
            names.append(tomllib.loads(f"name = {name}")["name"] if name[0] in "\"'" else name)
            if not self._skip(_DOT):
                return names

    def _note(self, path: Path, at: int) -> Path:
        self._found.setdefault(path, at)
        return path

    def _closed(self, bracket: str) -> bool:
        if not self._more():
            raise _LostError  # pragma: no cover - tomllib has refused a bracket left open
        return self._skip_mark(bracket)

    def _more(self) -> bool:
        """Whether there is more after blanks and comments."""
        self._skip(_BLANK)
        return self._at < len(self._text)

    def _need(self, mark: str) -> None:
        self._skip(_BLANK)
        if not self._skip_mark(mark):
            raise _LostError  # pragma: no cover - tomllib has refused a header or key cut short

    def _skip_mark(self, mark: str) -> bool:
        found = self._text.startswith(mark, self._at)
        self._at += len(mark) if found else 0
        return found

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        match = pattern.match(self._text, self._at)
        self._at = match.end() if match else self._at
        return match is not None

    def _match(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise _LostError  # pragma: no cover - tomllib has refused a name or value not of TOML
        self._at = match.end()
        return match[0]
