"""Signed heads and archiving: they go with their journal, and one of it has to stand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.evidence.heads import SignedHead, append_head, beside, heads_in, shorten
from controller.evidence.recorded import vouched
from controller.evidence.tree.checkpoint import checkpoint_of
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.upkeep.closure import closing_steps
from controller.upkeep.successor import Signatory
from tests.journal.helpers import KEY, card, drawn, heads_of, write
from tests.upkeep.archives import MOMENT, SNAPSHOT, closed, shown


def signed(path: Path) -> list[SignedHead]:
    heads = [head for _, head in heads_in(path)]
    assert all(isinstance(head, SignedHead) for head in heads)
    return [head for head in heads if isinstance(head, SignedHead)]


def signed_in(path: Path) -> list[int]:
    return [head.seq for _, head in heads_in(path) if isinstance(head, SignedHead)]


def sign(state: Path, *seqs: int) -> Path:
    """Heads of those entries of a journal."""
    path = heads_of(state)
    last = signed(path)[-1]
    path.unlink()
    with JournalReader(state) as reader:
        for seq in seqs:
            digest = next(reader.iterate(seq - 1, seq)).digest.hex()
            append_head(path, replace(last, seq=seq, digest=digest).signed(KEY))
    return path


def test_all_lines_go_along_and_the_last_head_stays(places: tuple[Path, Path]) -> None:
    state, _ = places
    path = sign(state, 2, 5, 10)
    whole = b"no head at all\n" + path.read_bytes()
    path.write_bytes(whole)
    path.chmod(0o640)
    copied = beside(closed(state))
    assert copied.name.endswith("-000000000001-000000000010.heads.jsonl")
    assert copied.read_bytes().startswith(whole)
    assert signed_in(copied) == [2, 5, 10, 10]  # the last one as it was closed
    assert copied.stat().st_mode & 0o777 == 0o440
    assert [head.seq for head in signed(path)] == [10]
    assert path.stat().st_mode & 0o777 == 0o640
    assert shown(state) == []


def test_the_file_of_heads_is_as_long_as_one_journals_play(places: tuple[Path, Path]) -> None:
    state, archive = places
    lengths = []
    for number in range(7, 12):
        write(state, card(number), drawn(2 * number), boot_id=f"boot-{number}")
        closed(state)
        lengths.append(len(signed(heads_of(state))))
    assert lengths == [2] * 5  # the one that stayed, and that of the snapshot, just signed
    files = sorted(archive.glob("*.heads.jsonl"))
    assert len(files) == 5
    names = {head.journal for path in files for head in signed(path)}
    assert len(names) == 5


def test_heads_that_failed_since_the_last_closing_are_not_in_the_way(
    places: tuple[Path, Path],
) -> None:
    """The end is signed as it is closed: what follows does not look like another table's
    journal."""
    state, _ = places
    closed(state)
    path = heads_of(state)
    path.write_text(f"{signed(path)[0].line}\n", "ascii")  # only the one that stayed
    write(state, Draft("start", {}), card(7), boot_id="boot-four")
    closed(state)
    assert shown(state) == []


def test_where_no_head_can_be_signed_nothing_is_closed(
    places: tuple[Path, Path], tmp_path: Path
) -> None:
    state, archive = places
    nowhere = Signatory("P12", tmp_path / "nowhere" / "heads.jsonl", KEY)
    with pytest.raises(FileNotFoundError):
        list(closing_steps(state, SNAPSHOT, MOMENT, nowhere))
    assert list(archive.iterdir()) == []


def test_a_file_that_was_begun_anew_is_begun_again(places: tuple[Path, Path]) -> None:
    """What a power cut left of shortening it is not in the way."""
    path = sign(places[0], 2, 10)
    path.with_name(f"{path.name}.new").write_bytes(b"half a li")
    shorten(path, signed(path)[-1])
    assert [head.seq for head in signed(path)] == [10]
    assert not path.with_name(f"{path.name}.new").exists()


@pytest.mark.parametrize("roots", [(b"1", b"2"), (b"2", b"1")])
def test_starts_that_believed_two_checkpoints_are_told(tmp_path: Path, roots: list[bytes]) -> None:
    """Of two that differ for one entry neither is taken for the other, whichever came first."""
    signed_ones = [checkpoint_of(KEY.public, 5, root * 32).signed(KEY) for root in roots]
    write(tmp_path, *(Draft("start", {"sealing": {"recovered": one}}) for one in signed_ones))
    with JournalReader(tmp_path) as reader:
        told = vouched(reader, [KEY.public])
    assert [one.what for one in told.findings] == ["entry 5: two checkpoints differ"]
