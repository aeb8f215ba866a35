"""Exports and heads to which something was done, by hand and at random: none is ever verified, nor
is a draw that follows neither from its ticket nor from the weights that were in force."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from controller.evidence.heads import heads_in
from controller.journal import opening
from controller.journal.model import Draft
from tests.journal.helpers import WALL
from tests.verifier.support import COUNT, HISTORY, WEIGHTS, Case, drawn, made, start, step
from verifier.verify_journal import VERIFIED, WRONG, Keys, Verification

NEW = ((2, 1), (3, 1))


@pytest.mark.parametrize(
    ("drafts", "said"),
    [
        ([start(), drawn(1, multiplier=7)], "2: drew 7, ticket"),
        ([start(), drawn(1, ticket=37)], "2: has ticket 37 of 37"),
        ([start(), drawn(1, ticket=-1)], "2: has ticket -1"),
        ([start(), drawn(1, total=38)], "of 38, expected 0 to 36"),
        ([start(), drawn(1, rejected=[3])], "2: rejected a ticket that counts"),
        ([start(), drawn(1, rejected=[64])], "2: rejected a ticket that counts"),
        ([start(), drawn(1, mapping="modulo")], "2: names the mapping 'modulo'"),
        ([start(), drawn(1, ((2, 1),))], "2: was drawn with other weights"),
        ([drawn(1)], "1: was drawn with other weights than those in force, none"),
        ([start(), drawn(2), drawn(1)], "3: is a draw for offer 1 after one for offer 2"),
        (
            [start(), step("deal"), start(NEW, "held.deal"), drawn(1, NEW)],
            "4: was drawn with other",
        ),
        (
            [start(), Draft("draw", {}, offer=1)],
            "2: cannot be read as far as draws go: KeyError('mapping')",
        ),
    ],
)
def test_a_draw_that_does_not_follow_is_found_under_any_signature(
    tmp_path: Path, drafts: list[Draft], said: str
) -> None:
    told = made(tmp_path, [("boot-one", drafts)]).verify()
    assert told.status == WRONG
    assert any(said in what for what in told.found), told.found


def test_a_round_keeps_the_weights_that_it_began_with(tmp_path: Path) -> None:
    drafts = [start(), step("deal"), start(NEW, "held.deal"), drawn(1, WEIGHTS), step("settled")]
    drafts += [step("betting"), drawn(2, NEW)]
    assert made(tmp_path, [("boot-one", drafts)]).verify().status == VERIFIED


def in_line(at: int, *changes: str) -> Callable[[list[str]], list[str]]:
    """That line with one pattern after the other replaced by what follows it."""

    def alter(lines: list[str]) -> list[str]:
        line = lines[at]
        for pattern, by in zip(changes[::2], changes[1::2], strict=True):
            line = re.sub(pattern, by, line, count=1)
        return [*lines[:at], line, *lines[at + 1 :]]

    return alter


ALTERED: Final[dict[str, tuple[Callable[[list[str]], list[str]], str]]] = {
    "its end cut": (lambda told: told[:-1], "the end is missing"),
    "more of its end cut": (lambda told: told[:4], "the end is missing"),
    "its start cut": (lambda told: told[1:], "cannot be read"),
    "a line removed": (lambda told: told[:4] + told[5:], "is missing, or not in its place"),
    "a line twice": (lambda told: told[:4] + told[3:], "not in its place"),
    "lines swapped": (lambda told: [*told[:3], told[4], told[3], *told[5:]], "not in its place"),
    "a card changed": (in_line(2, '"rank":3', '"rank":4'), "was changed"),
    "nothing": (lambda _: [], "the export is empty"),
    "more said": (in_line(3, "}$", ',"note":"approved"}'), "has note = 'approved', which its body"),
    "no number": (
        in_line(3, '"seq":4', '"seq":null', '"device"', '"x"'),
        "has None for its number",
    ),
    "null said": (in_line(3, "}$", ',"device":null}'), "tells something that it has not"),
    "another journal": (in_line(0, '"journal":"..', '"journal":"00'), "was changed"),
}


@pytest.mark.parametrize("name", ALTERED)
def test_an_altered_export_is_not(case: Case, name: str) -> None:
    alter, said = ALTERED[name]
    case.put(alter(case.lines))
    told = case.verify()
    assert told.status == WRONG
    assert any(said in what for what in told.found), told.found


def rechained(folder: Path, case: Case) -> list[str]:
    """All of it written anew from the fourth entry, well chained, under the same name."""
    changed = [(boot, [*drafts]) for boot, drafts in HISTORY]
    changed[0][1][3] = Draft("entry", {"type": "dealer", "command": "open"})
    identity = json.loads(case.lines[0])["journal"]

    with pytest.MonkeyPatch.context() as patch:
        named = partial(opening.open_for_writing, identity=bytes.fromhex(identity))
        patch.setattr(opening, "open_for_writing", named)
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
