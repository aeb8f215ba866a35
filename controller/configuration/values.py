"""A configuration's values as a start record keeps them, so that the next start can say which have
changed.

The rules:

- Each value of the file stands under its whole key (``table.max``, ``witness[1].url``), as TOML
  writes it; a long one is cut, with enough of its SHA-256 to tell it from another.
- Secrets never: no key of ours is one (the controller's key and PINs lie in files of their own). A
  driver's own options are its maker's to name, so those that sound like a secret are left out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Final

from controller.forms.faults import key_text, value_text

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
