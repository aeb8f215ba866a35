"""Every way in which the files are altered, as data: what is done, to which bytes, and the result.

Bytes of one class are changed: a bit flipped, set to zero, or overwritten by chance. Whole pages
and frames are exchanged, doubled, rolled back to an earlier version, set to zero, or cut off with
all that follows. Whole files are taken away, or replaced by what they were earlier. An alteration
that leaves every byte as it was is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from controller.journal.log_check import FRAME, HEADER
from controller.journal.opening import PAGE_BYTES
from proof.torture.files.material import Files, PlayedJournal
from proof.torture.files.pages import FRAME_PARTS, LOG_HEADER, Range, classes

FRAME_BYTES: Final = FRAME.size + PAGE_BYTES

BYTE_KINDS: Final = ("bit flipped", "zeroed", "overwritten")
PAGE_KINDS: Final = ("exchanged", "doubled", "rolled back", "zeroed", "overwritten", "cut off")


@dataclass(frozen=True, slots=True)
class Alteration:
    """``where`` names page, frame or file, ``what`` the byte class, ``kind`` what was done to it;
    ``files`` makes the altered files."""

    where: str
    what: str
    kind: str
    files: Callable[[], Files]


def alterations(
    made: PlayedJournal, source: Random, *, each: int | None, pages: int | None = None
) -> Iterator[Alteration]:
    """Of every page and frame (or of ``pages`` of them by chance) ``each`` alterations by chance,
    all byte classes and kinds when None; and every alteration of whole files."""
    yield from _whole_files(made)
    for number in _some(range(1, made.left.pages + 1), pages, source):
        yield from _picked(_of_page(made, number, source), each, source)
    yield from (
        _bytes(made.left, "log", "log header", part, kind, source)
        for part in LOG_HEADER
        for kind in BYTE_KINDS
    )
    frames = (len(made.left.log) - HEADER.size) // FRAME_BYTES
    for number in _some(range(1, frames + 1), pages, source):
        yield from _picked(_of_frame(made, number, frames, source), each, source)


def _some(numbers: range, most: int | None, source: Random) -> Iterable[int]:
    if most is None or most >= len(numbers):
        return numbers
    return sorted(source.sample(numbers, most))


def _picked(found: Iterator[Alteration], each: int | None, source: Random) -> Iterable[Alteration]:
    every = list(found)
    return every if each is None else source.sample(every, min(each, len(every)))


def _of_page(made: PlayedJournal, number: int, source: Random) -> Iterator[Alteration]:
    """All that is done to one page of the file."""
    files, at, where = made.left, (number - 1) * PAGE_BYTES, f"page {number}"
    page = files.file[at : at + PAGE_BYTES]
    for name, low, high in classes(page, number, source):
        for kind in BYTE_KINDS:
            yield _bytes(files, "file", where, (name, at + low, at + high), kind, source)
    other = source.randrange(files.pages) * PAGE_BYTES
    older = [
        before.file[at : at + PAGE_BYTES]
        for before in made.before
        if len(before.file) >= at + PAGE_BYTES and before.file[at : at + PAGE_BYTES] != page
    ]
    for kind in PAGE_KINDS:
        change: Callable[[], bytes]
        match kind:
            case "exchanged":
                change = _exchange(files.file, at, other, PAGE_BYTES)
            case "doubled":
                change = _replacement(files.file, other, page)
            case "rolled back":
                if not older:
                    continue
                change = _replacement(files.file, at, source.choice(older))
            case "zeroed":
                change = _replacement(files.file, at, bytes(PAGE_BYTES))
            case "overwritten":
                change = _replacement(files.file, at, source.randbytes(PAGE_BYTES))
            case _:
                change = _cut(files.file, at + source.choice((0, source.randrange(PAGE_BYTES))))
        yield Alteration(where, "whole page", kind, _with(files, file=change))


def _of_frame(
    made: PlayedJournal, number: int, frames: int, source: Random
) -> Iterator[Alteration]:
    """All that is done to one frame of the log."""
    files, where = made.left, f"frame {number}"
    at = HEADER.size + (number - 1) * FRAME_BYTES
    frame = files.log[at : at + FRAME_BYTES]
    for name, low, high in FRAME_PARTS:
        for kind in BYTE_KINDS:
            yield _bytes(files, "log", where, (name, at + low, at + high), kind, source)
    other = HEADER.size + source.randrange(frames) * FRAME_BYTES
    for kind in PAGE_KINDS:
        change: Callable[[], bytes]
        match kind:
            case "exchanged":
                change = _exchange(files.log, at, other, FRAME_BYTES)
            case "doubled":
                change = _replacement(files.log, other, frame)
            case "rolled back":
                older = [one.log[at : at + FRAME_BYTES] for one in made.before]
                older = [one for one in older if len(one) == FRAME_BYTES and one != frame]
                if not older:
                    continue
                change = _replacement(files.log, at, source.choice(older))
            case "zeroed":
                change = _replacement(files.log, at, bytes(FRAME_BYTES))
            case "overwritten":
                change = _replacement(files.log, at, source.randbytes(FRAME_BYTES))
            case _:
                change = _cut(files.log, at + source.choice((0, source.randrange(FRAME_BYTES))))
        yield Alteration(where, "whole frame", kind, _with(files, log=change))


def _whole_files(made: PlayedJournal) -> Iterator[Alteration]:
    """Files taken away, emptied, or replaced by what they were earlier."""
    left = made.left
    for name, files in (
        ("log taken away", Files(left.file, b"")),
        ("file emptied", Files(b"", left.log)),
        ("both emptied", Files(b"", b"")),
    ):
        yield Alteration("files", name, "taken away", lambda files=files: files)  # type: ignore[misc]
    for number, before in enumerate(made.before, start=1):
        for name, files in (
            ("both", before),
            ("the file", Files(before.file, left.log)),
            ("the log", Files(left.file, before.log)),
        ):
            yield Alteration(
                f"moment {number}",
                name,
                "replaced by an older one",
                lambda files=files: files,  # type: ignore[misc]
            )


def _bytes(
    files: Files, which: str, where: str, part: Range, kind: str, source: Random
) -> Alteration:
    """An alteration of some bytes of one class."""
    name, low, high = part
    data = files.file if which == "file" else files.log
    old = data[low:high]
    if not old or kind == "bit flipped":
        at = source.randrange(max(1, len(old)))
        new = old[:at] + bytes([old[at] ^ 1 << source.randrange(8)]) + old[at + 1 :] if old else b""
    elif kind == "zeroed":
        new = bytes(len(old))
    else:
        new = source.randbytes(len(old))
    change = _replacement(data, low, new)
    result = _with(files, file=change) if which == "file" else _with(files, log=change)
    return Alteration(where, name, kind, result)


def _with(
    files: Files,
    *,
    file: Callable[[], bytes] | None = None,
    log: Callable[[], bytes] | None = None,
) -> Callable[[], Files]:
    return lambda: Files(file() if file else files.file, log() if log else files.log)


def _replacement(data: bytes, at: int, new: bytes) -> Callable[[], bytes]:
    return lambda: data[:at] + new + data[at + len(new) :]


def _exchange(data: bytes, one: int, other: int, size: int) -> Callable[[], bytes]:
    def change() -> bytes:
        result = bytearray(data)
        result[one : one + size] = data[other : other + size]
        result[other : other + size] = data[one : one + size]
        return bytes(result)

    return change


def _cut(data: bytes, at: int) -> Callable[[], bytes]:
    return lambda: data[:at]
