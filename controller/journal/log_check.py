"""Check of the write-ahead log before SQLite opens it: whether more than an incomplete last commit
is lost.

SQLite reads the log up to the first frame whose checksum fails and silently drops the rest. After a
power cut that is right for the one commit that was being written. Anything else lying behind that
frame had been acknowledged. The rules:

- A commit is synced before the next is written. So behind the first bad frame there may stand the
  frames of one commit at most, each page once. Two commits, or a page twice: the log was damaged.
  What one power cut has torn is cut off before anything is written in its place
  (:func:`controller.journal.opening.cut_torn`), otherwise it would be mistaken for a part of what
  the next power cut leaves.
- A page reaches the file by a checkpoint only, and a checkpoint moves what is synced. So nothing of
  a torn commit is in the file, and the file is not longer than the last good commit makes it. It
  may be shorter by pages that are in the log.
- The log's header is synced before the first frame. One that is damaged makes SQLite ignore the
  whole log, which is right only if all of it is in the file already.
- A log without its file is half a journal.

The log may be long: a program that goes on reading the journal keeps it from being moved into the
file. It is read in pieces; only the last frame of each page is remembered. Its checksums are two
running sums (:class:`Sums`).

Nothing is changed here, and nothing is asked of SQLite: opening and closing a database moves its
log and takes away what there is to see. What cannot be told from a torn commit, that the very last
one was damaged later, shows elsewhere: by the devices' numbers, the copy and the sealed head.
The format is SQLite's own, https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from struct import Struct
from typing import BinaryIO, Final, NamedTuple

from controller.journal.errors import damaged
from controller.regular_files import read_regular

HEADER: Final = Struct(">8I")
"""Magic, format, page size, checkpoint number, two salts, two checksums."""
FRAME: Final = Struct(">6I")
"""Page, size of the file in pages after a commit (0: no commit), two salts, two checksums."""

_BIG_ENDIAN, _LITTLE_ENDIAN = 0x377F0683, 0x377F0682
_FORMAT = 3007000
_PAGE_SIZE_AT = slice(16, 18)
_SMALLEST_PAGE = 512
_PIECE_BYTES: Final = 1 << 19  # so much of the log is looked at together
Header = tuple[int, ...]


class Frame(NamedTuple):
    """A frame as it lies in the log, counted from 1; ``size`` is 0 unless it ends a commit."""

    number: int
    page: int
    size: int
    good: bool


def check_log(path: Path) -> None:
    """Raise :class:`~controller.journal.errors.DamagedJournal` when the log beside the journal at
    ``path`` lost anything that was committed, as far as the files alone show it. OSError when they
    cannot be read."""
    with ExitStack() as opened:
        try:
            file = opened.enter_context(read_regular(path.with_name(path.name + "-wal")))
        except FileNotFoundError:
            return
        # Empty, or zeros that a file system has put there.
        if not any(piece.strip(b"\0") for piece in iter(lambda: file.read(_PIECE_BYTES), b"")):
            return
        try:
            pages = _File(opened.enter_context(read_regular(path)))
        except FileNotFoundError:
            pages = None
        if pages is None or not pages.length:
            what = f"{path.name} is gone or empty, and part of it is in {path.name}-wal"
            raise damaged(path, what)
        log = _Log(file, pages.size)
        if log.header is None:
            last = {frame.page: frame.number for frame in log.frames()}
            if any(pages.image(page) != log.image(number) for page, number in last.items()):
                raise damaged(path, f"the header of {path.name}-wal was changed")
            return
        lost = _lost(log, pages)
    if lost is not None:
        why = f"{path.name} and frame {lost} of {path.name}-wal do not fit: one was changed"
        raise damaged(path, why)


class _File:
    """The journal's file, page by page: ``size`` of a page in bytes, ``length`` in pages."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        size = int.from_bytes(file.read(_PAGE_SIZE_AT.stop)[_PAGE_SIZE_AT], "big")
        self.size = 65536 if size == 1 else size
        length = file.seek(0, 2)
        self.length = length // self.size if self.size else length

    def image(self, page: int) -> bytes:
        """The page's bytes in the file, fewer or none where the file ends before it; none of a
        page 0, which no file has."""
        if page == 0:
            return b""
        self._file.seek((page - 1) * self.size)
        return self._file.read(self.size)


