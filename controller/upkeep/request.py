"""The request that the journal be closed at the next start: a file in the state directory.

``tablectl journal archive`` leaves it (:mod:`~.by_hand`). It names the journal, so it is fulfilled
once; the command takes it away when it has copied the closed file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from controller.journal.canonical import IDENTITY_BYTES, is_hex
from controller.journal.disk import sync_directory
from controller.regular_files import give, open_regular, read_regular

FILE_NAME: Final = "archive.request"


def ask(directory: Path, identity: bytes) -> None:
    """Ask that the journal of that name be closed. Raises OSError."""
    path = directory / FILE_NAME
    fd = open_regular(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW)
    try:
        os.write(fd, identity.hex().encode("ascii") + b"\n")
        os.fchmod(fd, 0o640)
        give(fd, directory.stat())  # root asks, the table's own user is to read it
        os.fsync(fd)
    finally:
        os.close(fd)
    sync_directory(directory)


def asked(directory: Path) -> bytes | None:
    """The name of the journal that is to be closed; None where nobody asks. Raises OSError."""
    try:
        with read_regular(directory / FILE_NAME) as file:
            text = file.read(4 * IDENTITY_BYTES).decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    return bytes.fromhex(text) if is_hex(text, IDENTITY_BYTES) else None


def done(directory: Path) -> None:
    """Take the request away. Raises OSError."""
    (directory / FILE_NAME).unlink(missing_ok=True)
    sync_directory(directory)
