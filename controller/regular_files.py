"""The one way in which the program opens files, all of them: nowhere else does it.

The rules:

- Only a regular file is opened. A FIFO without a writer keeps whoever opens it waiting for ever,
  and a device gives without end or does what it likes. What stands in ``/proc`` and ``/sys`` is
  regular.
- What stands under the name itself is no symbolic link: where somebody else may write, it leads to
  what only root may read. A *folder* on the way may be one, ``/etc/table-controller`` for instance:
  who can make it can put any file there as well.
- What is read whole is bounded: a file that nobody thought to be large does not take the memory.
- A new file is made where nothing stands; one that is replaced is made beside and then renamed.
- What people have written is UTF-8. Editors of other systems put a byte order mark before it, which
  is taken off, or write UTF-16 where a person asked for "Unicode", which is named.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import stat
from io import BufferedReader, BufferedWriter
from pathlib import Path
from typing import Final

MARK = "\ufeff"
"""The byte order mark, as a character."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class NotUtf8(ValueError):
    """Bytes that are no text in UTF-8, as the message says; ``at`` is where, in bytes."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


def text_of(raw: bytes) -> str:
    """The text, without a byte order mark; NotUtf8 where it is none."""
    if raw.startswith(_UTF_16):
        raise NotUtf8("it is written in UTF-16 ('Unicode'): save it as UTF-8", 0)
    try:
        return raw.decode("utf-8").removeprefix(MARK)
    except UnicodeDecodeError as error:
        raise NotUtf8(f"is not UTF-8: {error.reason}, byte {error.start}", error.start) from error


MOST_BYTES: Final = 1 << 20
"""How much is read of a file of which nobody says how large it may be."""

KINDS = {
    stat.S_IFIFO: "a FIFO",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a directory",
    stat.S_IFLNK: "a symbolic link",
}


class NotRegular(OSError):
    """Something else than a regular file stands there; ``strerror`` says what."""

    def __init__(self, path: Path, mode: int) -> None:
        what = KINDS.get(stat.S_IFMT(mode), "no regular file")
        more = ": name the one that it leads to" if stat.S_ISLNK(mode) else ""
        super().__init__(errno.EINVAL, f"it is {what}, expected a regular file{more}", str(path))


class TooLarge(OSError):
    """The file is longer than such a file ever is; ``strerror`` says how long it may be."""

    def __init__(self, path: Path, most_bytes: int) -> None:
        text = f"it has more than {most_bytes} bytes; is it the right file?"
        super().__init__(errno.EFBIG, text, str(path))


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o640) -> int:
    """A descriptor of a regular file that is no link, else NotRegular; it is never waited for."""
    try:
        fd = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY, mode)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a FIFO that nobody reads, or a socket
            raise NotRegular(path, path.stat().st_mode) from error
        if error.errno == errno.ELOOP and path.is_symlink():
            raise NotRegular(path, stat.S_IFLNK) from error
        raise
    found = os.fstat(fd).st_mode
    if not stat.S_ISREG(found):
        os.close(fd)
        raise NotRegular(path, found)
    return fd


def read_regular(path: Path) -> BufferedReader:
    """The file, open for reading; raises as :func:`open_regular`. Who reads it bounds that."""
    return os.fdopen(open_regular(path), "rb")


def read_whole(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """All that is in it; TooLarge where that is more, else as :func:`open_regular`."""
    with read_regular(path) as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise TooLarge(path, most_bytes)
    return content


def new_regular(path: Path, mode: int = 0o666) -> BufferedWriter:
    """A new file to write, of that mode less the umask; FileExistsError where something stands."""
    return os.fdopen(open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb")


def give_owner(fd: int, like: os.stat_result) -> None:
    """What root makes by hand belongs to whom ``like`` belongs to: the next time it is that user's.
    A stick's file system may know no owners. By descriptor: under its name that user may have put a
    link by now. The service itself may not, for its unit filters the call, and need not."""
    if os.geteuid() == 0:
        with contextlib.suppress(PermissionError):
            os.fchown(fd, like.st_uid, like.st_gid)


def check_own(path: Path) -> None:
    """Check that there is a regular file or nothing at ``path`` itself; else NotRegular."""
    try:
        found = os.lstat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(found):
        raise NotRegular(path, found)


def same_file(one: Path, other: Path) -> bool:
    """Whether both name one place, however they are written."""
    # Path.resolve raises where symbolic links lead to each other; who opens such a file says so.
    return os.path.realpath(one) == os.path.realpath(other)


def write_over(
    path: Path,
    content: bytes,
    mode: int = 0o644,
    *,
    exactly: bool = False,
    like: os.stat_result | None = None,
) -> None:
    """Write a file in place of what may be there, durably: the one or the other is there, whole. It
    has that mode, less the umask unless ``exactly``, and belongs to whom ``like`` belongs to."""
    prepare(path, content, mode, exactly=exactly, like=like)
    put_in_place(path)


def prepare(
    path: Path,
    content: bytes,
    mode: int,
    *,
    exactly: bool = False,
    like: os.stat_result | None = None,
) -> None:
    """The first half of :func:`write_over`: the file is durable, and has no name of its own yet."""
    new = unnamed(path)
    new.unlink(missing_ok=True)
    with new_regular(new, mode) as file:
        file.write(content)
        file.flush()
        if like is not None:
            give_owner(file.fileno(), like)
        if exactly:
            os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())


def put_in_place(path: Path) -> None:
    """The second half: what :func:`prepare` wrote is put in its place, in one step."""
    unnamed(path).replace(path)
    sync_directory(path.parent)


def unnamed(path: Path) -> Path:
    """Where a file is before it is put in its place: a power cut may leave half of one there."""
    return path.with_name(path.name + ".new")


def sync_directory(directory: Path) -> None:
    """Make the names of new files durable: without it a power cut may take the whole file."""
    _sync(os.open(directory, os.O_RDONLY | os.O_DIRECTORY))


def sync_file(path: Path) -> None:
    """Make a file's content durable."""
    _sync(open_regular(path))


def _sync(fd: int) -> None:
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def lead_nowhere(descriptor: int) -> None:
    """Have what is written to it go to ``/dev/null`` from now on: a stream that nobody reads any
    more would fail again at the end of the process, with what it still holds."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
