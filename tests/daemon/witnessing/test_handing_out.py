"""Entries and proofs for witnesses, read beside the loop, out of closed journals too."""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.control.handler import BadCommand, RequestRefused
from controller.daemon import beside_the_loop as module
from controller.daemon.beside_the_loop import HandingOut
from controller.evidence.heads import SignedHead
from controller.evidence.tree.checkpoint import Checkpoint, parsed
from controller.evidence.tree.merkle import joined, leaf_hash, push, roots_from_subtree
from controller.journal.export import lines
from controller.journal.reader import ARCHIVE, JournalReader
from tests.daemon.journaling.aged import LONG_AGO, NOW, closes, play_at, with_archive
from tests.daemon.process import Place
from tests.daemon.sealed import heads, play


@asynccontextmanager
async def handing_out_of(place: Place) -> AsyncIterator[HandingOut]:
    handing_out = HandingOut(place.state, None)
    try:
        yield handing_out
    finally:
        handing_out.end()
        handing_out.join(time.monotonic() + 10)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A table that was played at and stopped."""
    made = Place(tmp_path)
    play(made, "open", "wager 1 main 10", "wager 2 main 10")
    return made


@pytest.fixture
def closed(tmp_path: Path, mocker: MockerFixture) -> Place:
    """One whose journal was closed, and which was played at again."""
    made = Place(tmp_path)
    with_archive(made, after_days=30)
    play_at(LONG_AGO, mocker, made)
    assert closes(made, NOW)
    play(made, "open")
    return made


def exported(place: Place) -> list[str]:
    """Every line of the journal, as ``journal export`` writes them."""
    with JournalReader(place.state) as reader:
        return list(lines(reader))


async def test_entries_are_the_lines_of_an_export(place: Place) -> None:
    every = exported(place)

    async with handing_out_of(place) as handing_out:
        assert await handing_out.entries(0, 256) == every
        assert await handing_out.entries(2, 2) == every[2:4]
        assert await handing_out.entries(len(every) - 1, 5) == every[-1:]
        assert await handing_out.entries(len(every), 5) == []
        assert await handing_out.entries(10**15, 5) == []
        for most in (0, 257):
            with pytest.raises(BadCommand, match="most: expected 1 to 256"):
                await handing_out.entries(0, most)


async def test_fewer_come_where_they_are_long(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = exported(place)
    monkeypatch.setattr(module, "MOST_BYTES", len(every[0]) + len(every[1]))

    async with handing_out_of(place) as handing_out:
        assert await handing_out.entries(0, 256) == every[:2]
        monkeypatch.setattr(module, "MOST_BYTES", 1)
        assert await handing_out.entries(0, 256) == every[:1]  # one goes out however long it is


async def test_entries_of_a_closed_journal_come_first(closed: Place) -> None:
    now = exported(closed)
    begins = json.loads(now[0])["seq"] - 1

    async with handing_out_of(closed) as handing_out:
        told = await handing_out.entries(0, 256)
        assert [json.loads(line)["seq"] for line in told] == [*range(1, begins + len(now) + 1)]
        assert told[begins:] == now
        (file,) = (closed.state / ARCHIVE).glob("journal-*.sqlite3")
        file.rename(closed.folder / file.name)
        assert await handing_out.entries(begins, 256) == now
        with pytest.raises(
            RequestRefused, match=f"entries 1 to {begins} are in a closed"
        ) as refused:
            await handing_out.entries(0, 256)
        assert refused.value.code == "taken-away"


def newest(found: list[SignedHead]) -> Checkpoint:
    return parsed([head for head in found if head.checkpoint][-1].checkpoint)


async def test_a_proof_leads_from_the_old_root_to_the_new_one(place: Place) -> None:
    old = parsed(next(head.checkpoint for head in heads(place) if head.seq))
    new = newest(heads(place))
    assert old.size < new.size

    async with handing_out_of(place) as handing_out:
        path = [b64decode(one) for one in await handing_out.proof(old.size, new)]
        assert roots_from_subtree(0, old.size, new.size, old.root, path) == (old.root, new.root)
        assert await handing_out.proof(0, new) == []
        assert await handing_out.proof(new.size, new) == []


async def test_what_a_witness_cosigned_before_a_closing_is_proven_from(closed: Place) -> None:
    """The path's low nodes are made of entries of the closed file."""
    new = newest(heads(closed))
    with JournalReader(closed.state) as reader:
        begins = reader.begins
    assert begins > 1

    async with handing_out_of(closed) as handing_out:
        assert await handing_out.proof(begins, new)
        assert await handing_out.proof(1, new)
        (file,) = (closed.state / ARCHIVE).glob("journal-*.sqlite3")
        file.rename(closed.folder / file.name)
        assert await handing_out.proof(begins, new)
        with pytest.raises(RequestRefused, match="nothing can be proven from entry") as refused:
            await handing_out.proof(1, new)
        assert refused.value.code == "cannot-be-proven"


