"""How worn a disk says it is: files as the kernel writes them, in a folder of the test's."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from controller.causes.cause import Kind
from controller.causes.finding import cause_by as told_of
from controller.daemon.health.watches import WatchedPlace
from controller.daemon.readiness.report import read_disks
from controller.files.media import FreeRoom


def told(folder: Path, files: dict[str, str], *, partition: bool = True) -> dict[str, Any]:
    """What is told of the disk under ``folder`` when it tells this of itself."""
    number = folder.stat().st_dev
    disk = folder / "sys" / "devices" / "mmc0" / "block" / "mmcblk0"
    block = disk / "mmcblk0p2" if partition else disk
    block.mkdir(parents=True)
    if partition:
        (block / "partition").write_text("2")
    (disk / "device").mkdir()
    for name, text in files.items():
        (disk / "device" / name).write_text(text)
    links = folder / "sys" / "dev" / "block"
    links.mkdir(parents=True)
    (links / f"{os.major(number)}:{os.minor(number)}").symlink_to(block)
    place = WatchedPlace("the journal", folder)
    [found] = read_disks([place], lambda _: FreeRoom(5), folder / "sys")
    assert (found["free"], found["trouble"]) == (5, "")
    return dict(found)


@pytest.mark.parametrize(
    ("files", "wear", "worn"),
    [
        ({}, "", False),
        ({"life_time": "0x01 0x02\n", "pre_eol_info": "0x01\n"}, "10 to 20 % used", False),
        ({"life_time": "0x0b 0x02"}, "beyond its life", True),
        ({"pre_eol_info": "0x03"}, "its spare blocks are nearly gone", True),
        (
            {"life_time": "0x09 0x09", "pre_eol_info": "0x03"},
            "80 to 90 % used, its spare blocks are nearly gone",
            True,
        ),
        ({"life_time": "perhaps"}, "", False),
        ({"life_time": "0x00 0x00", "pre_eol_info": "0x00"}, "", False),
    ],
)
def test_wear_is_told_where_the_disk_tells_it(
    tmp_path: Path, files: dict[str, str], wear: str, worn: bool
) -> None:
    found = told(tmp_path, files)
    assert (found["wear"], found["worn"]) == (wear, worn)


def test_a_disk_without_partitions(tmp_path: Path) -> None:
    assert told(tmp_path, {"life_time": "0x01 0x01"}, partition=False)["wear"] == "0 to 10 % used"


def test_a_disk_that_does_not_answer(tmp_path: Path) -> None:
    def room(_: Path) -> FreeRoom:
        raise OSError(errno.EIO, "Input/output error")

    gone = tmp_path / "gone"
    fails = str(told_of(Kind.FAILS, gone))
    [found] = read_disks([WatchedPlace("the copy", gone)], room, tmp_path)
    assert (found["free"], found["trouble"], found["wear"]) == (None, fails, "")
