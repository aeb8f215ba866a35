"""The write-ahead log looked at before SQLite opens it: whether it lost more than a torn tail.

SQLite reads the log up to the first frame whose checksum fails and drops the rest without a word.
After a power cut that is right for the one commit that was being written. Anything else lying
behind that frame had been acknowledged. The rules:

- A commit is synced before the next is written. So behind the first bad frame there may stand the
  frames of one commit at most, each page once. Two commits, or a page twice: the log was damaged.
- A page reaches the file by a checkpoint only, and a checkpoint moves what is synced. So nothing of
  a torn commit is in the file, and the file is not longer than the last good commit makes it. It
  may be shorter by pages that are in the log.
- The log's header is synced before the first frame. One that is damaged makes SQLite ignore the
  whole log, which is right only if all of it is in the file already.
- A log without its file is half a journal.

Nothing is changed here, and nothing is asked of SQLite: opening and closing a database moves its
log and takes away what there is to see. What cannot be told from a torn commit, that the very last
one was damaged later, shows elsewhere: by the devices' numbers, the copy and the sealed head.
The format is SQLite's own, https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from operator import mul
from pathlib import Path
from struct import Struct
from typing import Final

from controller.journal.errors import damaged

HEADER: Final = Struct(">8I")
"""Magic, format, page size, checkpoint number, two salts, two checksums."""
FRAME: Final = Struct(">6I")
"""Page, size of the file in pages after a commit (0: no commit), two salts, two checksums."""

_BIG_ENDIAN, _LITTLE_ENDIAN = 0x377F0683, 0x377F0682
_FORMAT = 3007000
_WORD = 0xFFFFFFFF
_PAGE_SIZE_AT = slice(16, 18)


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame as it lies in the log; ``size`` is 0 unless it ends a commit."""

    number: int
    page: int
    size: int
    good: bool
    image: bytes


def check_log(path: Path) -> None:
    """Raise :class:`DamagedJournal` when the log beside the journal at ``path`` lost anything that
    was committed, as far as the files alone show it. OSError when they cannot be read."""
    try:
        log = path.with_name(path.name + "-wal").read_bytes()
    except FileNotFoundError:
        return
    if not log.strip(b"\0"):
        return
    pages = _File(path)
    if not pages.length:
        raise damaged(path, f"{path.name} is gone or empty, and part of it is in {path.name}-wal")
    if not _well(log[: HEADER.size], pages.size):
        frames = list(_frames(log, pages.size, None))
        images = {frame.page: frame.image for frame in frames}
        if any(pages.image(page) != image for page, image in images.items()):
            raise damaged(path, f"the header of {path.name}-wal was changed")
        return
    lost = _lost(list(_frames(log, pages.size, HEADER.unpack_from(log))), pages)
    if lost is not None:
        raise damaged(
            path, f"{path.name} and frame {lost} of {path.name}-wal do not fit: one was changed"
        )


class _File:
    """The journal's file, page by page."""

    def __init__(self, path: Path) -> None:
        try:
            self._bytes = path.read_bytes() if path.stat().st_size <= _SMALL else None
            with path.open("rb") as file:
                head = file.read(_PAGE_SIZE_AT.stop)
            self.bytes = path.stat().st_size
        except FileNotFoundError:
            head, self.bytes, self._bytes = b"", 0, b""
        self._path = path
        size = int.from_bytes(head[_PAGE_SIZE_AT], "big")
        self.size = 65536 if size == 1 else size
        self.length = self.bytes // self.size if self.size else self.bytes

    def image(self, page: int) -> bytes:
        """The page's bytes in the file, fewer or none where the file ends before it."""
        at = (page - 1) * self.size
        if self._bytes is not None:
            return self._bytes[at : at + self.size]
        with self._path.open("rb") as file:
            file.seek(at)
            return file.read(self.size)


_SMALL = 1 << 20


def _well(header: bytes, page_size: int) -> bool:
    """Whether the log's header is one, for this file, with its checksum right."""
    if len(header) < HEADER.size:
        return False
    magic, version, size, _, _, _, *sums = HEADER.unpack(header)
    if magic not in (_BIG_ENDIAN, _LITTLE_ENDIAN) or (version, size) != (_FORMAT, page_size):
        return False
    return _Sums(magic, HEADER.size - 8).add(header[:-8], 0, 0) == tuple(sums)


def _frames(log: bytes, page_size: int, header: tuple[int, ...] | None) -> Iterator[Frame]:
    """The frames that have the header's salts, or those of the first frame when there is no
    header to go by. A frame is good as SQLite takes it: while all before it are."""
    size = FRAME.size + page_size
    if page_size < 512 or len(log) < HEADER.size + size:
        return
    good = header is not None
    salts = header[4:6] if header else FRAME.unpack_from(log, HEADER.size)[2:4]
    sums = header[6:8] if header else (0, 0)
    short = _Sums(header[0], 8) if header else None
    long = _Sums(header[0], page_size) if header else None
    for number, at in enumerate(range(HEADER.size, len(log) - size + 1, size), start=1):
        page, pages, *rest = FRAME.unpack_from(log, at)
        image = log[at + FRAME.size : at + size]
        if good and short and long:
            sums = long.add(image, *short.add(log[at : at + 8], *sums))
            good = page != 0 and tuple(rest) == (*salts, *sums)
        # One damaged in its salts may be told from an older log's by what follows it only.
        if good or tuple(rest[:2]) == salts:
            yield Frame(number, page, pages, good, image)


def _lost(frames: list[Frame], pages: _File) -> int | None:
    """The first frame of the log that was not merely torn, None when all is as a power cut may
    leave it."""
    last = max((frame.number for frame in frames if frame.good and frame.size), default=0)
    good = {frame.page: frame.image for frame in frames if frame.number <= last}
    behind = [frame for frame in frames if frame.number > last]
    if last:
        size = next(frame.size for frame in frames if frame.number == last)
        absent = set(range(pages.length + 1, size + 1)) - good.keys()
        if pages.length > size or absent:
            return last
    if not behind:
        return None
    first = behind[0].number
    if sum(frame.size != 0 for frame in behind) > 1:
        return first
    if len({frame.page for frame in behind}) < len(behind):
        return first
    for frame in behind:
        if pages.image(frame.page) == frame.image != good.get(frame.page):
            return first
    return None


class _Sums:
    """SQLite's two running sums over ``length`` bytes, as products with Fibonacci's numbers.

    Word by word it is ``a += word + b; b += next + a``; in Python that takes a third of a second
    for a log of 4 MB, the products a tenth of that.
    """

    def __init__(self, magic: int, length: int) -> None:
        self._swap = (magic == _BIG_ENDIAN) == (sys.byteorder == "little")
        numbers = [0, 1]
        while len(numbers) < length // 4 + 2:
            numbers.append((numbers[-1] + numbers[-2]) & _WORD)
        words = length // 4
        self._first = [numbers[words - 1 - index] for index in range(words)]
        self._second = [numbers[words - index] for index in range(words)]
        self._turn = numbers[words - 1], numbers[words], numbers[words + 1]

    def add(self, data: bytes, a: int, b: int) -> tuple[int, int]:
        """The sums after ``data``, which were ``a`` and ``b`` before."""
        words = array("I", data)
        if self._swap:
            words.byteswap()
        low, middle, high = self._turn
        return (
            (sum(map(mul, self._first, words)) + low * a + middle * b) & _WORD,
            (sum(map(mul, self._second, words)) + middle * a + high * b) & _WORD,
        )
