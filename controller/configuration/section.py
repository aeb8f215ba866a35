"""Reading a TOML table key by key, collecting every error instead of raising the first.

The rules:

- A fault is one line: the key, the value given, what is expected, and what to do where that is not
  plain. Reading goes on after it, so that a person corrects all errors of a file at once.
- A key that was not read before :meth:`Section.done` is unknown, and an error: a misspelt key would
  otherwise count as left out.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from controller.game.money import parse_amount, write_amount

MOST_SHOWN = 60
TIME_OF_DAY: Final = re.compile("(?:[01][0-9]|2[0-3]):[0-5][0-9]")


class Section:
    """One table of the file. Every reading method returns None after it has noted a fault."""

    def __init__(self, name: str, data: Mapping[str, object], faults: list[str]) -> None:
        self.name = name
        self._data = data
        self._faults = faults
        self._asked: list[str] = []

    def fault(self, key: str, expected: str) -> None:
        """Note a fault of a given key."""
        self._faults.append(f"{self.name}.{key} = {toml_text(self._data.get(key))}: {expected}")

    def has(self, key: str) -> bool:
        """Whether the file gives the key."""
        self._asked.append(key)
        return key in self._data

    def _given(self, key: str, expected: str, default: object) -> object:
        if self.has(key):
            return self._data[key]
        if default is None:
            self._faults.append(f"{self.name}.{key} is missing: expected {expected}")
        return default

    def text(
        self, key: str, expected: str, default: str | None = None, longest: int = 4096
    ) -> str | None:
        """Printable text that is not empty."""
        value = self._given(key, expected, default)
        if value is None:
            return None
        if isinstance(value, str) and value.strip() and value.isprintable():
            if len(value) <= longest:
                return value
            self.fault(key, f"expected at most {longest} characters")
            return None
        quotes = "" if isinstance(value, str) else ", in quotes"
        self.fault(key, f"expected {expected}{quotes}")
        return None

    def time_of_day(self, key: str, what: str, default: str) -> str | None:
        """An hour and a minute of local time, ``HH:MM``."""
        expected = f"{what}, local time as {default}"
        value = self.text(key, expected, default)
        if value is None or TIME_OF_DAY.fullmatch(value):
            return value
        self.fault(key, f"expected {expected}, 00:00 to 23:59")
        return None

    def number(
        self, key: str, low: int, high: int, what: str, default: int | None = None
    ) -> int | None:
        """A whole number from ``low`` to ``high``."""
        expected = f"expected {low} to {high} ({what})"
        value = self._given(key, f"{low} to {high} ({what})", default)
        if value is None:
            return None
        if type(value) is int and low <= value <= high:
            return value
        how = "" if type(value) is int else ": a whole number, without quotes"
        self.fault(key, f"{expected}{how}")
        return None

    def flag(self, key: str, what: str, *, default: bool) -> bool | None:
        """``true`` or ``false``."""
        value = self._given(key, what, default)
        if isinstance(value, bool):
            return value
        self.fault(key, f"expected true or false ({what})")
        return None

    def cents(self, key: str, what: str, default_cents: int | None = None) -> int | None:
        """Cents of an amount in dollars, more than none."""
        default = None if default_cents is None else Decimal(default_cents) / 100
        value = self._given(key, f"{what}, in dollars", default)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            self.fault(key, f"expected {what}, in dollars as a number (25 or 12.50)")
            return None
        try:
            cents = parse_amount(value)
        except ValueError:
            expected = f"expected {what}, more than 0, in dollars and whole cents (25 or 12.50)"
            self.fault(key, expected)
            return None
        if cents == 0:
            self.fault(key, f"expected {what}, more than 0")
            return None
        return cents

    def mapping(self, key: str, expected: str) -> Mapping[str, object] | None:
        """A table within this one; missing is a fault."""
        value = self._given(key, expected, None)
        if value is None or isinstance(value, Mapping):
            return value
        self.fault(key, f"expected {expected}")
        return None

    def done(self) -> None:
        """Note every key that was not read."""
        self._faults.extend(
            f"{self.name}.{unknown(key, self._asked)}"
            for key in self._data
            if key not in self._asked
        )


def unknown(key: str, known: Iterable[str]) -> str:
    """The message about an unknown name."""
    names = list(dict.fromkeys(known))
    near = difflib.get_close_matches(key[:MOST_SHOWN], names, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"{toml_key(key)} is unknown: {hint}known are {', '.join(names)}"


def toml_key(key: str) -> str:
    """A key as text that fits on a line."""
    plain = key if key.isprintable() and key else ascii(key)
    return plain if len(plain) <= MOST_SHOWN else f"{plain[:MOST_SHOWN]}…"


def toml_text(value: object) -> str:
    """A value of the file as text that fits on a line."""
    if isinstance(value, Decimal):
        text = str(value)
    elif isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, str):
        text = f'"{value}"' if value.isprintable() else ascii(value)
    elif isinstance(value, Mapping):
        items = (f"{toml_key(key)} = {toml_text(item)}" for key, item in value.items())
        text = f"{{{', '.join(items)}}}"
    else:
        try:
            text = str(value)
        except ValueError:  # a whole number of more digits than Python prints
            text = "a number of thousands of digits"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def dollars(cents: int) -> str:
    """An amount as text for messages."""
    return str(write_amount(cents))