class _Log:
    """The log of a file with pages of that size; ``header`` is None where it is not one, for this
    file, with its checksum right."""

    def __init__(self, file: BinaryIO, page_size: int) -> None:
        self._file = file
        self._page_size = page_size
        self.header = _header(self._read_bytes(0, HEADER.size), page_size)

    def image(self, number: int) -> bytes:
        """The page that a frame holds."""
        size = FRAME.size + self._page_size
        return self._read_bytes(HEADER.size + (number - 1) * size + FRAME.size, self._page_size)

    def _read_bytes(self, at: int, count: int) -> bytes:
        self._file.seek(at)
        return self._file.read(count)

    def frames(self) -> Iterator[Frame]:
        """The frames that have the header's salts, or those of the first frame when there is no
        header to go by. A frame is good as SQLite takes it: while all before it are."""
        size = FRAME.size + self._page_size
        if self._page_size < _SMALLEST_PAGE:
            return
        good = self.header is not None
        salts, sums = (self.header[4:6], self.header[6:8]) if self.header else ((), (0, 0))
        summed = [0, 1, *range(FRAME.size // 4, size // 4)]  # all but salts and sums
        big_endian = self.header is not None and self.header[0] == _BIG_ENDIAN
        checks = Sums(size, summed, big_endian=big_endian) if self.header else None
        number, most = 0, max(_PIECE_BYTES // size, 1)
        while piece := self._read_bytes(HEADER.size + number * size, most * size):
            count = len(piece) // size
            if not count:
                return
            own = checks.by_block(piece[: count * size]) if good and checks else []
            for at in range(0, count * size, size):
                number += 1
                page, pages, *rest = FRAME.unpack_from(piece, at)
                salts = salts or tuple(rest[:2])
                if good and checks:
                    sums = checks.after(own[at // size], *sums)
                    good = page != 0 and tuple(rest) == (*salts, *sums)
                # Only what follows distinguishes one damaged in its salts from an older log's.
                if good or tuple(rest[:2]) == salts:
                    yield Frame(number, page, pages, good)


def _header(data: bytes, page_size: int) -> Header | None:
    if len(data) < HEADER.size:
        return None
    header = HEADER.unpack(data)
    if header[0] not in (_BIG_ENDIAN, _LITTLE_ENDIAN) or header[1:3] != (_FORMAT, page_size):
        return None
    length = HEADER.size - 8
    sums = Sums(length, range(length // 4), big_endian=header[0] == _BIG_ENDIAN)
    return header if sums.by_block(data[:length]) == [header[6:8]] and page_size % 8 == 0 else None


@dataclass(slots=True)
class _Behind:
    """What lies behind the last good commit: which frame has a page, the ``first`` frame of all (0:
    there is none), commits among them, and whether a page came ``twice``."""

    pages: dict[int, int] = field(default_factory=dict)
    first: int = 0
    commits: int = 0
    twice: bool = False

    def note_frame(self, frame: Frame) -> None:
        self.first = self.first or frame.number
        self.commits += frame.size != 0
        self.twice = self.twice or frame.page in self.pages
        self.pages[frame.page] = frame.number

    @property
    def is_no_torn_commit(self) -> bool:
        return self.commits > 1 or self.twice


def _lost(log: _Log, file: _File) -> int | None:
    """The first frame of the log that was not merely torn, None when all is as a power cut may
    leave it."""
    good: dict[int, int] = {}
    last, behind = Frame(0, 0, 0, good=False), _Behind()
    for frame in log.frames():
        behind.note_frame(frame)
        if frame.good and frame.size:
            good.update(behind.pages)
            last, behind = frame, _Behind()
        elif not frame.good and behind.is_no_torn_commit:
            break  # no good one comes any more
    if last.number and (
        file.length > last.size
        or any(page not in good for page in range(file.length + 1, last.size + 1))
    ):
        return last.number
    if behind.is_no_torn_commit:
        return behind.first
    for page, number in behind.pages.items():
        image = log.image(number)
        moved = file.image(page) == image
        if moved and (page not in good or log.image(good[page]) != image):
            return behind.first
    return None


_WORD: Final = 0xFFFFFFFF
_CUT_AFTER: Final = 16


class Sums:
    """SQLite's two running sums over blocks of ``length`` bytes, one after the other, of which the
    words at ``summed`` count (an even number of them); ``big_endian`` is how the log spells one.

    Word by word it is ``a += word + b; b += next + a``, modulo 2 ** 32: in Python many seconds for
    a log of 200 MB. What makes that less than one:

    - The sums are linear: what a block makes of ``(a, b)`` is what it makes of ``(0, 0)`` plus a
      matrix of Fibonacci's numbers times ``(a, b)``, the same for every block of that length.
    - So blocks need not wait for each other. The first words of all of them stand side by side in
      one long integer, 64 bits each, and are added at once; then the second words, and so on. A
      lane grows by less than 23 bits in 16 steps and is then cut to its 32.
    """

    def __init__(self, length: int, summed: Sequence[int], *, big_endian: bool) -> None:
        self._words = length // 4
        self._pairs = list(zip(summed[::2], summed[1::2], strict=True))
        self._swap = big_endian
        low, middle = 1, 0
        for _ in summed:
            low, middle = middle, (low + middle) & _WORD
        self._turn = low, middle, (low + middle) & _WORD

    def by_block(self, blocks: bytes) -> list[tuple[int, int]]:
        """The sums of each block by itself, begun from nothing."""
        words = array("I", blocks)
        if self._swap:
            words.byteswap()
        count = len(words) // self._words
        # From here on bytes are only moved, four at a time, whatever this machine makes of them.
        there, lanes = memoryview(words), bytearray(8 * count)
        low_halves = memoryview(lanes).cast("I")[::2]
        mask = int.from_bytes(b"\xff\xff\xff\xff\0\0\0\0" * count, "little")
        a = b = 0
        for number, (first, second) in enumerate(self._pairs, start=1):
            low_halves[:] = there[first :: self._words]
            a += int.from_bytes(lanes, "little") + b
            low_halves[:] = there[second :: self._words]
            b += int.from_bytes(lanes, "little") + a
            if number % _CUT_AFTER == 0:
                a, b = a & mask, b & mask
        return list(zip(_apart(a & mask, count), _apart(b & mask, count), strict=True))

    def after(self, own: tuple[int, int], a: int, b: int) -> tuple[int, int]:
        """The sums after a block with those of its ``own``, which were ``a`` and ``b`` before."""
        low, middle, high = self._turn
        return (own[0] + low * a + middle * b) & _WORD, (own[1] + middle * a + high * b) & _WORD


def _apart(lanes: int, count: int) -> list[int]:
    data = lanes.to_bytes(8 * count, "little")
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, 8 * count, 8)]
