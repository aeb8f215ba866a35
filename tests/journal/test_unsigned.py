"""Entries behind the last head: how long they may go on before somebody is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.model import Draft
from controller.journal.sealing.heads import SignedHead, append_head
from controller.journal.sealing.keys import ControllerKey
from controller.journal.sealing.sealed import check_heads
from controller.journal.sealing.unsigned import DOUBTED, UNSIGNED_S, Unsigned
from controller.journal.store import Journal

LONG = UNSIGNED_S + 1
Told = list[tuple[str, dict[str, object], float]]


def found(folder: Path, told: Told, *, signed: int = 1) -> list[tuple[str, str]]:
    """What a start finds where entries were written at these seconds, and one head was signed."""
    key, heads = ControllerKey(folder / "key"), folder / "heads"
    with Journal(folder / "state", boot_id="boot") as journal:
        for kind, body, at in told:
            [entry] = journal.append([Draft(kind, body)], int(at * 1e9), "w")
            if entry.seq == signed:
                digest, identity = entry.digest.hex(), journal.identity.hex()
                head = SignedHead(identity, "P12", entry.seq, digest, journal.boot, "w")
                append_head(heads, head.signed(key))
        return list(check_heads(journal, heads, key.public))


def test_a_crash_before_the_next_head_is_nothing(tmp_path: Path) -> None:
    assert found(tmp_path, [("a", {}, 0), ("a", {}, 1), ("a", {}, UNSIGNED_S)]) == []


def test_what_goes_on_for_longer_is_doubted(tmp_path: Path) -> None:
    [(code, said)] = found(tmp_path, [("a", {}, 0), ("a", {}, 1), ("a", {}, 1 + LONG)])
    assert code == DOUBTED
    assert "no head was signed behind entry 1, from entry 2 to 3: it went on for 91 s" in said


def test_each_run_of_the_controller_counts_by_itself(tmp_path: Path) -> None:
    """One that died before its first head, and another one long after it."""
    told: Told = [("a", {}, 0), ("a", {}, 1), ("start", {}, 1 + LONG), ("a", {}, 2 + LONG)]
    assert found(tmp_path, told) == []


@pytest.mark.parametrize(("fault", "doubted"), [("heads-failing", 0), ("disk-low", 1)])
def test_where_heads_could_not_be_written_it_stays_a_notice(
    tmp_path: Path, fault: str, doubted: int
) -> None:
    condition = ("condition", {"fault": fault, "present": True}, 40.0)
    assert len(found(tmp_path, [("a", {}, 0), condition, ("a", {}, 40 + LONG)])) == doubted


def test_a_head_behind_it_covers_it(tmp_path: Path) -> None:
    told: Told = [("a", {}, 0), ("a", {}, 1), ("a", {}, 1 + LONG)]
    assert found(tmp_path, told, signed=3) == []


def head(seq: int) -> dict[str, object]:
    return {"seq": seq, "digest": "", "signature": "ab"}


def ended(state: str = "settled") -> dict[str, object]:
    return {"after": {"state": state}}


def failing(*, present: bool, fault: str = "heads-failing") -> dict[str, object]:
    return {"fault": fault, "present": present}


def stretches(folder: Path, *told: tuple[str, dict[str, object], float]) -> list[str]:
    """What a walk tells of entries that were written at these seconds."""
    walk, found = Unsigned(), []
    folder.mkdir(exist_ok=True)
    with Journal(folder / "state", boot_id="boot") as journal:
        for kind, body, at in told:
            journal.append([Draft(kind, body)], int(at * 1e9), "w")
        for entry in journal.iterate():
            stretch = walk.take(entry)
            found += [f"{stretch}{' (said)' if stretch.said else ''}"] if stretch else []
    return found


def test_each_head_is_named_once(tmp_path: Path) -> None:
    again = ("head", head(1), 2.0)
    assert stretches(tmp_path, ("a", {}, 0), ("head", head(1), 1), again) == [
        "from entry 3 to 3: a head that was named before is named again"
    ]


def test_rounds_count_where_times_are_made_up(tmp_path: Path) -> None:
    play = [("a", ended(state), 1.0) for state in ("betting", "settled") * 3]
    [found] = stretches(tmp_path, ("a", {}, 0), ("head", head(1), 1), *play)
    assert found == "from entry 4 to 8: 3 rounds were finished"


def test_a_start_does_not_make_rounds_forgotten(tmp_path: Path) -> None:
    play = [("a", ended("betting"), 1.0), ("a", ended(), 1.0), ("start", {}, 1.0)]
    [found] = stretches(tmp_path, ("a", {}, 0), ("head", head(1), 1), *play * 3)
    assert "3 rounds were finished" in found


def test_a_head_behind_them_covers_rounds(tmp_path: Path) -> None:
    play = [
        one
        for seq in (1, 4, 7, 10, 13)
        for one in (("a", ended("betting"), 1.0), ("a", ended(), 1.0), ("head", head(seq + 1), 1.0))
    ]
    assert stretches(tmp_path, *play) == []


@pytest.mark.parametrize("other", ["heads-doubted", "journal-cut"])
def test_what_was_said_stands_until_a_head_follows(tmp_path: Path, other: str) -> None:
    """A medium that was away while the table was idle; a start that ended one fault of two."""
    begun = [("a", {}, 0.0), ("head", head(1), 1.0)]
    away = [("condition", failing(present=True), 2.0), ("condition", failing(present=False), 330.0)]
    [found] = stretches(tmp_path / "a", *begun, *away)
    assert found.endswith("(said)")
    two = [("condition", failing(present=True, fault=other), 2.0), *away, ("a", {}, 400.0)]
    assert all(one.endswith("(said)") for one in stretches(tmp_path / "b", *begun, *two))


def test_a_boot_begins_with_a_start(tmp_path: Path) -> None:
    walk, found = Unsigned(judging=True), []
    for boot in ("one", "two"):
        with Journal(tmp_path / "state", boot_id=boot) as journal:
            journal.append([Draft("a", {})], 1, "w")
    with Journal(tmp_path / "state", boot_id="two") as journal:
        found = [str(one) for entry in journal.iterate() if (one := walk.take(entry))]
    assert found == ["from entry 2 to 2: a boot begins without a start"]


def test_a_journal_of_this_version_without_heads_is_doubted(tmp_path: Path) -> None:
    """Made anew whole, with starts that tell of no heads, beside a key that was there before."""
    key = ControllerKey(tmp_path / "key").public
    sealing: dict[str, object] | None
    for sealing in (None, {}):
        with Journal(tmp_path / f"state-{sealing}", boot_id="one") as journal:
            journal.append([Draft("start", {"sealing": sealing})], 1, "w")
            heads = tmp_path / "none"
            assert [code for code, _ in check_heads(journal, heads, key)] == [DOUBTED]
            if sealing is None:
                assert list(check_heads(journal, heads, key, made=True)) == []
                journal.append([Draft("condition", failing(present=True))], 2, "w")
                assert list(check_heads(journal, heads, key)) == []
