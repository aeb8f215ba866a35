"""Text that people have written into a file, in UTF-8.

Editors of other systems put a byte order mark before it, or write UTF-16 where a person asked for
"Unicode". The mark says nothing in UTF-8 and is taken off; UTF-16 is named.
"""

from __future__ import annotations

import codecs

MARK = "\ufeff"
"""The byte order mark, as a character."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class NotUtf8(ValueError):
    """Bytes that are no text in UTF-8; the message says what they are. ``at`` is where, in
    bytes."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


def text_of(raw: bytes) -> str:
    """The text, without a byte order mark.

    Raises:
        NotUtf8: it is none.
    """
    if raw.startswith(_UTF_16):
        raise NotUtf8("it is written in UTF-16 ('Unicode'): save it as UTF-8", 0)
    try:
        return raw.decode("utf-8").removeprefix(MARK)
    except UnicodeDecodeError as error:
        raise NotUtf8(f"is not UTF-8: {error.reason}, byte {error.start}", error.start) from error
