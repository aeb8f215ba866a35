"""Closed journals copied whole as files: byte for byte, compared, and made durable. A copy has its
name only then.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller.journal.errors import CannotArchive
from controller.regular_files import give_owner, new_regular, read_regular, sync_directory

PARTIAL: Final = ".partial"
_CHUNK: Final = 1 << 20


class OtherContent(CannotArchive):
    """The file that was to be copied is another one than it was."""


def copy_compared(
    source: Path, archived: Path, *, alike: bool = False, known: bytes | None = None
) -> bytes:
    """Copy a file whole; it has its name only when all of it is on the disk and compared. Returns
    its SHA-256, which must be the ``known`` one. ``alike``: the copy belongs to whom the file
    belongs to."""
    digest = digest_of(source)
    if known is not None and digest != known:
        raise OtherContent(f"{source} is not what was verified any more, and stays")
    if not os.path.lexists(archived):
        partial = partial_of(archived)
        partial.unlink(missing_ok=True)
        with read_regular(source) as old, new_regular(partial, 0o600) as new:
            while chunk := old.read(_CHUNK):
                new.write(chunk)
            new.flush()
            os.fchmod(new.fileno(), 0o440)
            if alike:
                give_owner(new.fileno(), os.fstat(old.fileno()))
            os.fsync(new.fileno())
        if digest_of(partial) != digest:
            raise CannotArchive(f"{partial} is not what was written: look at the archive's disk")
        partial.replace(archived)
        sync_directory(archived.parent)
    if digest_of(archived) != digest:
        raise CannotArchive(
            f"{archived} is there and is another file than {source}: verify both, keep both, and "
            "name another archive"
        )
    return digest


def partial_of(archived: Path) -> Path:
    """The name of a copy that is not whole yet."""
    return archived.with_name(archived.name + PARTIAL)


def digest_of(path: Path) -> bytes:
    """The SHA-256 of a file as the disk has it: what the kernel kept of it in memory is let go
    first."""
    with read_regular(path) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        found = sha256()
        while chunk := file.read(_CHUNK):
            found.update(chunk)
        return found.digest()
