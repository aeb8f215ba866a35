"""The disks that the table writes: what is free there, and how worn they say they are.

Wear is what an eMMC or UFS module tells of itself in ``/sys/dev/block/MAJOR:MINOR/device``:
``life_time`` (two estimates, types A and B: 0x01 is 0 to 10 % used, 0x0B is beyond its life) and
``pre_eol_info`` (0x01 normal, 0x02 80 % of its spare blocks used, 0x03 urgent); JEDEC eMMC 5.1,
EXT_CSD 267 to 269. Memory cards and most others tell nothing.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.control.readiness import Disk
from controller.daemon.health.watches import FEW_FILES, WatchedPlace
from controller.files.media import FreeRoom, MediumSilent
from controller.regular_files import read_whole

SYS: Final = Path("/sys")
WORN_OUT: Final = 0x0B
URGENT: Final = 0x03


def read_disks(
    places: Iterable[WatchedPlace], room: Callable[[Path], FreeRoom], sys: Path = SYS
) -> list[Disk]:
    """All of them; for a thread: a medium may not answer."""
    return [_disk(place, room, sys) for place in places]


def _disk(place: WatchedPlace, room: Callable[[Path], FreeRoom], sys: Path) -> Disk:
    free, trouble = None, ""
    try:
        room_there = room(place.path)
        free, files = room_there.bytes, room_there.files
        if files is not None and files < FEW_FILES:
            trouble = f"it takes only {files} more files ('df -i {place.path}')"
    except MediumSilent as error:
        trouble = str(error.strerror)
    except OSError as error:
        trouble = str(cause_of(error, place.path))
    told = dict(_told(place.path, sys))
    life = max((int(word, 16) for word in told.get("life_time", "").split()), default=0)
    spare = int(told.get("pre_eol_info") or "0", 16)
    wear = ""
    if life:
        wear = "beyond its life" if life >= WORN_OUT else f"{life * 10 - 10} to {life * 10} % used"
    if spare >= URGENT:
        wear = f"{wear}, its spare blocks are nearly gone".removeprefix(", ")
    return {
        "name": place.name,
        "path": str(place.path),
        "free": free,
        "trouble": trouble,
        "wear": wear,
        "worn": life >= WORN_OUT or spare >= URGENT,
    }


def _told(path: Path, sys: Path) -> Iterator[tuple[str, str]]:
    """What the disk under ``path`` says of its wear; a partition's disk is above it."""
    with contextlib.suppress(OSError, ValueError):
        number = path.stat().st_dev
        block = (sys / "dev" / "block" / f"{os.major(number)}:{os.minor(number)}").resolve()
        disk = block.parent if (block / "partition").exists() else block
        for name in ("life_time", "pre_eol_info"):
            file = disk / "device" / name
            if file.is_file():
                text = read_whole(file).decode("ascii").strip()
                [int(word, 16) for word in text.split()]
                yield name, text
