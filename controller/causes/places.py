"""Whether a folder or a socket of the configuration can be had, judged before anybody uses it.

One code path for the daemon, which asks as itself, and for whoever asks on its behalf
(``config check``, ``setup``): the same words, and nothing is made or opened.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from controller.causes.cause import Cause, Kind
from controller.causes.finding import cause_by, cause_of
from controller.causes.who_may import DAEMON, ENTER, READ, WRITE, User, refused

MAX_SOCKET_BYTES: Final = 107
"""A socket's whole path, unix(7)."""

MANAGED: Final = (Path("/var/lib/table-controller"), Path("/run/table-controller"))
"""Folders that the unit has made for its user before the daemon is started, with all in them."""


def folder_trouble(
    folder: Path, user: User, files: Iterable[str] = (), *, parents: bool = False
) -> Cause | None:
    """What keeps the user from having that folder, and the ``files`` of it that are there;
    ``parents``: folders above it are made as well."""
    try:
        found = folder.stat()
    except FileNotFoundError:
        return _makes(folder, user, parents=parents)
    except PermissionError as error:
        return refused(folder, ENTER, user) or cause_of(error, folder, user=user)
    except OSError as error:
        return cause_of(error, folder, wants=ENTER, user=user)
    if not stat.S_ISDIR(found.st_mode):
        return cause_by(Kind.NOT_A_FOLDER, folder, user)
    there = [folder / name for name in files if os.path.lexists(folder / name)]
    nos = (refused(file, READ | WRITE, user) for file in there)
    return refused(folder, READ | WRITE | ENTER, user) or next(filter(None, nos), None)


def socket_trouble(path: Path, user: User) -> Cause | None:
    """What keeps the user from having a socket there; None for nothing."""
    if (length := len(os.fsencode(path))) > MAX_SOCKET_BYTES:
        what = f"a socket's path has at most {MAX_SOCKET_BYTES} bytes, and this one {length}"
        return Cause(Kind.LONG_NAME, what, "name a shorter one as [control] socket")
    if (cause := folder_trouble(path.parent, user, [f"{path.name}.lock"], parents=True)) is None:
        try:
            mode = path.lstat().st_mode
        except OSError:
            return None
        if not stat.S_ISSOCK(mode):
            what = f"a {'folder' if stat.S_ISDIR(mode) else 'file'} is there, which is no socket"
            step = cause_by(Kind.THERE, path, user).next_step
            return Cause(Kind.THERE, what, step)
    return cause


def of_the_unit(folder: Path, user: User) -> bool:
    """Whether the unit makes the folder at the start, so that it cannot be judged before."""
    if folder not in MANAGED:
        return False
    return not folder.exists() or (user.name == DAEMON and folder.stat().st_uid != user.uid)


def _makes(folder: Path, user: User, *, parents: bool) -> Cause | None:
    if folder.is_symlink():
        return cause_by(Kind.LINK, folder, user)
    above = folder.parent
    if not os.path.lexists(above):
        return _makes(above, user, parents=True) if parents else cause_by(Kind.MISSING, above, user)
    if not above.is_dir():
        return cause_by(Kind.NOT_A_FOLDER, above, user)
    return refused(folder, READ | WRITE | ENTER, user)
