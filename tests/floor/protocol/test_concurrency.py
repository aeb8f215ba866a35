"""Any number of uploads of one log at a time, however their packages come in between: what is
stored are the log's entries, in order, each once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floor.protocol.answers import Refusal
from floor.protocol.judging import MirrorProgress, judge
from floor.protocol.packages import EntryPackage, Frontier, proven
from floor.protocol.uploads import UploadReader
from tests.floor.uploads import frontier_of, heads, root_of_log, upload_of
from tests.witness.logs import Log

LEAVES = 700


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    return Log(tmp_path_factory.mktemp("log") / "key", leaves=LEAVES)


@dataclass
class Mirror:
    """What a row of the database has, and nothing else."""

    entries: list[bytes] = field(default_factory=list)
    frontier: Frontier = ()

    def takes(self, log: Log, package: EntryPackage, size: int) -> None:
        stored = len(self.entries)
        if stored >= package.end:
            return
        found = proven(package, stored, self.frontier, size, root_of_log(log, size))
        self.entries += found.leaves
        self.frontier = found.frontier


def steps(log: Log, mirror: Mirror, size: int, again: int, piece: int) -> Iterator[None]:
    """An upload that begins where the mirror stands then, or so many entries before, and comes in
    pieces of so many bytes."""
    stored = len(mirror.entries)
    start = max(0, min(stored, size) - again)
    progress = MirrorProgress(LEAVES, stored, 0)
    if judge(heads(log, start, size), progress, known=True):
        return
    body, reader = upload_of(log, start, size), UploadReader()
    for at in range(0, len(body), piece):
        for package in reader.feed(body[at : at + piece]):
            yield
            mirror.takes(log, package, size)


UPLOADS = st.lists(
    st.tuples(st.integers(1, LEAVES), st.integers(0, 256), st.integers(50, 9000)),
    min_size=1,
    max_size=6,
)


@given(uploads=UPLOADS, data=st.data())
def test_what_is_stored_is_the_log(
    log: Log, uploads: list[tuple[int, int, int]], data: st.DataObject
) -> None:
    mirror = Mirror()
    going = [steps(log, mirror, *upload) for upload in uploads]
    while going:
        one = data.draw(st.sampled_from(going))
        try:
            next(one)
        except StopIteration:
            going.remove(one)
        assert mirror.entries == log.entries[: len(mirror.entries)]
    assert len(mirror.entries) == max(size for size, _, _ in uploads)
    assert [*mirror.frontier] == frontier_of(log, len(mirror.entries))


def test_a_mirror_that_was_put_back_is_told_so(log: Log) -> None:
    """What comes behind a hole is not stored: the uploader is told where to go on."""
    with pytest.raises(Refusal) as refused:
        judge(heads(log, 512, 700), MirrorProgress(700, 256, 0), known=True)
    assert refused.value.body == "700\n256\n\n"
