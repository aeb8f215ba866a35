"""The canonical encoding of every entry, and the digest that chains it to the entry before.
The rules:

- A body is a mapping of text to integers, text, booleans, null, and lists and mappings of these.
  Fractions are written as text or as pairs of integers: binary floating point has no place in a
  record of money, and is refused.
- The canonical text is JSON with sorted keys, no blanks, ASCII only. Equal bodies have equal
  texts, on any machine; a tuple is written as a list and read back as one.
- The digest of an entry is SHA-256 over the digest of the entry before it, followed by the
  entry's bytes: a JSON list of its columns, a newline, the body's canonical text. No JSON text
  holds a raw newline, so two different entries never have the same bytes.
- The digest before the first entry (:func:`genesis`) is made of the journal's random identity, and
  of its predecessor's last entry where it goes on from an archived one: entries of one journal do
  not fit into another.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from json.encoder import encode_basestring_ascii as _encode_text

from controller.forms.json_values import JsonObject
from controller.journal.errors import BadDraft

DIGEST_BYTES = 32
IDENTITY_BYTES = 16
SIGNATURE_BYTES = 64
_DIGITS = frozenset("0123456789abcdef")


def is_hex(text: str, count: int) -> bool:
    """Whether the text encodes ``count`` bytes in the only permitted form: two lower-case digits
    each, and nothing between them."""
    return len(text) == 2 * count and _DIGITS.issuperset(text)


_GENESIS = b"table-controller journal\n"


def _plain(value: object) -> object:
    """Make mappings other than dict writable; called by the encoder for what it does not know."""
    if isinstance(value, Mapping):
        return dict(value)
    raise BadDraft(f"a journal body may not hold {value!r} ({type(value).__name__})")


# One encoder for the process: json.dumps with options builds one at every call.
_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, default=_plain
).encode


@lru_cache(maxsize=256)
def _text(value: str | None) -> str:
    """Return a column of text as JSON; types, devices and boots are few and come again."""
    return "null" if value is None else _encode_text(value)


def canonical(body: JsonObject) -> str:
    """Return the canonical text of a body; raise :class:`BadDraft` for what has none."""
    if fault := _fault(body):
        raise BadDraft(f"journal body{fault}")
    return _encode(body)


def decode(text: str) -> dict[str, object]:
    """Return the body that a canonical text stands for."""
    body = json.loads(text)
    if not isinstance(body, dict):
        raise ValueError("the body is not a JSON object")
    return body


def genesis(identity: bytes, predecessor: tuple[bytes, int, bytes] | None = None) -> bytes:
    """Return the digest that stands before the first entry of the journal so named. ``predecessor``
    is the identity of the journal that it goes on from, with number (8 bytes, most significant
    first) and digest of that one's last entry."""
    if predecessor is None:
        return hashlib.sha256(_GENESIS + identity).digest()
    named, seq, last = predecessor
    return hashlib.sha256(_GENESIS + identity + named + seq.to_bytes(8, "big") + last).digest()


def columns(
    seq: int,
    boot: int,
    boot_id: str,
    mono_ns: int,
    wall: str,
    kind: str,
    device: str | None,
    session: int | None,
    numbering: int | None,
    event_no: int | None,
    t_ms: int | None,
    offer: int | None,
) -> str:
    """Return an entry's columns as the JSON list that its digest covers, in this order.

    The kernel's name of the boot is among them, so that the table of boots is chained as well.
    Written out, since this runs between a card and its acknowledgement: a list made for the
    encoder costs three times as much.
    """
    return (
        f"[{seq},{boot},{_text(boot_id)},{mono_ns},{_encode_text(wall)},{_text(kind)},"
        f"{_text(device)},{'null' if session is None else session},"
        f"{'null' if numbering is None else numbering},"
        f"{'null' if event_no is None else event_no},{'null' if t_ms is None else t_ms},"
        f"{'null' if offer is None else offer}]"
    )


def digest(before: bytes, columns_text: str, body: str) -> bytes:
    """Return the digest of an entry. ``before`` is the digest of the entry before it,
    ``columns_text`` comes from :func:`columns`, ``body`` from :func:`canonical`."""
    return hashlib.sha256(before + f"{columns_text}\n{body}".encode()).digest()


def _fault(value: object) -> str:
    """What of a value would not come back from JSON as it went in: where it is, and why; the empty
    text where there is nothing. The place is put together only where something is found: this runs
    between a card and its acknowledgement."""
    kind = type(value)
    if kind is int or kind is bool or value is None:
        return ""
    if isinstance(value, str):
        return _fault_of_text(value) if kind is str else ""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                return f": the key {key!r} is not text"
            if fault := _fault_of_text(key):
                return fault
            if fault := _fault(inner):
                return f".{key}{fault}"
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            if fault := _fault(inner):
                return f"[{index}]{fault}"
    elif isinstance(value, float):
        return (
            f": {value!r} is a binary fraction; "
            "write it as text or as integers of the smallest unit"
        )
    elif not isinstance(value, int):
        return f": {value!r} ({kind.__name__}) cannot be written"
    return ""


def _fault_of_text(text: str) -> str:
    """Whether it is half a surrogate pair: two halves would come back as one character."""
    if text.isascii():
        return ""
    try:
        text.encode()
    except UnicodeEncodeError:
        return f": {text!r} is not text"
    return ""
