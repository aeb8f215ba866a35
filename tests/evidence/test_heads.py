"""The controller's key and its signed heads: files, signatures, torn ends, whatever else may lie
there."""

from __future__ import annotations

import contextlib
import json
import stat
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.evidence.heads import (
    TAIL_BYTES,
    BadHead,
    SignedHead,
    append_head,
    heads_in,
    last_head,
    read_head,
)
from controller.evidence.tree.checkpoint import vkey_of
from controller.evidence.trust import MOST_BYTES, add_key, read_keys
from controller.journal.keys import CREDENTIAL, BadKey, ControllerKey, PublicKey
from controller.regular_files import TooLarge
from tests.journal.helpers import KEY, OTHER_KEY, SigningKey

JOURNAL = "0f" * 16
HEAD = SignedHead(JOURNAL, "P12", 41, "ab" * 32, 3, "2026-11-20T18:16:58+00:00")


@pytest.fixture
def key(tmp_path: Path) -> ControllerKey:
    return ControllerKey(tmp_path / "key")


def test_a_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    first, second = ControllerKey(tmp_path / "key"), ControllerKey(tmp_path / "key")
    assert (first.made, second.made) == (True, False)
    assert first.public == second.public
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [tmp_path / "key"]
    assert ControllerKey(tmp_path / "other").public != first.public
    assert first.public.verifies(b"said", second.sign(b"said"))
    assert not first.public.verifies(b"other", second.sign(b"said"))
    assert PublicKey.of_text(f" {first.public.text}\n") == first.public


def test_half_a_key_is_left_by_no_power_cut(tmp_path: Path) -> None:
    (tmp_path / "key.new").write_text("12", encoding="ascii")
    assert ControllerKey(tmp_path / "key").made
    assert list(tmp_path.iterdir()) == [tmp_path / "key"]


@pytest.mark.parametrize("text", ["", "12", "zz" * 32, "é" * 64, "00" * 33])
def test_what_is_no_key_is_refused_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "key"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(BadKey, match=str(path)):
        ControllerKey(path)
    assert path.read_text(encoding="utf-8") == text
    with pytest.raises(BadKey, match="64 hexadecimal digits"):
        PublicKey.of_text(text)


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    ControllerKey(tmp_path / "key").path.chmod(0o640)
    with pytest.raises(BadKey, match="mode 0640, expected 0600"):
        ControllerKey(tmp_path / "key")


def test_a_key_without_a_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadKey, match="made: there is no "):
        ControllerKey(tmp_path / "none" / "key")


@pytest.mark.parametrize("installed", [False, True])
def test_a_link_to_a_place_that_is_not_there_is_no_missing_key(
    tmp_path: Path, *, installed: bool
) -> None:
    """Its medium is not mounted; a new key in its place would sign what the old one has."""
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    place = credentials / CREDENTIAL if installed else tmp_path / "key"
    place.symlink_to(tmp_path / "not-mounted" / "key")
    with pytest.raises(BadKey, match=str(place)):
        ControllerKey(tmp_path / "key", credentials)
    assert place.is_symlink()
    assert not (tmp_path / "key").exists()


# ---- the file of verifier keys ------------------------------------------------------------------


ONE, TWO = vkey_of(KEY.public), vkey_of(OTHER_KEY.public)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (f"{ONE}\n{TWO}\n", [KEY, OTHER_KEY]),
        (f"{ONE}\r\n\r\n{TWO}\r\n", [KEY, OTHER_KEY]),
        (f"{TWO}\n  \n{ONE}", [OTHER_KEY, KEY]),
        (f"{ONE}\n{ONE}\n", [KEY]),
        (f"{KEY.public.text}\n", [KEY]),
    ],
)
def test_each_line_of_a_file_is_a_key(tmp_path: Path, text: str, keys: list[SigningKey]) -> None:
    path = tmp_path / "journal.vkey"
    path.write_bytes(text.encode())
    assert read_keys(path) == [key.public for key in keys]


@pytest.mark.parametrize(
    "between",
    [
        *("\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"),
        *("\x1b[8m\n", "\n\t", "\n\x7f\n", "\x00"),
        *("\n# für P12\n", "\n\xff\n", "\n\ufeff"),
    ],
)
def test_a_key_that_a_terminal_would_not_show_is_none(tmp_path: Path, between: str) -> None:
    path = tmp_path / "journal.vkey"
    path.write_bytes(f"{TWO}{between}{ONE}\n".encode())
    with pytest.raises(BadKey, match="expected verifier keys in ASCII, one a line"):
        read_keys(path)


def test_a_file_of_keys_that_is_too_large_is_refused(tmp_path: Path) -> None:
    """Its beginning alone would be another list."""
    path = tmp_path / "journal.vkey"
    blank = "\n" * (MOST_BYTES - len(f"{ONE}\n{TWO}\n"))
    path.write_text(f"{ONE}\n{blank}{TWO}\n", "ascii")
    assert read_keys(path) == [KEY.public, OTHER_KEY.public]
    path.write_text(f"{ONE}\n{blank}\n{TWO}\n", "ascii")
    with pytest.raises(TooLarge):
        read_keys(path)