async def test_a_proof_that_does_not_lead_to_what_was_signed_is_not_handed_out(
    place: Place,
) -> None:
    new = newest(heads(place))
    forged = Checkpoint(new.origin, new.size, bytes(32))

    async with handing_out_of(place) as handing_out:
        with pytest.raises(RequestRefused, match="does not lead to what was signed"):
            await handing_out.proof(1, forged)


def root_of_lines(every: list[str]) -> bytes:
    stack: list[tuple[int, bytes]] = []
    for line in every:
        push(stack, leaf_hash(line.encode("ascii")))
    return joined(value for _, value in stack)


async def test_every_subtree_is_proven_of_the_newest_tree_and_of_earlier_ones(place: Place) -> None:
    every, new = exported(place), newest(heads(place))
    assert new.size >= 5

    async with handing_out_of(place) as handing_out:
        for size in (new.size, 4):
            for start, end in ((0, 4), (2, 4), (3, 4), (0, 3), (0, size)):
                told = await handing_out.subtree(start, end, size, new)
                part, whole = root_of_lines(every[start:end]), root_of_lines(every[:size])
                path = [b64decode(one) for one in told]
                assert roots_from_subtree(start, end, size, part, path) == (part, whole)


@pytest.mark.parametrize("asked", [(1, 3, 4), (2, 2, 4), (3, 2, 4), (0, 5, 4), (0, 4, 10**15)])
async def test_what_is_no_subtree_of_a_signed_tree_is_malformed(
    place: Place, asked: tuple[int, int, int]
) -> None:
    async with handing_out_of(place) as handing_out:
        with pytest.raises(BadCommand, match="expected a subtree, and a size from its end to"):
            await handing_out.subtree(*asked, newest(heads(place)))


async def test_a_subtree_of_a_closed_journal_is_proven_while_that_is_here(closed: Place) -> None:
    new = newest(heads(closed))
    with JournalReader(closed.state) as reader:
        begins = reader.begins
    assert begins > 1  # so the first entry is no node that is told when a journal goes on

    async with handing_out_of(closed) as handing_out:
        assert await handing_out.subtree(0, 1, new.size, new)
        (file,) = (closed.state / ARCHIVE).glob("journal-*.sqlite3")
        file.rename(closed.folder / file.name)
        assert await handing_out.subtree(begins, begins + 1, new.size, new)
        with pytest.raises(RequestRefused, match="entries 1 to 1 cannot be proven: ") as refused:
            await handing_out.subtree(0, 1, new.size, new)
        assert refused.value.code == "cannot-be-proven"


async def test_a_subtree_that_does_not_lead_to_what_was_signed_is_not_handed_out(
    place: Place,
) -> None:
    new = newest(heads(place))
    forged = Checkpoint(new.origin, new.size, bytes(32))

    async with handing_out_of(place) as handing_out:
        with pytest.raises(RequestRefused, match="does not lead to what was signed"):
            await handing_out.subtree(0, 2, new.size, forged)
