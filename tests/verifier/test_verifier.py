"""The inspector's verifier, run as he runs it, on exports to which something was done."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from controller.journal import opening, store
from controller.journal.heads import SignedHead, append_head, heads_in
from controller.journal.keys import BoxKey
from controller.journal.model import Draft
from tests.journal.helpers import WALL, card, sample
from tests.journal.test_archive import archived
from tests.verifier.support import HISTORY, VERIFIER, WEIGHTS, Case, drawn, made, start, step
from verifier.verify_journal import INCOMPLETE, VERIFIED, WRONG, Keys, Verification

NEW = ((2, 1), (3, 1))
COUNT = sum(len(drafts) for _, drafts in HISTORY)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return made(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def case(whole: Case, tmp_path: Path) -> Case:
    """A copy that may be altered."""
    copy = tmp_path / "case"
    shutil.copytree(whole.folder, copy)
    return Case(copy, BoxKey(copy / "key"))


def test_what_the_box_exports_is_verified(whole: Case) -> None:
    told = whole.verify()
    assert told.status == VERIFIED, told.text
    report = told.json
    assert report["verified"] is True
    assert (report["entries"], report["first"], report["last"]) == (COUNT, 1, COUNT)
    assert (report["sealed_to"], report["heads"], report["draws"]) == (COUNT, COUNT // 2, 2)
    assert report["findings"] == report["not_checked"] == []
    assert report["table"] == "P12"


def test_it_says_it_in_plain_words_too(whole: Case) -> None:
    ran = subprocess.run(
        [sys.executable, "-I", VERIFIER, "-", "--heads", whole.heads, "--key", _key_file(whole)],
        input=whole.export.read_text(encoding="ascii"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == VERIFIED
    assert ran.stdout.splitlines()[-1].startswith("VERIFIED: the journal is whole")


def test_what_was_not_given_is_said_in_plain_words(whole: Case) -> None:
    ran = subprocess.run(
        [sys.executable, "-I", VERIFIER, whole.export], capture_output=True, text=True, check=False
    )
    assert ran.returncode == INCOMPLETE
    first, _, heads, *_ = ran.stdout.splitlines()
    assert first == f"table not known (heads name it): {COUNT} entries, 1 to {COUNT}"
    assert heads == "signed heads: none were given"
    assert "NOT CHECKED: no public key was given (--key)" in ran.stdout
    assert "NOT CHECKED: no heads were given (--heads)" in ran.stdout


def test_however_many_heads_are_behind_a_cut_end_it_is_one_finding(case: Case) -> None:
    case.put(case.lines[:3])
    [found] = case.verify().found
    more = COUNT // 2 - 2
    assert found.startswith("4: was signed ")
    assert f", and {more} more up to entry {COUNT}, but the export ends with entry 3" in found


def _key_file(case: Case) -> Path:
    path = case.folder / "public.txt"
    path.write_text(f"{case.key.public.text}  key of table P12\n", encoding="ascii")
    return path


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


def test_another_journal_is_not_the_one_that_was_signed(case: Case, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    case.put(made(tmp_path / "other", key=case.key).lines)
    told = case.verify()
    assert told.status == INCOMPLETE
    assert told.json["not_checked"] == ["no head is of this journal: a cut end would not show"]


def test_a_restored_old_copy_that_went_on_shows_in_the_heads(case: Case) -> None:
    heads = [head for _, head in heads_in(case.heads) if isinstance(head, SignedHead)]
    again = replace(heads[1], wall="later").signed(case.key)
    append_head(case.heads, again)
    told = case.verify()
    assert told.status == WRONG
    assert f"was signed after entry {COUNT}" in told.found[0]


def test_foreign_and_altered_signatures_do_not_count(case: Case) -> None:
    foreign = BoxKey(case.folder / "foreign")
    told = case.verify(key=foreign.public.text)
    assert told.status == WRONG
    assert all("with a key that was not given" in what for what in told.found)
    assert case.verify("--key", foreign.public.text).status == VERIFIED
    text = case.heads.read_text(encoding="ascii")
    (first, *_) = [head for _, head in heads_in(case.heads) if isinstance(head, SignedHead)]
    case.heads.write_text(text.replace(first.signature, "00" * 64), encoding="ascii")
    told = case.verify()
    assert told.status == WRONG
    assert "not of that key" in told.found[0]


def test_a_signature_has_one_spelling(case: Case) -> None:
    *before, last = case.heads.read_text(encoding="ascii").splitlines()
    signature = json.loads(last)["signature"]
    spelled = last.replace(signature, signature.upper())
    case.heads.write_text("\n".join([*before, spelled, ""]), encoding="ascii")
    told = case.verify()
    assert told.status == WRONG
    assert "hexadecimal digits in lower case" in told.found[0]
    told = case.verify(key=case.key.public.text.upper())
    assert told.status == INCOMPLETE
    assert "is no public key" in told.text


def test_a_torn_head_is_told_and_harms_nothing(case: Case) -> None:
    with case.heads.open("ab") as file:
        file.write(b'{"boot":1')
    told = case.verify()
    assert told.status == VERIFIED
    assert any("torn" in remark for remark in told.json["remarks"])
    with case.export.open("ab") as file:
        file.write(b'{"seq":13')
    assert case.verify().status == WRONG


def test_what_cannot_be_checked_is_said_and_is_not_verified(case: Case, tmp_path: Path) -> None:
    for told, missing in (
        (case.verify(heads=False), "no heads were given"),
        (case.verify(key=""), "no public key was given"),
    ):
        assert told.status == INCOMPLETE
        assert missing in told.json["not_checked"][0]
    for bad in ("zz", "00" * 31, str(case.export)):
        told = case.verify(key=bad)
        assert told.status == INCOMPLETE
        assert "is no public key" in told.text
    assert case.verify("--known", "nothing").status == INCOMPLETE
    case.export.unlink()
    assert case.verify().status == INCOMPLETE
    (tmp_path / "tail").mkdir()
    told = made(tmp_path / "tail", sealed=COUNT - 2).verify()
    assert told.status == INCOMPLETE
    assert f"entries {COUNT - 1} to {COUNT} are chained" in told.json["not_checked"][0]


def test_without_the_library_it_says_so(case: Case) -> None:
    code = (
        "import sys, runpy; sys.modules['cryptography'] = None;"
        "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    arguments = [str(case.export), "--heads", str(case.heads), "--key", case.key.public.text]
    ran = subprocess.run(
        [sys.executable, "-I", "-c", code, VERIFIER, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == INCOMPLETE
    assert "NOT CHECKED: the package 'cryptography' is missing" in ran.stdout
    assert "VERIFIED:" not in ran.stdout


def test_an_entry_that_was_written_down_is_compared(case: Case) -> None:
    heads = [head for _, head in heads_in(case.heads) if isinstance(head, SignedHead)]
    assert case.verify("--known", heads[2].short).status == VERIFIED
    told = case.verify("--known", f"{heads[2].seq} 0000-0000")
    assert (told.status, told.found) == (
        WRONG,
        [f"{heads[2].seq}: is not the entry that was written down as 00000000"],
    )
    told = case.verify("--known", "99 0123-4567")
    assert told.status == WRONG
    assert "is not in the export" in told.found[0]


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


def test_an_archived_journals_successor_is_verified_by_itself(tmp_path: Path) -> None:
    last = sample(tmp_path / "state")[-1]
    (tmp_path / "archive").mkdir()
    archived(tmp_path / "state", tmp_path / "archive")
    case = made(tmp_path, [("boot-four", [start(), card(9)])])
    told = case.verify()
    assert told.status == VERIFIED, told.text
    case.put([line.replace(last.digest.hex(), "02" * 32) for line in case.lines])
    assert case.verify().found[0] == (
        f"{last.seq + 1}: was changed, or does not follow from the entry before it"
    )
    assert told.json["first"] == last.seq + 1
    assert f"goes on from entry {last.seq}" in told.json["remarks"][0]


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
        found.run(io.BytesIO(new), heads, Keys([whole.key.public.text]), {})
    assert found.status != VERIFIED


@given(ALTERATIONS)
def test_altered_heads_never_cover_more_than_was_signed(whole: Case, how: Any) -> None:
    assume(how[0] in ("byte", "drop", "insert"))
    found = Verification()
    new = altered(whole.heads.read_bytes(), *how)
    with whole.export.open("rb") as export:
        found.run(export, io.BytesIO(new), Keys([whole.key.public.text]), {})
    signed = [number for number, _ in heads_in(whole.heads)]
    assert found.heads <= len(signed)
    assert found.sealed_to is None or found.sealed_to % 2 == COUNT % 2


def test_it_keeps_nothing_of_the_lines_that_it_has_read(whole: Case) -> None:
    """A year's export is read in the memory of a day's."""

    def peak(lines: int) -> int:
        found = Verification()
        shorter = io.BytesIO(b"".join([whole.export.read_bytes()] * lines))
        tracemalloc.start()
        found.run(shorter, None, Keys([]), {})
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found.entries == COUNT * lines
        return used

    peak(20)
    assert peak(200) < peak(20) + 50_000
