"""Signed commits among the heads, and what starts found: an inspector's verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controller.journal.keys import ControllerKey
from controller.journal.model import Draft
from tests.journal.helpers import WALL, card
from tests.verifier.support import Case, made, rechained, spelled, start, step
from verifier.verify_journal import COMMIT, INCOMPLETE, VERIFIED, WRONG

Line = dict[str, Any]
DIGEST = "ab" * 32


def signing(**more: Any) -> Draft:
    """A start that tells of its key."""
    draft = start()
    sealing = {"vkey": "/etc/journal.vkey", "fingerprint": "cd" * 32}
    return Draft("start", {**draft.body, "sealing": sealing, **more})


def resume(ended: str) -> Draft:
    after = {"state": "idle", "ended": [ended]}
    return Draft("supervisor", {"command": "resume", "by": "Sue", "why": "looked", "after": after})


def history(*drafts: Draft) -> list[tuple[str, list[Draft]]]:
    return [("boot-one", [signing(), card(1), card(2), *drafts, step("idle"), card(3)])]


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """Heads up to entry 3, and nothing that covers the last two."""
    return made(tmp_path, history(), sealed=3)


def commit(case: Case, key: ControllerKey | None = None, at: int = 5, **other: Any) -> Line:
    """The row's line for that entry."""
    key = key or case.key
    entry = json.loads(case.lines[at - 1])
    told = {
        "format": COMMIT,
        "journal": json.loads(case.lines[0])["journal"],
        "seq": at,
        "digest": entry["digest"],
        "wall": WALL,
        "key": key.public.fingerprint,
    } | other
    text = "".join(f"{told[name]}\n" for name in ("format", "journal", "seq", "digest", "wall"))
    return dict(sorted((told | {"signature": key.sign(text.encode()).hex()}).items()))


def put(case: Case, *lines: Line) -> None:
    with case.heads.open("a", encoding="ascii") as file:
        file.writelines(f"{spelled(line)}\n" for line in lines)


def test_a_commit_covers_the_export_to_its_last_entry(case: Case) -> None:
    stripped = case.verify()
    assert (stripped.status, stripped.json["sealed_to"]) == (INCOMPLETE, 3)
    assert "ask for 'journal export --evidence'" in stripped.json["not_checked"][0]
    put(case, commit(case))
    told = case.verify()
    assert told.status == VERIFIED, told.text
    assert (told.json["sealed_to"], told.json["commits"]) == (5, 1)
    assert told.json["signed_by"] == {case.key.public.fingerprint: 5}


def test_one_of_an_earlier_commit_covers_no_more_than_that(case: Case) -> None:
    put(case, commit(case, at=4))
    told = case.verify()
    assert (told.status, told.json["sealed_to"]) == (INCOMPLETE, 4)


def test_two_commits_that_agree_are_good_and_two_that_do_not_are_wrong(case: Case) -> None:
    put(case, commit(case, at=4), commit(case))
    assert case.verify().status == VERIFIED
    put(case, commit(case, digest=DIGEST))
    assert any("signed as two entries" in what for what in case.verify().found)


def test_one_that_goes_back_is_wrong(case: Case) -> None:
    put(case, commit(case), commit(case, at=4))
    told = case.verify()
    assert told.status == WRONG
    assert "was signed after entry 5" in told.found[0]


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"digest": DIGEST}, "5: is not the entry that was signed"),
        ({"seq": 6}, "the export ends with entry 5: the end is missing"),
        ({"seq": 2}, "was signed after entry 3"),
    ],
)
def test_one_that_does_not_fit_is_wrong(case: Case, other: Line, says: str) -> None:
    put(case, commit(case, **other))
    told = case.verify()
    assert told.status == WRONG
    assert any(says in what for what in told.found), told.found


def test_one_of_another_key_is_wrong_unless_that_was_given(case: Case, tmp_path: Path) -> None:
    other = ControllerKey(tmp_path / "other")
    put(case, commit(case, other))
    assert "with a key that was not given" in case.verify().found[0]
    both = tmp_path / "journal.vkey"
    both.write_text(f"{case.key.public.text}\n{other.public.text}  the second\n", "ascii")
    assert case.verify(key=str(both)).status == VERIFIED
    assert case.verify(key="/dev/null").status == INCOMPLETE


