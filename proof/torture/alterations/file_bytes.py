"""Every way in which a journal's files are altered, as a disk or a hand alters files.

Of each page and frame the bytes of one class are changed, by SQLite's file format (see
https://www.sqlite.org/fileformat2.html#b_tree_pages and, for the log, #the_write_ahead_log), or
the whole is. Whole files are taken away, or replaced by what they were earlier. An alteration that
leaves every byte as it was is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate, pairwise
from random import Random
from typing import Final, NamedTuple

from controller.journal.log_check import FRAME, HEADER
from controller.journal.opening import PAGE_BYTES
from proof.torture.alterations.image import Files
from proof.torture.alterations.judging import Attack, Kind
from proof.torture.alterations.material import PlayedJournal

FRAME_BYTES: Final = FRAME.size + PAGE_BYTES
FILE, LOG = 0, 1

Range = tuple[str, int, int]
"""A byte class, where it begins in the page and where it ends."""

BYTE_KINDS: Final = (Kind.FLIPPED, Kind.ZEROED, Kind.OVERWRITTEN)


def _classes_of(head: str, *lengths: tuple[str, int]) -> tuple[Range, ...]:
    """One behind the other, from the first byte on."""
    ends = pairwise(accumulate((length for _, length in lengths), initial=0))
    return tuple((f"{head}: {name}", *span) for (name, _), span in zip(lengths, ends, strict=True))


FILE_HEADER: Final = _classes_of(
    "header",
    *(("magic", 16), ("page size", 2), ("versions", 2), ("reserved bytes", 1), ("fractions", 3)),
    *(("change counter", 4), ("file size", 4), ("free pages", 8), ("schema cookie", 4)),
    *(("schema format", 4), ("cache size", 4), ("shrinking", 4), ("encoding", 4)),
    *(("user version", 4), ("shrinking by steps", 4), ("application id", 4), ("unused", 20)),
    *(("valid for", 4), ("SQLite's version", 4)),
)
LOG_HEADER: Final = _classes_of(
    "log header",
    *(("magic", 4), ("format", 4), ("page size", 4), ("sequence", 4), ("salts", 8)),
    ("checksums", HEADER.size - 24),
)
FRAME_PARTS: Final = _classes_of(
    "frame",
    *(("page number", 4), ("commit", 4), ("salts", 8), ("checksums", FRAME.size - 16)),
    ("page", PAGE_BYTES),
)

_INTERIOR_INDEX, _INTERIOR, _LEAF_INDEX, _LEAF = 2, 5, 10, 13
_DIGEST_BYTES = 32
_LEAST_LOCAL_SHARE = (32, 255, 23)


class Alteration(NamedTuple):
    """``where`` names page, frame or file, ``what`` the byte class, ``kind`` what was done to it:
    in which file (:data:`FILE` or :data:`LOG`) which bytes stand from where to where instead."""

    where: str
    what: str
    kind: Kind
    spliced: tuple[tuple[int, int, int, bytes], ...]

    def attack(self, played: PlayedJournal) -> Attack | None:
        """The files altered; None where every byte is as it was."""
        files = [*played.left]
        for which, low, high, new in self.spliced:
            files[which] = files[which][:low] + new + files[which][high:]
        file, log = files
        if (altered := Files(file, log)) == played.left:
            return None
        image = replace(played.image, files=altered)
        return Attack(image, self.kind, self.where)


def alterations(
    played: PlayedJournal, source: Random, *, each: int | None, pages: int | None = None
) -> Iterator[Alteration]:
    """Of every page and frame (or of ``pages`` of them by chance) ``each`` alterations by chance,
    all byte classes and kinds when None; and every alteration of whole files."""
    yield from _whole_files(played)
    file, log = played.left
    for number in _some(len(file) // PAGE_BYTES, pages, source):
        page = file[number * PAGE_BYTES :][:PAGE_BYTES]
        parts = tuple(classes(page, number + 1, source))
        every = _of_unit(played, FILE, number, parts, source)
        yield from _picked(every, each, source)
    yield from _bytes(log, LOG, 0, "log", LOG_HEADER, source)
    for number in _some((len(log) - HEADER.size) // FRAME_BYTES, pages, source):
        yield from _picked(_of_unit(played, LOG, number, FRAME_PARTS, source), each, source)


def _some(count: int, most: int | None, source: Random) -> Iterable[int]:
    if most is None or most >= count:
        return range(count)
    return sorted(source.sample(range(count), most))


def _picked(found: Iterator[Alteration], each: int | None, source: Random) -> Iterable[Alteration]:
    every = list(found)
    return every if each is None else source.sample(every, min(each, len(every)))


def _whole_files(played: PlayedJournal) -> Iterator[Alteration]:
    """Files taken away, emptied, or replaced by what they were earlier."""
    file, log = played.left

    def instead(where: str, what: str, kind: Kind, file_then: bytes, log_then: bytes) -> Alteration:
        spliced = ((FILE, 0, len(file), file_then), (LOG, 0, len(log), log_then))
        return Alteration(where, what, kind, spliced)

    yield instead("files", "log taken away", Kind.AWAY, file, b"")
    yield instead("files", "file emptied", Kind.AWAY, b"", log)
    yield instead("files", "both emptied", Kind.AWAY, b"", b"")
    for number, before in enumerate(played.before, start=1):
        where = f"moment {number}"
        yield instead(where, "both", Kind.OLDER, *before)
        yield instead(where, "the file", Kind.OLDER, before.file, log)
        yield instead(where, "the log", Kind.OLDER, file, before.log)


def _of_unit(
    played: PlayedJournal, which: int, number: int, parts: Iterable[Range], source: Random
) -> Iterator[Alteration]:
    """All that is done to one page of the file, or to one frame of the log."""
    name, begin, size = (("page", 0, PAGE_BYTES), ("frame", HEADER.size, FRAME_BYTES))[which]
    data, where = played.left[which], f"{name} {number + 1}"
    at = begin + number * size
    unit = data[at : at + size]
    yield from _bytes(data, which, at, where, parts, source)
    other = begin + source.randrange((len(data) - begin) // size) * size
    there = data[other : other + size]
    older = [one for before in played.before if (one := before[which][at : at + size]) != unit]
    changes: dict[Kind, list[tuple[int, bytes]]] = {
        Kind.EXCHANGED: [(at, there), (other, unit)],
        Kind.DOUBLED: [(other, unit)],
        Kind.ROLLED_BACK: [(at, one) for one in older if len(one) == size],
        Kind.ZEROED: [(at, bytes(size))],
        Kind.OVERWRITTEN: [(at, source.randbytes(size))],
    }
    if back := changes[Kind.ROLLED_BACK]:
        changes[Kind.ROLLED_BACK] = [source.choice(back)]
    for kind, made in changes.items():
        if made:
            spliced = tuple((which, low, low + size, new) for low, new in made)
            yield Alteration(where, f"whole {name}", kind, spliced)
    end = at + source.choice((0, source.randrange(size)))
    yield Alteration(where, f"whole {name}", Kind.CUT_OFF, ((which, end, len(data), b""),))


def _bytes(
    data: bytes, which: int, at: int, where: str, parts: Iterable[Range], source: Random
) -> Iterator[Alteration]:
    """The bytes of each class altered in each kind; a class may be empty."""
    for name, low, high in parts:
        old = data[at + low : at + high]
        flipped = bytearray(old)
        if old:
            flipped[source.randrange(len(old))] ^= 1 << source.randrange(8)
        for kind, new in zip(
            BYTE_KINDS, (bytes(flipped), bytes(len(old)), source.randbytes(len(old))), strict=True
        ):
            yield Alteration(where, name, kind, ((which, at + low, at + high, new),))


# ---- which bytes of a page are what --------------------------------------------------------------


def classes(page: bytes, number: int, source: Random) -> Iterator[Range]:
    """The byte classes of a page of the file; of cells one is taken by chance."""
    start = 100 if number == 1 else 0
    if start:
        yield from FILE_HEADER
    kind = page[start]
    if kind not in (_INTERIOR_INDEX, _INTERIOR, _LEAF_INDEX, _LEAF):
        yield "overflow: pointer", 0, 4
        yield "overflow: text", 4, PAGE_BYTES
        return
    name = "schema page" if number == 1 else "page"
    interior = kind in (_INTERIOR_INDEX, _INTERIOR)
    head = start + (12 if interior else 8)
    yield f"{name}: header", start, start + 8
    if interior:
        yield f"{name}: right child", start + 8, head
    count, content = _number(page, start + 3), _number(page, start + 5)
    yield f"{name}: cell pointers", head, head + 2 * count
    yield f"{name}: free space", head + 2 * count, content
    if not count:
        return
    cell = _number(page, head + 2 * source.randrange(count))
    if interior:
        yield f"{name}: child pointer", cell, cell + 4
        cell += 4
    if kind == _INTERIOR:
        yield f"{name}: child's last number", cell, _varint(page, cell)[1]
        return
    yield from _record(page, cell, name, table=kind == _LEAF)


def _record(page: bytes, cell: int, name: str, *, table: bool) -> Iterator[Range]:
    """The parts of a cell that holds a record."""
    length, at = _varint(page, cell)
    if table:
        _, at = _varint(page, at)
    yield f"{name}: length and number", cell, at
    local = _local(length, table=table)
    header, _ = _varint(page, at)
    end = at + local
    yield f"{name}: record header", at, min(at + header, end)
    what = "values" if table else "key"
    if not table or length < _DIGEST_BYTES or local < length:
        yield f"{name}: {what}", at + header, end
    else:
        yield f"{name}: {what}", at + header, end - _DIGEST_BYTES
        yield f"{name}: digest", end - _DIGEST_BYTES, end
    if local < length:
        yield f"{name}: overflow pointer", end, end + 4


def _local(length: int, *, table: bool) -> int:
    """How many bytes of a record of that length are in its page."""
    least_factor, whole, less = _LEAST_LOCAL_SHARE
    least = (PAGE_BYTES - 12) * least_factor // whole - less
    most = PAGE_BYTES - 35 if table else (PAGE_BYTES - 12) * 64 // 255 - 23
    if length <= most:
        return length
    wanted = least + (length - least) % (PAGE_BYTES - 4)
    return wanted if wanted <= most else least


def _number(page: bytes, at: int) -> int:
    return int.from_bytes(page[at : at + 2], "big")


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where the next thing begins."""
    value = 0
    for index in range(8):
        byte = page[at + index]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + index + 1
    return value << 8 | page[at + 8], at + 9
