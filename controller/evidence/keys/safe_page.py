"""The key on one page for the house's safe, which a person can type in again.

The rules:

- Only lines that begin with ``key`` and a number, or with ``fingerprint``, count; capitals and
  blanks do not. All else is for the reader.
- Each of the four lines of the key has 8 bytes and four digits that check them: the first two bytes
  of the SHA-256 of the line's number and its bytes. So a slip is told with its line.
- The fingerprint, of which a person need type no more than 16 digits, is that of the public key
  that belongs to it.
"""

from __future__ import annotations

import hashlib
import re
from typing import Final

from controller.journal.keys import SecretKey

LINES: Final = 4
BYTES: Final = 8
"""Of the key in a line."""

CHECK_DIGITS: Final = 4
LEAST_FINGERPRINT: Final = 16
"""Digits of the fingerprint that must be there."""

_KEY_LINE: Final = re.compile(r"key\s*(\d)\s*:?(.*)")
_FINGERPRINT: Final = re.compile(r"fingerprint\s*:?(.*)")

PAGE: Final = """\
The key of table {table}, with which its controller signs heads of its journal.
Whoever has this page can sign in the table's name. It belongs into the safe, and nowhere else.

{key}
fingerprint: {fingerprint}

A machine that is replaced goes on with this key. With the controller stopped, as root:
    tablectl journal key --install --from FILE
FILE is this one, or one typed in from this page: the lines that begin with "key" and with
"fingerprint", of which the first four groups will do. Capitals and blanks do not matter; the last
four digits of a line are its check.
"""


class BadPage(Exception):
    """What was read is no such page; the message says where and what was expected, and tells
    nothing of the key."""


def page(secret: SecretKey, table: str) -> str:
    """The page, for the table of that name."""
    lines = [
        f"key {number}: {_grouped(part.hex())}  {_check(number, part)}"
        for number, part in enumerate(_parts(secret.raw), 1)
    ]
    fingerprint = _grouped(secret.public.fingerprint)
    return PAGE.format(table=table, key="\n".join(lines), fingerprint=fingerprint)


def read_page(text: str) -> SecretKey:
    """The key on a page.

    Raises:
        BadPage: a line is missing, doubled or mistyped, or the fingerprint is another one.
    """
    found: dict[int, bytes] = {}
    fingerprint = ""
    for line in text.lower().splitlines():
        if told := _KEY_LINE.match(line.strip()):
            number = int(told[1])
            if number in found or not 1 <= number <= LINES:
                raise BadPage(f"'key {number}' is there twice or unknown; expected key 1 to 4 once")
            found[number] = _part(number, told[2])
        elif told := _FINGERPRINT.match(line.strip()):
            fingerprint = "".join(told[1].split())
    if missing := [f"key {number}" for number in range(1, LINES + 1) if number not in found]:
        raise BadPage(f"no line begins with '{missing[0]}'; expected key 1 to key 4")
    secret = SecretKey(b"".join(found[number] for number in sorted(found)))
    if len(fingerprint) < LEAST_FINGERPRINT:
        raise BadPage(
            f"the fingerprint is missing or short; expected {LEAST_FINGERPRINT} digits or more"
        )
    if not secret.public.fingerprint.startswith(fingerprint):
        raise BadPage(
            "the fingerprint is not that of the key: compare its digits, and whether all lines are "
            "from one page"
        )
    return secret


def _part(number: int, text: str) -> bytes:
    digits = "".join(text.split())
    wanted = 2 * BYTES + CHECK_DIGITS
    if wrong := sorted(set(digits) - set("0123456789abcdef")):
        raise BadPage(f"key {number}: {wrong[0]!r} is no digit; expected 0 to 9 and a to f")
    if len(digits) != wanted:
        raise BadPage(f"key {number}: {len(digits)} digits; expected {wanted}")
    part = bytes.fromhex(digits[:-CHECK_DIGITS])
    if digits[-CHECK_DIGITS:] != _check(number, part):
        raise BadPage(f"key {number}: its check does not fit; compare the line digit by digit")
    return part


def _parts(raw: bytes) -> list[bytes]:
    return [raw[at : at + BYTES] for at in range(0, len(raw), BYTES)]


def _check(number: int, part: bytes) -> str:
    return hashlib.sha256(bytes([number]) + part).hexdigest()[:CHECK_DIGITS]


def _grouped(digits: str) -> str:
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))
