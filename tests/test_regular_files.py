"""What is no regular file is refused by whoever reads: no waiting, no links, no end of memory."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.evidence.heads import SignedHead, append_head, heads_in, last_head
from controller.files.rules import load_rules
from controller.game.rules.loader import RulesError
from controller.journal.keys import read_key
from controller.regular_files import (
    NotRegular,
    TooLarge,
    new_regular,
    read_regular,
    read_whole,
    same_file,
)
from controller.upkeep.next_start import mark, marked


def a_link(path: Path) -> None:
    path.with_name("elsewhere").write_text("there")
    path.symlink_to("elsewhere")


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


OTHERS: dict[str, Callable[[Path], object]] = {
    "a fifo": os.mkfifo,
    "a link": a_link,
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
    "a socket": a_socket,
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_nothing_else_is_read(tmp_path: Path, other: Callable[[Path], object]) -> None:
    path = tmp_path / "file"
    other(path)
    with pytest.raises(NotRegular, match="expected a regular file"):
        read_regular(path)


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_nothing_is_made_where_something_stands(
    tmp_path: Path, other: Callable[[Path], object]
) -> None:
    path = tmp_path / "file"
    other(path)
    with pytest.raises(FileExistsError):
        new_regular(path)


def test_devices_are_not_opened() -> None:
    with pytest.raises(NotRegular, match="a device"):
        read_whole(Path("/dev/zero"))


def test_a_folder_on_the_way_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_text("there")
    (tmp_path / "link").symlink_to("real")
    assert read_whole(tmp_path / "link" / "file") == b"there"


def test_what_the_kernel_tells_is_read(tmp_path: Path) -> None:
    assert b"MemTotal" in read_whole(Path("/proc/meminfo"))


def test_more_than_such_a_file_has_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_whole(path, 5) == b"12345"
    with pytest.raises(TooLarge, match="more than 4 bytes"):
        read_whole(path, 4)


@pytest.mark.parametrize("other", ["a fifo", "a link", "a link to a device"])
def test_configuration_rules_heads_and_key(tmp_path: Path, other: str) -> None:
    """Found in review: links in their places were followed, which docs/security.md denies."""
    path = tmp_path / "file"
    OTHERS[other](path)
    head = SignedHead("00" * 16, "P12", 1, "00" * 32, 1, "2026-11-26T04:00:00.000+00:00")
    with pytest.raises(BadConfiguration, match="expected a regular file"):
        load_configuration(path)
    with pytest.raises(RulesError):
        load_rules(str(path))
    for opened in (
        lambda: last_head(path, []),
        lambda: list(heads_in(path)),
        lambda: append_head(path, head),
        lambda: read_key(path),
    ):
        with pytest.raises(NotRegular):
            opened()


def test_a_line_without_end_in_the_heads_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "heads.jsonl"
    path.write_bytes(b"x" * (1 << 20))
    assert len(list(heads_in(path))) > 1


def test_the_words_of_a_mark_are_bounded_and_plain_and_those_of_a_link_are_none(
    tmp_path: Path,
) -> None:
    """Found in review: they became a hold's reason."""
    mark(tmp_path, "\x1b]0;owned\x07" + "x" * 5000)
    told = marked(tmp_path)
    assert told is not None
    assert told.startswith("\\x1b]0;owned\\x07xxx")
    assert told.isprintable()
    assert len(told) < 600
    [path] = tmp_path.iterdir()
    path.unlink()
    a_link(path)
    with pytest.raises(NotRegular):
        marked(tmp_path)


def test_one_place_is_the_same_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").symlink_to(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    assert same_file(tmp_path / "file", tmp_path / "folder" / "file")
    assert same_file(tmp_path / "loop", tmp_path / "folder" / "loop")
    assert not same_file(tmp_path / "loop", tmp_path / "file")
