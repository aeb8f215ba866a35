"""Text that came from outside, made such that a terminal or a log only shows it.

A serial number, a name or a reason may hold what moves a cursor, changes a title, writes another
line of the log, or turns the direction of the text round it. None of it is ever passed on as it is.
"""

from __future__ import annotations

import re
from typing import Final

_FORMATS: Final = "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
_ALL: Final = re.compile(f"[\x00-\x1f\x7f-\x9f{_FORMATS}]")
_BUT_LINES: Final = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_FORMATS}]")


def printable(text: str, *, lines: bool = False) -> str:
    """The text with what cannot be printed as Python writes it (``\\x1b``); ``lines`` keeps ends of
    lines and tabs."""
    return (_BUT_LINES if lines else _ALL).sub(_escaped, text)


def is_plain(text: str) -> bool:
    """Whether the text is printable ASCII, as a device's serial number has to be."""
    return text.isascii() and text.isprintable()


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