def test_keys_that_are_known_stand_before_the_one_that_is_added(tmp_path: Path) -> None:
    path, third = tmp_path / "journal.vkey", SigningKey(b"3" * 32).public
    assert add_key(path, KEY.public, [OTHER_KEY.public])
    assert read_keys(path) == [OTHER_KEY.public, KEY.public]
    assert add_key(path, KEY.public, [third])
    assert read_keys(path) == [OTHER_KEY.public, KEY.public, third]
    path.unlink()
    add_key(path, OTHER_KEY.public)
    assert add_key(path, KEY.public, [third, OTHER_KEY.public])
    assert read_keys(path) == [OTHER_KEY.public, third, KEY.public]
    assert not add_key(path, KEY.public, [third])


def test_heads_come_back_in_order_under_their_signatures(
    tmp_path: Path, key: ControllerKey
) -> None:
    path = tmp_path / "heads.jsonl"
    written = [SignedHead(JOURNAL, "P12", seq, "ab" * 32, 1, "w").signed(key) for seq in (1, 2, 9)]
    for head in written:
        append_head(path, head)
    assert [head for _, head in heads_in(path)] == written
    assert all(head.is_of(key.public) for head in written)
    assert last_head(path, [key.public]) == written[-1]


def test_a_torn_line_is_replaced_and_no_other(tmp_path: Path, key: ControllerKey) -> None:
    path = tmp_path / "heads.jsonl"
    one, two = HEAD.signed(key), SignedHead(JOURNAL, "P12", 42, "cd" * 32, 3, "w").signed(key)
    append_head(path, one)
    whole = path.read_bytes()
    for torn in (two.line[:100].encode(), b"\0" * 600):
        path.write_bytes(whole + torn)
        assert last_head(path, [key.public]) == one
        append_head(path, two)
        assert path.read_bytes() == whole + two.line.encode() + b"\n"


@pytest.mark.parametrize("between", [0, 1, TAIL_BYTES - 1, TAIL_BYTES, 3 * TAIL_BYTES + 5, "heads"])
def test_the_last_head_is_found_behind_whatever_stands_there(
    tmp_path: Path, key: ControllerKey, between: int | str
) -> None:
    """Noise of any length, or much that another key has signed."""
    path, mine = tmp_path / "heads.jsonl", HEAD.signed(key)
    other = f"{HEAD.signed(ControllerKey(tmp_path / 'other')).line}\n"
    behind = "x" * between if isinstance(between, int) else other * 400
    path.write_text(f"{mine.line}\n{behind}", encoding="ascii")
    assert last_head(path, [key.public]) == mine


def test_a_long_file_of_heads_is_not_held_in_memory(tmp_path: Path, key: ControllerKey) -> None:
    path = tmp_path / "heads.jsonl"
    path.write_text(f"{HEAD.signed(key).line}\n" * 50_000, encoding="ascii")
    tracemalloc.start()
    try:
        assert last_head(path, [ControllerKey(tmp_path / "new").public]) is None
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_head_of_another_key_does_not_count(tmp_path: Path, key: ControllerKey) -> None:
    forged = HEAD.signed(ControllerKey(tmp_path / "foreign"))
    renamed = replace(forged, key=key.public.fingerprint)
    path = tmp_path / "heads.jsonl"
    for head in (forged, renamed):
        append_head(path, head)
    assert last_head(path, [key.public]) is None


def test_short_enough_to_be_written_down(key: ControllerKey) -> None:
    assert HEAD.signed(key).short == "41 abab-abab-abab-abab"


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[SignedHead, PublicKey]:
    key = ControllerKey(tmp_path_factory.mktemp("box") / "key")
    return HEAD.signed(key), key.public


def test_a_letter_made_a_capital_leaves_no_head_good(signed: tuple[SignedHead, PublicKey]) -> None:
    head, key = signed
    line = head.line.encode()
    for at in (at for at in range(len(line)) if line[at : at + 1].islower()):
        with contextlib.suppress(BadHead):
            capital = line[:at] + line[at : at + 1].upper() + line[at + 1 :]
            assert not read_head(capital).is_of(key), at


def test_hexadecimal_has_one_spelling(signed: tuple[SignedHead, PublicKey]) -> None:
    head, key = signed
    spellings = (head.signature.upper(), f"{head.signature} ", head.signature[:-2])
    for signature in spellings:
        with pytest.raises(BadHead, match="lower-case hexadecimal of its length"):
            read_head(replace(head, signature=signature).line)
    with pytest.raises(BadKey, match="lower case"):
        PublicKey.of_text(key.text.upper())


@given(at=st.integers(0, 10_000), to=st.integers(0, 255))
def test_no_changed_byte_leaves_a_head_good(
    signed: tuple[SignedHead, PublicKey], at: int, to: int
) -> None:
    head, key = signed
    line = bytearray(head.line.encode())
    at %= len(line)
    if line[at] == to:
        return
    line[at] = to
    with contextlib.suppress(BadHead):
        assert not read_head(bytes(line)).is_of(key)


@given(st.one_of(st.binary(max_size=200), st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner), max_leaves=5,
).map(lambda value: json.dumps(value).encode())))  # fmt: skip
def test_any_line_is_a_head_or_refused(line: bytes) -> None:
    with pytest.raises(BadHead):
        read_head(line)


def test_only_one_module_imports_the_library() -> None:
    """The rest of the journal is read without it: it costs memory and time."""
    code = "import sys, controller.journal.store, controller.journal.export; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "cryptography" not in told.stdout
