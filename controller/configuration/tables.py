"""A TOML file of settings, read by forms: all its faults are collected, and it is used whole or not
at all. Its values, as a start record keeps them so that the next start can say which have changed:

- Each value of the file stands under its whole key (``table.max``, ``witness[1].url``), as TOML
  writes it; a long one is cut, with enough of its SHA-256 to tell it from another.
- Secrets never: no key of ours is one (the controller's key and PINs lie in files of their own). A
  driver's own options are its maker's to name, so those that sound like a secret are left out.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.forms.expected import Form, Parsed, fields_reader
from controller.forms.faults import Wrong, key_text, value_text
from controller.forms.reading import fields_of, form_of
from controller.not_done import WRONG_USE, NotDone
from controller.regular_files import read_whole, text_of

LONGEST: Final = 80
"""Characters of a value."""

_SECRET: Final = re.compile(
    r"(?i)pass|secret|token|credential|(?:^|[-_])(?:key|pin|auth)(?:$|[-_])"
)
_OWN_OPTIONS: Final = "devices"


def values_of(data: Mapping[str, object]) -> dict[str, str]:
    """The values of a file, by their keys, in the order of the keys."""
    return dict(sorted(_values(data, "")))


def _values(value: object, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if key.startswith(f"{_OWN_OPTIONS}.") and _SECRET.search(name):
                continue
            yield from _values(inner, f"{key}.{key_text(name)}" if key else key_text(name))
    elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
        for number, inner in enumerate(value, start=1):
            yield from _values(inner, f"{key}[{number}]")
    else:
        yield key, _text(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        return value_text(value)
    text = f'"{value}"' if value.isprintable() else ascii(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 20]}… (SHA-256 {hashlib.sha256(text.encode()).hexdigest()[:6]})"


T = TypeVar("T")

_TIME_OF_DAY: Final = re.compile("(?:[01][0-9]|2[0-3]):[0-5][0-9]")


class BadConfiguration(NotDone):
    """A configuration that cannot be used; ``faults`` has a line for each fault."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        self.path = path
        self.faults = faults
        super().__init__(WRONG_USE, "\n".join(f"{path}: {fault}" for fault in faults))


def time_of_day(what: str, usual: str, parse: Callable[[str], object] = str) -> Parsed:
    """An hour and a minute of local time, ``HH:MM``."""
    expected = f"{what}, local time as {usual}"
    otherwise = f"{expected}, 00:00 to 23:59"
    return Parsed(expected, form=_TIME_OF_DAY, otherwise=otherwise, parse=parse)


class TomlTables:
    """The tables of the file at ``path``. A fault is one line: key, value, and what is expected."""

    def __init__(self, path: Path, data: Mapping[str, Any]) -> None:
        self.path = path
        self.data = data
        self.faults: list[str] = []

    @classmethod
    def of_file(cls, path: Path) -> TomlTables:
        """Those in the file, decimals as written; BadConfiguration where it is no TOML in UTF-8."""
        try:
            data = tomllib.loads(text_of(read_whole(path)), parse_float=Decimal)
        except OSError as error:
            why = cause_of(error, path, wants=READ)
            raise BadConfiguration(path, [f"cannot be read: {why}"]) from error
        except (ValueError, RecursionError) as error:
            raise BadConfiguration(path, [f"is not TOML in UTF-8: {error}"]) from error
        return cls(path.absolute(), data)

    def fault(self, where: str, expected: str) -> None:
        """Note a fault of the value at that place."""
        value: Any = self.data
        for key in where.split("."):
            value = value.get(key)
        self.faults.append(f"{where} = {value_text(value)}: {expected}")

    def value_in(self, form: type[T], given: object, where: str = "") -> T | None:
        """What is given at a place, empty for the whole file; None with its faults noted."""
        return cast("T | None", self.as_form(form_of(cast("Any", form)), given, where))

    def as_form(self, form: Form, given: object, where: str) -> Any:
        """The same, in a form that was made at run time."""
        found = form.read(given, self.path.parent)
        return None if isinstance(found, Wrong) and self._noted(found, where) else found

    def _noted(self, wrong: Wrong, where: str) -> Wrong:
        self.faults += wrong.toml_lines(where)
        return wrong

    def fields(self, form: type, given: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The values of a form's keys that have no faults."""
        found = fields_reader(fields_of(form))(given, self.path.parent)
        return dict(self._noted(found, where).found if isinstance(found, Wrong) else found)

    def without_faults(self, found: T | None) -> T:
        """What was read of the whole file; BadConfiguration where it has faults."""
        if found is None or self.faults:
            raise BadConfiguration(self.path, self.faults)
        return found
