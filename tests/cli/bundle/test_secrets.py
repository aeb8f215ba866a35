"""A private key is found however it is written, and nothing else is taken for one."""

from __future__ import annotations

import base64
import json
import secrets
from urllib.parse import quote

import pytest

from controller.evidence.keys.credential import page
from controller.journal.keys import SecretKey
from controller.support.secrets import Secrets

KEY = SecretKey(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
RAW = KEY.raw
NAMED = base64.b64encode(b"\x01" + RAW).decode()

SPELLINGS: dict[str, bytes] = {
    "as it lies there": KEY.text.encode(),
    "upper case": KEY.text.upper().encode(),
    "blanks": RAW.hex(" ", 2).encode(),
    "colons and lines": RAW.hex(":").replace("ef:", "ef:\n   ").encode(),
    "prefixes": ", ".join(f"0x{byte:02x}" for byte in RAW).encode(),
    "escaped hexadecimal": "".join(f"\\x{byte:02x}" for byte in RAW).encode(),
    "the bytes": b"abc" + RAW + b"def",
    "bytes backwards": RAW[::-1],
    "bytes backwards in hexadecimal": RAW[::-1].hex().encode(),
    "digits backwards": KEY.text[::-1].encode(),
    "base64": base64.b64encode(RAW),
    "base64 for addresses": base64.urlsafe_b64encode(RAW),
    "base64 in lines": base64.encodebytes(b"header" * 9 + RAW),
    "a note's signer": f"PRIVATE+KEY+table.P12+5d1a2b3c+{NAMED}".encode(),
    "base64 one further": base64.b64encode(b"ab" + RAW),
    "base64 in JSON": json.dumps(base64.encodebytes(RAW * 2).decode()).encode(),
    "base64 with escaped slashes": base64.b64encode(RAW).replace(b"/", b"\\/"),
    "base64 in an address": quote(base64.b64encode(RAW).decode(), safe="").encode(),
    "JSON": json.dumps(RAW.decode("latin-1")).encode(),
    "JSON in JSON": json.dumps(json.dumps(RAW.decode("latin-1"))).encode(),
    "JSON without escapes": json.dumps(RAW.decode("latin-1"), ensure_ascii=False).encode(),
    "a list of numbers": json.dumps(list(RAW), indent=1).encode(),
    "as Python shows bytes": repr(RAW).encode(),
    "the page for the safe": page(KEY, "P12").encode(),
    "a quarter": RAW[8:16].hex().encode(),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_each_spelling_is_found(spelling: str) -> None:
    known = Secrets([f"{KEY.text}\n".encode()])
    told = SPELLINGS[spelling]
    assert known.are_in(told)
    assert known.are_in(b'{"seq":1,"body":"' + told + b'"}\n' + secrets.token_bytes(100))


def test_nothing_else_is_taken_for_it() -> None:
    known = Secrets([KEY.text.encode()])
    other = SecretKey.generate()
    for told in (
        *(KEY.public.text.encode(), KEY.public.fingerprint.encode(), page(other, "P12").encode()),
        *(base64.b64encode(other.raw), other.raw, json.dumps(list(other.raw)).encode(), b""),
        b"%zz \\ \\u12",
    ):
        assert not known.are_in(told)


def test_zeros_are_no_secret_and_a_damaged_file_is_one_as_it_is() -> None:
    assert not Secrets([b"00" * 32]).are_in(bytes(4096))
    assert not Secrets([b"", b"short"]).are_in(b"something short")
    damaged = Secrets([KEY.text[:40].encode()])
    assert damaged.are_in(b"x" + KEY.text[:40].encode())
    assert not damaged.are_in(KEY.text[:20].encode())
