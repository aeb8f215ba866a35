"""Signed heads and archiving: they go with their journal, and one of it has to stand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.copies.successor import Heads
from controller.journal.errors import CannotArchive
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.journal.sealing.archived_heads import beside, shorten, standing_head
from controller.journal.sealing.heads import SignedHead, append_head, heads_in
from tests.journal.archives import closed, going, shown
from tests.journal.helpers import (
    KEY,
    OTHER_KEY,
    as_version,
    card,
    drawn,
    forging,
    heads_of,
    sample,
    write,
)


def signed(path: Path) -> list[SignedHead]:
    heads = [head for _, head in heads_in(path)]
    assert all(isinstance(head, SignedHead) for head in heads)
    return [head for head in heads if isinstance(head, SignedHead)]


def sign(state: Path, *seqs: int) -> Path:
    """Heads of those entries of a journal."""
    heads = heads_of(state)
    last = signed(heads.path)[-1]
    heads.path.unlink()
    with JournalReader(state) as reader:
        for seq in seqs:
            digest = next(reader.iterate(seq - 1, seq)).digest.hex()
            append_head(heads.path, replace(last, seq=seq, digest=digest).signed(KEY))
    return heads.path


def test_all_lines_go_along_and_the_last_head_stays(places: tuple[Path, Path]) -> None:
    state, _ = places
    path = sign(state, 2, 5, 10)
    whole = b"no head at all\n" + path.read_bytes()
    path.write_bytes(whole)
    path.chmod(0o640)
    copied = beside(closed(state))
    assert copied.name.endswith("-000000000001-000000000010.heads.jsonl")
    assert copied.read_bytes() == whole
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
        lengths.append(len(signed(heads_of(state).path)))
    assert lengths == [2] * 5  # the one that stayed, and that of the snapshot, just signed
    files = sorted(archive.glob("*.heads.jsonl"))
    assert len(files) == 5
    names = {head.journal for path in files for head in signed(path)}
    assert len(names) == 5


# ---- what is refused --------------------------------------------------------------------------


def refused(state: Path, archive: Path, heads: Heads) -> str:
    before = sorted(archive.iterdir()), (state / "journal.sqlite3").read_bytes()
    with pytest.raises(CannotArchive) as refusal:
        list(going(state, heads))
    assert (sorted(archive.iterdir()), (state / "journal.sqlite3").read_bytes()) == before
    return str(refusal.value)


def test_heads_that_failed_since_the_last_archiving_are_in_the_way(
    places: tuple[Path, Path],
) -> None:
    """What followed would have looked like another table's journal at every start."""
    state, archive = places
    closed(state)
    heads = Heads(state.with_name("state-heads.jsonl"), heads_of(state).keys)
    heads.path.write_text(f"{signed(heads.path)[0].line}\n", "ascii")  # only the one that stayed
    write(state, Draft("start", {}), card(7), boot_id="boot-four")
    said = refused(state, archive, heads)
    assert "no signed head of this journal stands" in said
    assert "its last one is for entry 10 of another journal" in said
    assert "start the controller, which signs one" in said
    assert shown(state) == []
    closed(state)
    assert shown(state) == []


def test_heads_that_are_not_there_or_of_another_key_are_in_the_way(
    places: tuple[Path, Path], tmp_path: Path
) -> None:
    state, archive = places
    heads = heads_of(state)
    other = Heads(heads.path, [OTHER_KEY.public])
    assert "none that the controller's key has signed" in refused(state, archive, other)
    heads.path.rename(tmp_path / "elsewhere")
    assert "it cannot be read (No such file" in refused(state, archive, heads)


def test_a_journal_that_does_not_have_what_was_signed_stays(places: tuple[Path, Path]) -> None:
    state, archive = places
    heads = heads_of(state)
    with forging(state) as connection:
        connection.execute("DELETE FROM entry WHERE seq = 10")
    said = refused(state, archive, heads)
    assert "entry 10, signed" in said
    assert "until a supervisor has said what is to be done" in said


def test_a_head_from_before_the_first_entry_stands(places: tuple[Path, Path]) -> None:
    """Signed at the very first start, after which heads failed."""
    state, _ = places
    heads = heads_of(state)
    first = replace(signed(heads.path)[-1], seq=0, digest="0" * 64).signed(KEY)
    append_head(heads.path, first)
    with JournalReader(state) as reader:
        assert standing_head(reader, heads.path, heads.keys) == first
    list(going(state, heads))
    assert shown(state) == []


def test_heads_of_a_journal_of_the_first_schema_go_along(tmp_path: Path) -> None:
    sample(tmp_path / "new")
    state = as_version(1, tmp_path / "new", tmp_path / "state")
    assert signed(beside(closed(state)))[-1].seq == 10


def test_a_file_that_was_begun_anew_is_begun_again(places: tuple[Path, Path]) -> None:
    """What a power cut left of shortening it is not in the way."""
    path = sign(places[0], 2, 10)
    path.with_name(f"{path.name}.next").write_bytes(b"half a li")
    shorten(path, signed(path)[-1])
    assert [head.seq for head in signed(path)] == [10]
    assert not path.with_name(f"{path.name}.next").exists()