@pytest.mark.parametrize(
    "forge",
    [
        lambda line: line | {"wall": "2026-11-20T18:16:59+00:00"},
        lambda line: line | {"signature": "00" * 64},
        lambda line: line | {"journal": line["journal"].upper()},
        lambda line: line | {"seq": "5"},
        lambda line: line | {"more": 1},
        lambda line: {name: value for name, value in line.items() if name != "key"},
        lambda line: line | {"format": "table-controller commit 2"},
    ],
)
def test_one_that_was_changed_is_wrong(case: Case, forge: Any) -> None:
    put(case, forge(commit(case)))
    assert case.verify().status == WRONG


# ---- what starts found ---------------------------------------------------------------------------


def found(fault: str, **more: Any) -> Line:
    wrong = "entries 2 to 3 are covered by no signature"
    told = {"journal": "00" * 16, "seq": 3, "digest": DIGEST, "row": None}
    return {"found": {**told, "wrong": wrong, "fault": fault, **more}}


def verdict(folder: Path, body: Line, *behind: Draft) -> Any:
    return made(folder, history(signing(**body), *behind)).verify()


def test_a_start_on_a_forged_end_says_so_for_ever(tmp_path: Path) -> None:
    told = verdict(tmp_path, found("journal-not-signed"), resume(ended="journal-not-signed"))
    assert told.status == WRONG
    [what] = told.found
    assert "4: found journal-not-signed behind entry 3" in what
    assert "It vouches for nothing before it" in what


def test_a_journal_that_goes_on_from_such_a_one_says_it_too(tmp_path: Path) -> None:
    case = made(tmp_path, history())
    first, *rest = (json.loads(line) for line in case.lines)
    first["predecessor"] = {"journal": "00" * 16, "seq": 0, "digest": DIGEST}
    first["body"]["found"] = [found("journal-not-signed")["found"]]
    case.put(rechained([first, *rest]))
    case.heads.write_text("", "ascii")
    put(case, commit(case))
    told = case.verify()
    assert told.status == WRONG
    [what] = told.found
    assert what.startswith("1: found journal-not-signed behind entry 3: ")


@pytest.mark.parametrize("forged", ["", "signature", "key", "seq", "digest"])
def test_another_key_is_told_where_the_row_before_it_is_good(tmp_path: Path, forged: str) -> None:
    """The key was lost: the row that the start found is good under the key of before."""
    case = made(tmp_path, history())
    before = ControllerKey(tmp_path / "before")
    lines = [json.loads(line) for line in case.lines]
    row = commit(case, before, at=3)
    row = {name: row[name] for name in ("seq", "digest", "wall", "key", "signature")}
    if forged:
        row[forged] = {"signature": "00" * 64, "key": "11" * 32, "seq": 2, "digest": DIGEST}[forged]
    body = found("heads-doubted", journal=lines[0]["journal"], digest=lines[2]["digest"], row=row)
    lines.insert(3, {**lines[2], "type": "start", "body": {**lines[0]["body"], **body}})
    for name in ("device", "session", "event_no", "t_ms", *(lines[3].keys() - lines[0].keys())):
        lines[3].pop(name, None)
    case.put(rechained(lines))
    case.heads.write_text("", "ascii")
    put(case, commit(case, at=6))
    told = case.verify("--key", before.public.text)
    assert told.status == (WRONG if forged else VERIFIED), told.text
    if not forged:
        [remark] = [one for one in told.json["remarks"] if "heads-doubted" in one]
        assert before.public.fingerprint[:16] in remark
        assert "from there key cdcdcdcdcdcdcdcd…" in remark
        assert case.verify().status == WRONG, "the key of before was not given"


def test_what_a_start_found_in_a_form_of_its_own_is_wrong(tmp_path: Path) -> None:
    for body in (found("something-new"), {"found": ["x"]}, {"found": {"seq": 3}}):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        assert verdict(folder, body).status == WRONG
