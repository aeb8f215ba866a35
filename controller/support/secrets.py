"""Whether a private key is in some text, however it is written there.

The rules:

- A key is 32 random bytes. A quarter of it that is found is a leak: a page for the safe has each on
  a line of its own, and eight bytes are nowhere by chance.
- Found are the bytes themselves, hexadecimal of any capitals with anything between the digits,
  base64 of either alphabet at any offset (a signer's key of C2SP has other bytes before it),
  decimal numbers in a list, and each of them behind the escapes of JSON, of Python and of
  addresses; all of it backwards as well.
- A key file that is no key (a damaged one) is looked for as it is written.
- What looks like a password or a key, whosever it is, is left out of texts (:func:`redacted`).
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Final

KEY_BYTES: Final = 32
PIECE_BYTES: Final = 8
LEAST_TEXT: Final = 16
"""Bytes; a shorter text is no key, and stands in many places."""

LEAST_DISTINCT: Final = 4
"""Bytes that differ in a piece; one of zeros is no secret, and is in every file."""

MOST_ESCAPES: Final = 3
"""JSON within JSON within JSON."""

_HEX: Final = b"0123456789abcdefABCDEF"
_BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
_NOT_HEX: Final = bytes(set(range(256)) - set(_HEX))
_NOT_BASE64: Final = bytes(set(range(256)) - set(_BASE64))
_LOWER: Final = bytes.maketrans(b"ABCDEF", b"abcdef")
_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_ESCAPE: Final = re.compile(
    rb"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|%([0-9a-fA-F]{2})|\\(.)", re.S
)
_LETTERS: Final = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"0": b"\0"}


SECRET: Final = re.compile(
    rb"(?i)((?:secret|passwor[dt]|passwd|passphrase|token|private[_-]?key)[\"']?\s*[:=]\s*).+"
)
LIKE_A_KEY: Final = re.compile(rb"(?i)(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
REMOVED: Final = b"(left out)"


def redacted(text: bytes) -> bytes:
    """The text without what looks like a password or a key."""
    return LIKE_A_KEY.sub(REMOVED, SECRET.sub(rb"\1" + REMOVED, text))


class Secrets:
    """Looks for the keys that are in files with these contents."""

    def __init__(self, key_files: Iterable[bytes]) -> None:
        self._texts: set[bytes] = set()
        self._raw: set[bytes] = set()
        self._hex: set[bytes] = set()
        self._base64: set[bytes] = set()
        self._decimal: set[bytes] = set()
        for text in key_files:
            self._add(text.strip())

    def _add(self, text: bytes) -> None:
        if len(text) >= LEAST_TEXT:
            self._texts |= {text, text.lower(), text.upper()}
        digits = text.translate(_LOWER, _NOT_HEX)
        raw = bytes.fromhex(digits.decode("ascii")) if len(digits) == 2 * KEY_BYTES else b""
        for piece in _pieces(raw):
            self._raw |= {piece, piece.decode("latin-1").encode("utf-8")}
            self._hex |= {piece.hex().encode("ascii"), piece.hex()[::-1].encode("ascii")}
            self._base64 |= set(_in_base64(piece))
            self._decimal.add(b",%b," % b",".join(b"%d" % byte for byte in piece))

    def are_in(self, content: bytes) -> bool:
        """Whether one of them is there."""
        return any(self._are_plainly_in(text) for text in _unescaped(content))

    def _are_plainly_in(self, text: bytes) -> bool:
        digits = text.replace(b"0x", b"").replace(b"0X", b"").translate(_LOWER, _NOT_HEX)
        letters = text.translate(_STANDARD, _NOT_BASE64)
        numbers = b",%b," % re.sub(rb"[^0-9]+", b",", text) if self._decimal else b""
        return (
            any(one in text for one in self._texts | self._raw)
            or any(one in digits for one in self._hex)
            or any(one in letters for one in self._base64)
            or any(one in numbers for one in self._decimal)
        )


def _pieces(raw: bytes) -> Iterator[bytes]:
    """The quarters of a key, and those of the key backwards."""
    for key in (raw, raw[::-1]):
        for at in range(0, len(key), PIECE_BYTES):
            piece = key[at : at + PIECE_BYTES]
            if len(set(piece)) >= LEAST_DISTINCT:
                yield piece


def _in_base64(piece: bytes) -> Iterator[bytes]:
    """The letters that are the piece's alone, for each of the three offsets at which it may begin;
    and backwards."""
    for before in range(3):
        letters = b64encode(bytes(before) + piece)
        first = -(-8 * before // 6)
        own = letters[first : 8 * (before + len(piece)) // 6]
        yield own
        yield own[::-1]


def _unescaped(text: bytes) -> Iterator[bytes]:
    """The text, and what it says once its escapes are read, and those in that."""
    for _ in range(1 + MOST_ESCAPES):
        yield text
        if b"\\" not in text and b"%" not in text:
            return
        text = _ESCAPE.sub(_meant, text)


def _meant(found: re.Match[bytes]) -> bytes:
    if found[4] is not None:
        return _LETTERS.get(found[4], found[4])
    code = int(found[1] or found[2] or found[3], 16)
    return bytes((code,)) if code < 256 else chr(code).encode("utf-8", "surrogatepass")
