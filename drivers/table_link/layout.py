"""How a message's body is laid out: fields in order, each of a fixed size (section 5).

A layout is written as the protocol writes it, ``"session_id:4 event_no:4"``; a letter after the
size tells fields that are not unsigned little-endian numbers:

====== ============================ ==========================================
letter meaning                      value
====== ============================ ==========================================
(none) unsigned, 1, 2 or 4 bytes    ``int``
``i``  signed, 1 byte               ``int``
``s``  ASCII, padded with NUL       ``str`` without the padding
``x``  bytes                        ``str``, two hexadecimal digits for a byte
``v``  version: major, minor, patch ``tuple`` of three ``int``
====== ============================ ==========================================

Reading never fails for the sake of a field's value: a byte above 0x7F in a text is read as
Latin-1, so that an event with one can still be acknowledged. Writing is strict.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from drivers.api import Value

_NUMBER = {1: "B", 2: "H", 4: "I"}


@dataclass(frozen=True, slots=True)
class Field:
    """One field: its name, its size in bytes and the letter of its shape (module docstring)."""

    name: str
    size: int
    shape: str

    @property
    def code(self) -> str:
        """The field's code for :mod:`struct`."""
        if self.shape == "":
            return _NUMBER[self.size]
        return "b" if self.shape == "i" else f"{self.size}s"


def _read_text(raw: bytes) -> str:
    return raw.rstrip(b"\0").decode("latin-1")


_READERS: dict[str, Callable[[bytes], Value]] = {"s": _read_text, "x": bytes.hex, "v": tuple}


def _raw(field: Field, value: Value) -> int | bytes:
    """The value as :mod:`struct` takes it; ValueError when it is of the wrong shape or size."""
    if field.shape in ("", "i"):
        if isinstance(value, int):
            return value
    elif field.shape == "v":
        if isinstance(value, tuple) and len(value) == field.size:
            return bytes(value)
    elif isinstance(value, str):
        raw = value.encode("ascii") if field.shape == "s" else bytes.fromhex(value)
        if len(raw) == field.size or (field.shape == "s" and len(raw) < field.size):
            return raw
    raise ValueError(f"{field.name}: {value!r} does not fit {field.size} byte(s)")


class Layout:
    """A compiled sequence of fields: ``unpack`` bytes to a dictionary, ``pack`` the reverse."""

    __slots__ = ("_names", "_readers", "_struct", "fields", "size")

    def __init__(self, text: str = "") -> None:
        self.fields = tuple(_field(item) for item in text.split())
        self._struct = struct.Struct("<" + "".join(field.code for field in self.fields))
        self._names = tuple(field.name for field in self.fields)
        self._readers = tuple(
            (field.name, _READERS[field.shape]) for field in self.fields if field.shape in _READERS
        )
        self.size = self._struct.size

    def unpack(self, body: bytes, offset: int = 0) -> dict[str, Value]:
        """The fields that stand at ``offset``; the caller has checked the length."""
        values: dict[str, Any] = dict(
            zip(self._names, self._struct.unpack_from(body, offset), strict=True)
        )
        for name, reader in self._readers:
            values[name] = reader(values[name])
        return values

    def pack(self, fields: Mapping[str, Value]) -> bytes:
        """The body. ValueError when fields are missing, unknown, out of range or ill-shaped."""
        if fields.keys() != set(self._names):
            raise ValueError(f"fields {sorted(fields)} given, {sorted(self._names)} needed")
        try:
            return self._struct.pack(*(_raw(field, fields[field.name]) for field in self.fields))
        except struct.error as error:
            raise ValueError(str(error)) from error

    def is_ascii(self, fields: Mapping[str, Value]) -> bool:
        """Whether every text is ASCII, as section 5 demands."""
        return all(str(fields[field.name]).isascii() for field in self.fields if field.shape == "s")


def _field(item: str) -> Field:
    name, _, form = item.partition(":")
    shape = form.lstrip("0123456789")
    return Field(name, int(form.removesuffix(shape)), shape)
