"""The tree as it grows behind a journal: over what happens to its file."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from controller.evidence.tree.checkpoint import Checkpoint, parsed
from controller.evidence.tree.entries import TREE_FILE, EntryTree, NodeFile, NoNode, place_of
from controller.evidence.tree.growing import BEGUN, GrowingTree
from controller.evidence.tree.merkle import EMPTY, joined, leaf_hash, push, root_of
from controller.journal.export import lines
from controller.journal.reader import JournalReader
from controller.regular_files import NotRegular
from tests.journal.helpers import KEY, OTHER_KEY, WALL, SigningKey, entry, opened

COUNT = 1500


@pytest.fixture
def state(tmp_path: Path) -> Path:
    with opened(tmp_path / "state", boot_id="boot") as journal:
        journal.append([entry("open")] * COUNT, 1, WALL)
    return tmp_path / "state"


def root(state: Path, size: int) -> bytes:
    """By the entries alone."""
    stack: list[tuple[int, bytes]] = []
    with JournalReader(state) as reader:
        for line in lines(reader, upto=size):
            push(stack, leaf_hash(line.encode("ascii")))
    return joined(value for _, value in stack)


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process takes a byte more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_roots_are_those_of_the_entries_however_it_is_asked(state: Path) -> None:
    tree = GrowingTree(state, None)
    assert tree.root_at(0) == EMPTY
    for size in (1, 255, 256, 257, 700, COUNT):
        assert tree.root_at(size) == root(state, size)
    assert tree.root_at(COUNT - 1) is None, "it grows only"
    with JournalReader(state) as reader, NodeFile(state / TREE_FILE) as nodes:
        kept = EntryTree([reader], nodes)
        assert root_of(COUNT, kept.node) == root(state, COUNT)


def test_it_goes_on_from_what_was_signed(state: Path) -> None:
    signed = Checkpoint("log", 700, GrowingTree(state, None).root_at(700) or b"")
    assert GrowingTree(state, signed).root_at(COUNT) == root(state, COUNT)


def test_a_file_that_does_not_lead_there_is_made_anew(state: Path) -> None:
    signed = Checkpoint("log", 700, GrowingTree(state, None).root_at(700) or b"")
    with (state / TREE_FILE).open("r+b") as file:
        file.seek(place_of(9, 0) * 32)
        file.write(bytes(range(32)))
    assert GrowingTree(state, signed).root_at(COUNT) == root(state, COUNT)
    assert GrowingTree(state, signed).root_at(COUNT) == root(state, COUNT)


def test_a_full_disk_leaves_the_tree_as_it_was(state: Path) -> None:
    tree = GrowingTree(state, None)
    assert tree.root_at(200) is not None
    for _ in range(2):
        with full_disk(), pytest.raises(OSError, match="File too large"):
            tree.root_at(300)
        assert tree.size == 200
    assert tree.root_at(300) == root(state, 300)


def test_an_old_journal_is_taken_in_by_steps(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.evidence.tree.growing.AT_ONCE", 100)
    tree = GrowingTree(state, None)
    assert tree.root_at(COUNT) is None
    left = [tree.step(64)]
    while left[-1]:
        left.append(tree.step(64))
    assert left == sorted(left, reverse=True)
    assert tree.root_at(COUNT) == root(state, COUNT)


def begun(state: Path, key: SigningKey = KEY, size: int = 700) -> GrowingTree:
    """A process that ended with a tree of that size, over which nothing was signed."""
    tree = GrowingTree(state, None, [key.public])
    while tree.size < size:
        tree.step(min(64, size - tree.size))
        tree.store_begun(key)
    return tree


def gone_on_from(state: Path) -> int:
    """How many entries the next process need not take in."""
    tree = GrowingTree(state, None, [KEY.public])
    assert tree.root_at(COUNT) is None
    size = tree.size
    while tree.step(64):
        pass
    assert tree.root_at(COUNT) == root(state, COUNT)
    return size


def test_the_next_process_goes_on_with_an_old_journal(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.evidence.tree.growing.AT_ONCE", 100)
    begun(state)
    said = parsed((state / BEGUN).read_text("utf-8"))
    assert (said.size, said.doubted, said.root) == (700, 700, root(state, 700))
    assert gone_on_from(state) == 700
    signed = Checkpoint("log", COUNT, root(state, COUNT))
    assert GrowingTree(state, signed, [KEY.public]).root_at(COUNT) == signed.root
    assert not (state / BEGUN).exists(), "it has served"


def other_nodes(state: Path) -> None:
    with (state / TREE_FILE).open("r+b") as file:
        file.seek(place_of(9, 0) * 32)
        file.write(bytes(range(32)))


def other_entries(state: Path) -> None:
    for file in state.glob("journal.sqlite3*"):
        file.unlink()
    with opened(state, boot_id="other") as journal:
        journal.append([entry("open")] * COUNT, 1, WALL)


def signed_otherwise(state: Path) -> None:
    (state / BEGUN).unlink()
    begun(state, OTHER_KEY)


@pytest.mark.parametrize("change", [other_nodes, other_entries, signed_otherwise])
def test_what_is_not_of_this_journal_and_key_is_begun_again(
    state: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    monkeypatch.setattr("controller.evidence.tree.growing.AT_ONCE", 100)
    begun(state)
    change(state)
    assert gone_on_from(state) == 0


def test_what_would_fit_any_journal_is_not_kept(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a tree of whole blocks no entry would be computed again."""
    monkeypatch.setattr("controller.evidence.tree.growing.AT_ONCE", 100)
    begun(state, size=512)
    assert parsed((state / BEGUN).read_text("utf-8")).size == 448


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_nothing_is_written_through_a_link(state: Path, tmp_path: Path, link: object) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"kept")
    assert callable(link)
    link(victim, state / TREE_FILE)
    with pytest.raises(OSError, match=r"symbolic link|another name") as refusal:
        GrowingTree(state, None).root_at(10)
    assert isinstance(refusal.value, NotRegular) == (link is os.symlink)
    assert victim.read_bytes() == b"kept"


def test_a_node_that_is_missing_is_said_and_not_computed(state: Path) -> None:
    with JournalReader(state) as reader:
        with pytest.raises(NoNode, match="is not kept"):
            EntryTree([reader], None).node(9, 0)
        computed = EntryTree([reader], None, computes=True).node(9, 0)
        with pytest.raises(NoNode, match="are not all there"):
            EntryTree([reader], None).node(0, COUNT)
    GrowingTree(state, None).root_at(COUNT)
    with JournalReader(state) as reader, NodeFile(state / TREE_FILE) as nodes:
        assert nodes.get(9, 0) == computed


def test_reading_beside_the_journal_keeps_its_locks(state: Path) -> None:
    """Another program that opens and closes the database must not take its log away."""
    path = state / "journal.sqlite3"
    with opened(state, boot_id="boot") as journal:
        journal.append([entry("open")], 2, WALL)
        GrowingTree(state, None).root_at(10)
        with JournalReader(state):
            pass
        look = (
            f"import sqlite3; c = sqlite3.connect({str(path)!r}); "
            "c.execute('PRAGMA user_version').fetchall(); c.close()"
        )
        subprocess.run([sys.executable, "-c", look], check=True)
        assert Path(f"{path}-wal").exists()
        journal.append([entry("open")], 3, WALL)
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as other:
            assert other.execute("SELECT max(seq) FROM entry").fetchone() == (COUNT + 2,)
