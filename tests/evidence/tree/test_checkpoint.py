"""Checkpoints as signed notes: vectors of the published form, and what is refused."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.evidence.tree.checkpoint import (
    LOG_KEY,
    BadCheckpoint,
    checkpoint_of,
    key_id,
    name_of,
    parsed,
    read_checkpoint,
    vkey_of,
)
from controller.evidence.tree.merkle import EMPTY
from controller.journal.keys import ControllerKey
from tests.journal.helpers import KEY as SIGNER

NAME, ID, KEY = ["PeterNeumann", "c74f20a3", "ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"]
"""The verifier key in the examples of the package from which the form comes."""


@pytest.fixture
def key(tmp_path: Path) -> ControllerKey:
    return ControllerKey(tmp_path / "key")


def test_a_key_is_named_as_by_others() -> None:
    raw = b64decode(KEY)
    assert raw[0] == 1
    assert key_id(NAME, LOG_KEY, raw[1:]).hex() == ID


def test_a_checkpoint_comes_back_under_its_key(key: ControllerKey) -> None:
    made = checkpoint_of(key.public, 41, EMPTY)
    text = made.signed(key)
    name = f"table-controller/{key.public.fingerprint[:16]}"
    note, signature = text.split("\n\n")
    assert note.split("\n") == [name, "41", b64encode(EMPTY).decode()]
    assert signature.startswith(f"\u2014 {name} ")
    assert signature.endswith("\n")
    assert read_checkpoint(text, [key.public]) == made
    assert vkey_of(key.public).split("+", 2)[0] == name == name_of(key.public)


def test_signatures_of_witnesses_beside_it_are_passed_over(
    key: ControllerKey, tmp_path: Path
) -> None:
    text = checkpoint_of(key.public, 41, EMPTY).signed(key)
    note, mine = text.split("\n\n")
    witness = "\u2014 witness.example/w1 " + b64encode(bytes(68)).decode() + "\n"
    assert read_checkpoint(f"{note}\n\n{witness}{mine}", [key.public]).size == 41
    other = ControllerKey(tmp_path / "other")
    with pytest.raises(BadCheckpoint, match="not signed with a key"):
        read_checkpoint(text, [other.public])
    # Well signed by somebody known, but in the name of another log.
    foreign = checkpoint_of(other.public, 41, EMPTY).signed(key)
    with pytest.raises(BadCheckpoint, match="and its key is"):
        read_checkpoint(foreign, [key.public])


def test_every_changed_character_shows(key: ControllerKey) -> None:
    text = checkpoint_of(key.public, 41, EMPTY).signed(key)
    for at, old in enumerate(text):
        for new in ("A", "0", "\n", " ", "="):
            if new != old:
                with pytest.raises(BadCheckpoint):
                    read_checkpoint(text[:at] + new + text[at + 1 :], [key.public])


@pytest.mark.parametrize(
    ("size", "root", "says"),
    [
        ("041", EMPTY, "the size"),
        ("-1", EMPTY, "the size"),
        ("4\u0661", EMPTY, "the size"),
        ("9" * 20, EMPTY, "the size"),
        ("41", EMPTY[:31], "not of 32 bytes"),
    ],
)
def test_what_has_not_the_form_is_refused(
    key: ControllerKey, size: str, root: bytes, says: str
) -> None:
    good = checkpoint_of(key.public, 41, EMPTY)
    note = f"{good.origin}\n{size}\n{b64encode(root).decode()}\n"
    signature = key_id(good.origin, LOG_KEY, key.public.raw) + key.sign(note.encode())
    text = f"{note}\n\u2014 {good.origin} {b64encode(signature).decode()}\n"
    with pytest.raises(BadCheckpoint, match=says):
        read_checkpoint(text, [key.public])


def test_up_to_where_nobody_vouches_is_signed_too(key: ControllerKey) -> None:
    made = checkpoint_of(key.public, 41, EMPTY, 12)
    text = made.signed(key)
    note, _ = text.split("\n\n")
    assert note.split("\n")[2:] == [b64encode(EMPTY).decode(), "doubted 12"]
    assert read_checkpoint(text, [key.public]) == made
    assert parsed(text).doubted == 12
    for other in (text.replace("doubted 12\n", ""), text.replace("doubted 12", "doubted 11")):
        with pytest.raises(BadCheckpoint, match="not signed with a key"):
            read_checkpoint(other, [key.public])
    assert checkpoint_of(key.public, 41, EMPTY, 77).doubted == 41  # of a tree that is behind
    assert checkpoint_of(key.public, 0, EMPTY, 7).signed(key).count("doubted") == 0


@pytest.mark.parametrize(
    "lines",
    [
        *("doubted 0", "doubted 42", "doubted 012", "doubted -1", "doubted", "doubted ", "12"),
        *("Doubted 12", "doubted 12 ", " doubted 12", "doubted 1\u0662", f"doubted {'9' * 20}"),
        *("doubted 12\ndoubted 12", "other 12", "x doubted 12", "doubted 12\n12"),
    ],
)
def test_another_fourth_line_is_refused(key: ControllerKey, lines: str) -> None:
    """Also well signed: nothing may be read in two ways."""
    good = checkpoint_of(key.public, 41, EMPTY)
    note = f"{good.note}{lines}\n"
    signature = b64encode(
        key_id(good.origin, LOG_KEY, key.public.raw) + key.sign(note.encode())
    ).decode()
    text = f"{note}\n\u2014 {good.origin} {signature}\n"
    with pytest.raises(BadCheckpoint):
        parsed(text)
    with pytest.raises(BadCheckpoint):
        read_checkpoint(text, [key.public])


@given(st.integers(0, 10**19 - 1), st.integers(0, 10**19 - 1))
def test_any_numbers_come_back(size: int, doubted: int) -> None:
    made = checkpoint_of(SIGNER.public, size, EMPTY, doubted)
    assert read_checkpoint(made.signed(SIGNER), [SIGNER.public]) == made


@pytest.mark.parametrize("text", ["", "\n\n", "a\nb\nc\nd\n\n\u2014 a b\n", "x" * 5000])
def test_what_is_no_checkpoint_is_refused(key: ControllerKey, text: str) -> None:
    with pytest.raises(BadCheckpoint):
        read_checkpoint(text, [key.public])
