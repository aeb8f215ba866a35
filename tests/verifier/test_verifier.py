"""The inspector's verifier, run as he runs it: what it says, and what it cannot say."""

from __future__ import annotations

import io
import json
import tracemalloc
from dataclasses import replace
from pathlib import Path

from controller.evidence.heads import SignedHead, append_head, heads_in
from controller.journal.keys import ControllerKey
from tests.journal.helpers import card, sample
from tests.upkeep.archives import closed
from tests.verifier.support import COUNT, VERIFIER, Case, alone, made, start
from verifier.verify_journal import INCOMPLETE, VERIFIED, WRONG, Keys, Verification


def test_what_the_controller_exports_is_verified(whole: Case) -> None:
    told = whole.verify()
    assert told.status == VERIFIED, told.text
    report = told.json
    assert report["verified"] is True
    assert (report["entries"], report["first"], report["last"]) == (COUNT, 1, COUNT)
    assert (report["sealed_to"], report["heads"], report["draws"]) == (COUNT, COUNT // 2, 2)
    assert report["findings"] == report["not_checked"] == []
    assert report["table"] == "P12"


def test_it_says_it_in_plain_words_too(whole: Case) -> None:
    key = whole.folder / "public.txt"
    key.write_text(f"{whole.key.public.text}  key of table P12\n", encoding="ascii")
    export = whole.export.read_text(encoding="ascii")
    ran = alone(VERIFIER, "-", "--heads", whole.heads, "--key", key, input=export)
    assert ran.returncode == VERIFIED
    assert ran.stdout.splitlines()[-1].startswith("VERIFIED: the journal is whole")


def test_what_was_not_given_is_said_in_plain_words(whole: Case) -> None:
    ran = alone(VERIFIER, whole.export)
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
    assert (told.status, f"was signed after entry {COUNT}" in told.found[0]) == (WRONG, True)


def test_an_entry_that_was_signed_as_two_is_named(case: Case) -> None:
    heads = [head for _, head in heads_in(case.heads) if isinstance(head, SignedHead)]
    append_head(case.heads, replace(heads[-1], wall="later").signed(case.key))
    assert case.verify().status == VERIFIED, "the same entry signed once more is no harm"
    other = replace(heads[-1], wall="later", digest="ab" * 32).signed(case.key)
    append_head(case.heads, other)
    told = case.verify()
    assert told.status == WRONG
    [found] = told.found
    assert found.startswith(f"{COUNT}: was signed as two entries, the second one later (line ")


def test_foreign_and_altered_signatures_do_not_count(case: Case) -> None:
    foreign = ControllerKey(case.folder / "foreign")
    told = case.verify(key=foreign.public.text)
    assert told.status == WRONG
    assert all("with a key that was not given" in what for what in told.found)
    assert case.verify("--key", foreign.public.text).status == VERIFIED
    text = case.heads.read_text(encoding="ascii")
    (first, *_) = [head for _, head in heads_in(case.heads) if isinstance(head, SignedHead)]
    case.heads.write_text(text.replace(first.signature, "00" * 64), encoding="ascii")
    told = case.verify()
    assert (told.status, "not of that key" in told.found[0]) == (WRONG, True)


def test_a_signature_has_one_spelling(case: Case) -> None:
    *before, last = case.heads.read_text(encoding="ascii").splitlines()
    signature = json.loads(last)["signature"]
    spelled = last.replace(signature, signature.upper())
    case.heads.write_text("\n".join([*before, spelled, ""]), encoding="ascii")
    told = case.verify()
    assert (told.status, "hexadecimal digits in lower case" in told.found[0]) == (WRONG, True)
    told = case.verify(key=case.key.public.text.upper())
    assert (told.status, "is no public key" in told.text) == (INCOMPLETE, True)


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
    ran = alone("-c", code, VERIFIER, *arguments)
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
    assert (told.status, "is not in the export" in told.found[0]) == (WRONG, True)


def test_an_archived_journals_successor_is_verified_by_itself(tmp_path: Path) -> None:
    last = sample(tmp_path / "state")[-1]
    closed(tmp_path / "state")
    case = made(tmp_path, [("boot-four", [start(), card(9)])])
    told = case.verify()
    assert told.status == VERIFIED, told.text
    case.put([line.replace(last.digest.hex(), "02" * 32) for line in case.lines])
    assert case.verify().found[0] == (
        f"{last.seq + 1}: was changed, or does not follow from the entry before it"
    )
    assert told.json["first"] == last.seq + 1
    assert f"goes on from entry {last.seq}" in told.json["remarks"][0]


def test_it_keeps_nothing_of_the_lines_that_it_has_read(whole: Case) -> None:
    """A year's export is read in the memory of a day's."""

    def peak(lines: int) -> int:
        found = Verification()
        shorter = io.BytesIO(b"".join([whole.export.read_bytes()] * lines))
        tracemalloc.start()
        found.verify_all(shorter, None, Keys([]), {})
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found.entries == COUNT * lines
        return used

    peak(20)
    assert peak(200) < peak(20) + 50_000


def test_an_inspector_can_read_all_of_it() -> None:
    assert len(VERIFIER.read_text(encoding="utf-8").splitlines()) <= 1500
