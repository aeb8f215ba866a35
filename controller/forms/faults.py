"""What is wrong with a plain value: where in it, what stands there, and what is expected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Self

MOST_SHOWN: Final = 60
AN_OBJECT: Final = "an object"


class Wrong:
    """What a reader gives in place of a value with faults. ``faults`` are the places behind the
    value with what is wrong there; ``found`` is what could be read of its fields."""

    __slots__ = ("faults", "found")

    def __init__(
        self, faults: Iterable[tuple[str, str]], found: Mapping[str, object] | None = None
    ) -> None:
        self.faults = tuple(faults)
        self.found = found or {}

    @classmethod
    def value(cls, value: object, why: str) -> Self:
        """The value itself is wrong."""
        return cls([("", f" = {value_text(value)}: {why}")])

    def behind(self, place: str) -> Iterable[tuple[str, str]]:
        """Its faults as those of a value in which this one has that place."""
        return [(place + inner, why) for inner, why in self.faults]

    def lines(self, where: str) -> list[str]:
        """A line for each fault; ``where`` is the value's name, empty for a whole file."""
        return [
            f"{where}{place}{why}".removeprefix(".").removeprefix(" = ")
            for place, why in self.faults
        ]

    def toml_lines(self, where: str) -> list[str]:
        """The same in the words of TOML, where an object is a table."""
        return [_in_toml(line) for line in self.lines(where)]


def _in_toml(line: str) -> str:
    place = line.partition(" ")[0]
    if line.endswith(f" is missing: expected {AN_OBJECT}"):
        return f"[{place}] is missing"
    header = "" if place.endswith("]") else f", [{place}]"
    return f"{line.removesuffix(AN_OBJECT)}a table{header}" if line.endswith(AN_OBJECT) else line


def unknown(key: str, known: Iterable[str]) -> str:
    """The message about an unknown name."""
    names = list(dict.fromkeys(known))
    near = nearest(key, names)
    return f"{key_text(key)} is unknown: {f'{near} ' if near else ''}known are {', '.join(names)}"


def not_among(value: object, names: Iterable[object]) -> str:
    """What is expected in place of a value that is none of these, and which was probably meant."""
    near = nearest(value, names)
    return f"expected {among(names)}{f'; {near}' if near else ''}"


def among(names: Iterable[object]) -> str:
    """What is expected where one of these may stand."""
    if {*names} == {True, False}:
        return "true or false"
    return f"one of {', '.join(map(_name, names))}"


def nearest(given: object, names: Iterable[object]) -> str:
    """The question whether one of the names was meant; empty where none is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - only after a mistake

    plain = {_plain(name): _name(name) for name in names}
    near = get_close_matches(_plain(given), plain, 1)
    return f"did you mean {plain[near[0]]}?" if near else ""


def _name(name: object) -> str:
    return name if isinstance(name, str) else value_text(name)


def _plain(name: object) -> str:
    return _name(name)[:MOST_SHOWN].lower().replace("-", "_").replace(" ", "_")


def key_text(key: str) -> str:
    """A key as text that fits on a line."""
    plain = key if key.isprintable() and key else ascii(key)
    plain = f'"{plain}"' if "." in plain else plain
    return plain if len(plain) <= MOST_SHOWN else f"{plain[:MOST_SHOWN]}…"


def value_text(value: object) -> str:
    """A plain value as text that fits on a line, as TOML and JSON write it."""
    match value:
        case None:
            text = "null"
        case bool():
            text = "true" if value else "false"
        case str():
            text = f'"{value if value.isprintable() else ascii(value)[1:-1]}"'
        case Mapping():
            items = (f"{key_text(str(key))} = {value_text(item)}" for key, item in value.items())
            text = f"{{{', '.join(items)}}}"
        case list() | tuple():
            text = f"[{', '.join(map(value_text, value))}]"
        case _:
            try:
                text = str(value)
            except ValueError:  # a whole number of more digits than Python prints
                text = "a number of thousands of digits"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
