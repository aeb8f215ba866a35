"""Exports and heads to which something was done, by hand and at random: none is ever verified."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from controller.evidence.heads import heads_in
from controller.journal import opening, store
from controller.journal.model import Draft
from tests.journal.helpers import WALL
from tests.verifier.support import COUNT, HISTORY, Case, made
from verifier.verify_journal import VERIFIED, WRONG, Keys, Verification


def cut_tail(lines: list[str]) -> list[str]:
    return lines[:-1]


def cut_long_tail(lines: list[str]) -> list[str]:
    return lines[:4]


def cut_start(lines: list[str]) -> list[str]:
    return lines[1:]


def remove(lines: list[str]) -> list[str]:
    return [*lines[:4], *lines[5:]]


def repeat(lines: list[str]) -> list[str]:
    return [*lines[:4], *lines[3:]]


def swap(lines: list[str]) -> list[str]:
    return [*lines[:3], lines[4], lines[3], *lines[5:]]


def change(lines: list[str]) -> list[str]:
    return [*lines[:2], lines[2].replace('"rank":3', '"rank":4'), *lines[3:]]


def empty(_: list[str]) -> list[str]:
    return []


def say_more(lines: list[str]) -> list[str]:
    return [*lines[:3], lines[3][:-1] + ',"note":"approved"}', *lines[4:]]


def say_null(lines: list[str]) -> list[str]:
    return [*lines[:3], lines[3][:-1] + ',"device":null}', *lines[4:]]


def say_no_number(lines: list[str]) -> list[str]:
    return [*lines[:3], lines[3].replace('"seq":4', '"seq":null').replace('"device"', '"x"')]


def name_other_journal(lines: list[str]) -> list[str]:
    first = json.loads(lines[0]) | {"journal": "00" * 16}
    return [json.dumps(first, separators=(",", ":")), *lines[1:]]


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (cut_tail, "the end is missing"),
        (cut_long_tail, "the end is missing"),
        (cut_start, "cannot be read"),
        (remove, "is missing, or not in its place"),
        (repeat, "not in its place"),
        (swap, "not in its place"),
        (change, "was changed"),
        (empty, "the export is empty"),
        (say_more, "has note = 'approved', which its body has not"),
        (say_no_number, "has None for its number"),
        (say_null, "tells something that it has not"),
        (name_other_journal, "was changed"),
    ],
)
def test_an_altered_export_is_not(
    case: Case, alter: Callable[[list[str]], list[str]], said: str
) -> None:
    case.put(alter(case.lines))
    told = case.verify()
    assert told.status == WRONG
    assert any(said in what for what in told.found), told.found


def rechained(folder: Path, case: Case) -> list[str]:
    """All of it written anew from the fourth entry, well chained, under the same name."""
    changed = [(boot, [*drafts]) for boot, drafts in HISTORY]
    changed[0][1][3] = Draft("entry", {"type": "dealer", "command": "open"})
    identity = json.loads(case.lines[0])["journal"]

    def named(path: Path) -> Any:
        return opening.open_for_writing(path, bytes.fromhex(identity))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "open_for_writing", named)
        return made(folder, changed, case.key).lines


def test_a_rewritten_middle_is_found_by_the_heads(case: Case, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    case.put(rechained(tmp_path / "other", case))
    told = case.verify()
    assert told.status == WRONG
    assert "4: is not the entry that was signed " + WALL in told.found
    assert not any("changed" in what for what in told.found), "its own chain is whole"


ALTERATIONS = st.one_of(
    st.tuples(st.just("byte"), st.integers(0, 1 << 20), st.integers(0, 255)),
    st.tuples(st.just("drop"), st.integers(0, 1 << 20), st.integers(1, 400)),
    st.tuples(st.just("insert"), st.integers(0, 1 << 20), st.binary(min_size=1, max_size=9)),
    st.tuples(st.just("swap"), st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)),
    st.tuples(st.just("copy"), st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)),
    st.tuples(st.just("remove"), st.integers(0, COUNT - 1), st.integers(1, COUNT)),
)


def altered(text: bytes, how: str, at: int, more: Any) -> bytes:
    new: bytes
    if how in ("byte", "drop", "insert"):
        at %= len(text)
        new = {"byte": bytes([more]) if how == "byte" else b"", "drop": b"", "insert": more}[how]
        return text[:at] + new + text[at + {"byte": 1, "insert": 0}.get(how, more) :]
    lines = text.splitlines(keepends=True)
    if how == "swap":
        lines[at], lines[more] = lines[more], lines[at]
    elif how == "copy":
        lines.insert(more, lines[at])
    else:
        del lines[at : at + more]
    return b"".join(lines)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ALTERATIONS, min_size=1, max_size=3))
def test_no_altered_export_is_ever_verified(whole: Case, changes: list[Any]) -> None:
    exported = whole.export.read_bytes()
    new = exported
    for change_ in changes:
        assume(new.count(b"\n") == COUNT or change_[0] in ("byte", "drop", "insert"))
        new = altered(new, *change_) if new else new
    assume(new != exported)
    found = Verification()
    with whole.heads.open("rb") as heads:
        found.verify_all(io.BytesIO(new), heads, Keys([whole.key.public.text]), {})
    assert found.status != VERIFIED


@given(ALTERATIONS)
def test_altered_heads_never_cover_more_than_was_signed(whole: Case, how: Any) -> None:
    assume(how[0] in ("byte", "drop", "insert"))
    found = Verification()
    new = altered(whole.heads.read_bytes(), *how)
    with whole.export.open("rb") as export:
        found.verify_all(export, io.BytesIO(new), Keys([whole.key.public.text]), {})
    signed = [number for number, _ in heads_in(whole.heads)]
    assert found.heads <= len(signed)
    assert found.sealed_to is None or found.sealed_to % 2 == COUNT % 2
