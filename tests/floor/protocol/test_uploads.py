"""Uploads in pieces of any size, and packages proven from any frontier."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.evidence.tree.merkle import packages as intervals
from floor.protocol.answers import MIRROR_INFO, Refusal
from floor.protocol.judging import MirrorProgress, judge
from floor.protocol.packages import BLOCK, EntryPackage, proven
from floor.protocol.uploads import MOST_PACKAGE, UploadHead, UploadReader
from tests.floor.uploads import (
    frontier_of,
    head_of,
    heads,
    package_of,
    packed,
    root_of_log,
    upload_of,
)
from tests.witness.logs import Log

LEAVES = 700


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return Log(tmp_path_factory.mktemp("log") / "key", leaves=LEAVES)


def read(pieces: list[bytes]) -> tuple[UploadHead | None, list[EntryPackage], str]:
    reader = UploadReader()
    found = [package for piece in pieces for package in reader.feed(piece)]
    return reader.head, found, reader.wrong


@given(st.data())
def test_an_upload_is_the_same_in_whatever_pieces_it_comes(log: Log, data: st.DataObject) -> None:
    size = data.draw(st.integers(1, LEAVES))
    start = data.draw(st.integers(0, size))
    body = upload_of(log, start, size)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(body)), max_size=40)))
    pieces = [body[low:high] for low, high in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    head, packages, wrong = read(pieces)
    assert (head, wrong) == (heads(log, start, size), "")
    assert packages == [package_of(log, low, high, size) for low, high in intervals(start, size)]


@given(start=st.integers(0, 2000), length=st.integers(0, 2000))
def test_packages_follow_one_another_and_end_at_blocks(start: int, length: int) -> None:
    end = start + length
    found = list(intervals(start, end))
    assert [low for low, _ in found] == [start, *(high for _, high in found)][: len(found)]
    assert all(high % BLOCK == 0 or high == end for _, high in found)
    assert (found[-1][1] if found else start) == end
    rounded = -(-end // BLOCK) - start // BLOCK
    assert len(found) == (rounded if length else 0)


@given(st.data())
def test_whatever_is_stored_a_package_is_proven_and_moves_the_frontier(
    log: Log, data: st.DataObject
) -> None:
    size = data.draw(st.integers(1, LEAVES))
    start = data.draw(st.integers(0, size - 1))
    low, high = next(intervals(start, size))
    stored = data.draw(st.integers(low, high))
    package = package_of(log, low, high, size)
    before = frontier_of(log, stored)
    found = proven(package, stored, before, size, root_of_log(log, size))
    assert (found.start, list(found.leaves)) == (stored, log.entries[stored:high])
    assert list(found.frontier) == frontier_of(log, high)
    assert before == frontier_of(log, stored), "what was given is as it was"


def changed(package: EntryPackage, **fields: Any) -> EntryPackage:
    told = {name: getattr(package, name) for name in ("start", "end", "leaves", "proof")}
    return EntryPackage(**(told | fields))


@given(st.data())
def test_another_entry_or_another_proof_is_refused(log: Log, data: st.DataObject) -> None:
    size = data.draw(st.integers(2, LEAVES))
    low, high = next(intervals(data.draw(st.integers(0, size - 1)), size))
    good = package_of(log, low, high, size)
    at = data.draw(st.integers(0, high - low - 1))
    bad = [
        changed(good, leaves=(*good.leaves[:at], good.leaves[at] + b"x", *good.leaves[at + 1 :])),
        changed(good, proof=(*good.proof, bytes(32))),
    ]
    if good.proof:
        bad += [changed(good, proof=good.proof[1:]), changed(good, proof=good.proof[:-1])]
    for package in bad:
        with pytest.raises(Refusal) as refused:
            proven(package, low, frontier_of(log, low), size, root_of_log(log, size))
        assert refused.value.status == 422
        assert not refused.value.evidence


def test_an_upload_that_is_cut_off_has_the_packages_before(log: Log) -> None:
    body = upload_of(log, 0, 600)
    first = head_of(log.origin, 0, 600) + packed(package_of(log, 0, 256, 600))
    assert len(read([body[: len(first) - 1]])[1]) == 0
    assert len(read([body[: len(first)]])[1]) == 1
    assert len(read([body[:-1]])[1]) == 2
    assert len(read([body, b"and more"])[1]) == 3


def test_a_package_with_too_many_hashes_ends_the_upload(log: Log) -> None:
    package = package_of(log, 0, 256, 600)
    bad = packed(changed(package, proof=(bytes(32),) * 64))
    head, found, wrong = read([head_of(log.origin, 0, 600) + bad])
    assert head is not None
    assert (found, wrong) == ([], "a package has 64 hashes, expected at most 63")


@pytest.mark.parametrize(("start", "end"), [(2, 1), (0, 1 << 63), ((1 << 64) - 1, (1 << 64) - 1)])
def test_numbers_that_are_no_upload_are_a_bad_request(start: int, end: int) -> None:
    with pytest.raises(Refusal) as refused:
        read([head_of("log", start, end)])
    assert refused.value.status == 400


def test_a_head_of_a_strange_name_is_a_head() -> None:
    head, _, _ = read([head_of("", 0, 5, b"ticket" * 100)])
    assert head == UploadHead("", 0, 5)
    reader = UploadReader()
    reader.feed(b"\x00\x02\xff\xfe" + bytes(18))
    assert reader.head == UploadHead("\ufffd\ufffd", 0, 0)


def test_no_more_than_a_package_is_kept() -> None:
    reader = UploadReader()
    piece = b"\xff\xff" + bytes(0xFFFF)
    reader.feed(head_of("log", 0, 1 << 40))
    kept = 0
    for _ in range(2 * BLOCK):
        reader.feed(piece)
        kept = max(kept, len(reader._bytes) + sum(len(leaf) for leaf in reader._leaves))
    assert kept <= MOST_PACKAGE


def judged(start: int, end: int, progress: MirrorProgress, *, known: bool = True) -> bool:
    return judge(UploadHead("log", start, end), progress, known=known)


def told(start: int, end: int, progress: MirrorProgress, *, known: bool = True) -> str:
    with pytest.raises(Refusal) as refused:
        judged(start, end, progress, known=known)
    assert (refused.value.status, refused.value.kind) == (409, MIRROR_INFO)
    return refused.value.body


def test_where_an_upload_may_begin() -> None:
    progress = MirrorProgress(pending=900, next_entry=600, mirrored=500)
    assert not judged(600, 900, progress)
    assert not judged(600 - 256, 900, progress)
    assert told(600 - 257, 900, progress) == "900\n600\n\n"
    assert told(601, 900, progress) == "900\n600\n\n"
    assert not judged(600, 800, progress)
    assert told(700, 800, progress) == "800\n600\n\n", "an end that is known is told again"
    assert told(600, 800, progress, known=False) == "900\n600\n\n"
    assert told(0, 400, progress, known=False) == "900\n600\n\n"
    assert told(0, 400, progress) == "900\n600\n\n", "it is before what is mirrored"


def test_where_nothing_is_left_it_is_done() -> None:
    progress = MirrorProgress(pending=900, next_entry=600, mirrored=500)
    assert judged(600, 600, progress)
    assert judged(0, 550, progress), "however much of it is there already"
    assert judged(500, 500, progress)
    assert told(900, 900, progress) == "900\n600\n\n"
