"""Who may: what a user could read, write and enter, found out without being that user.

The rules:

- Owner, group and mode decide, of the thing itself and of each folder on the way to it, as the
  kernel has it: the owner's bits for the owner, else the group's for its members, else the others'.
- Root may everything; that a file system is read-only is another matter (:mod:`.finding`).
- Access lists (acl(5)) are not judged, but where this process asks for itself: the kernel has the
  last word on that. For somebody else it is said that there is one, and what he may is not known.
- What is advised gives nobody a folder that others use as well (``/run``, somebody's home).
- Where the one who asks may not look himself, it is said and nothing is guessed.
"""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import shlex
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.causes.cause import Cause, Kind

READ: Final = os.R_OK
WRITE: Final = os.W_OK
ENTER: Final = os.X_OK
"""What somebody wants, as bits of one number."""

DAEMON: Final = "table-controller"
"""The user that the controller's unit runs it as."""

_ACL: Final = "system.posix_acl_access"
_WORDS: Final = {READ: "read", WRITE: "write", READ | WRITE: "read and write", ENTER: "enter"}


@dataclass(frozen=True, slots=True)
class User:
    """A user by name and number, with the numbers of all his groups."""

    name: str
    uid: int
    gids: frozenset[int]


def myself() -> User:
    """The user that this process runs as."""
    uid = os.geteuid()
    return User(user_name(uid), uid, frozenset({*os.getgroups(), os.getegid()}))


def named(name: str) -> User | None:
    """A user with the groups that this machine gives him; None where it does not know him."""
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        return None
    return User(name, found.pw_uid, frozenset(os.getgrouplist(name, found.pw_gid)))


def daemon() -> User:
    """The user that the controller runs as on this machine; the one who asks, where it has none."""
    return named(DAEMON) or myself()


def user_name(uid: int) -> str:
    """A user's name, or his number."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def group_name(gid: int) -> str:
    """A group's name, or its number."""
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def whose(found: os.stat_result) -> str:
    """``root:plugdev 0660``: owner, group and mode."""
    names = f"{user_name(found.st_uid)}:{group_name(found.st_gid)}"
    return f"{names} {stat.S_IMODE(found.st_mode):04o}"


def refused(path: Path, wants: int, user: User) -> Cause | None:
    """What keeps the user from it, the first thing on the way (:attr:`Kind.NOT_PERMITTED`; where it
    is not known, :attr:`Kind.NOT_SEEN`). Where ``path`` is missing the user must be able to make
    it. A folder is what he wants to enter."""
    if user.uid == 0:
        return None
    for folder in _way(path):
        try:
            found = folder.stat()
        except FileNotFoundError:
            return _makes(folder, user, is_folder=folder != path or wants & ENTER != 0)
        except PermissionError:
            what = f"{path} cannot be looked at by {user_name(os.geteuid())}"
            kind = Kind.NOT_PERMITTED if user.uid == os.geteuid() else Kind.NOT_SEEN
            return Cause(kind, what, f"ask as root: 'sudo ls -ld {shlex.quote(str(path))}'")
        except OSError:
            return None  # another kind of cause
        need = wants if folder == path else ENTER
        if lacks := _lacks(folder, found, need, user):
            return _denial(folder, found, lacks, user, is_it=folder == path)
    return None


def _way(path: Path) -> Iterator[Path]:
    """Every folder on the way as it is written, those behind a link too, and the thing itself."""
    led_to = Path(os.path.realpath(path))
    seen = dict.fromkeys([*reversed(path.absolute().parents), *reversed(led_to.parents)])
    yield from (folder for folder in seen if folder != path)
    yield path


def _lacks(path: Path, found: os.stat_result, need: int, user: User) -> int:
    """What the user lacks of what he needs; nothing where the kernel lets him all the same."""
    shift = 6 if found.st_uid == user.uid else 3 if found.st_gid in user.gids else 0
    lacks = need & ~(found.st_mode >> shift & 7)
    if lacks and user.uid == os.geteuid() and os.access(path, need, effective_ids=True):
        return 0
    return lacks


def _makes(missing: Path, user: User, *, is_folder: bool) -> Cause | None:
    folder = missing.parent
    while not os.path.lexists(folder):
        missing, folder, is_folder = folder, folder.parent, True
    try:
        found = folder.stat()
    except OSError:
        return None  # another kind of cause
    if not (lacks := _lacks(folder, found, WRITE | ENTER, user)):
        return None
    if not is_folder:
        return _denial(folder, found, lacks, user, is_it=True)
    kind, belongs = _ownership(folder, found, user)
    what = f"user {user.name} may not make {missing}, for {folder} belongs to {belongs}"
    try:
        group = group_name(pwd.getpwuid(user.uid).pw_gid)
    except KeyError:
        group = str(user.uid)
    makes = f"install -d -o {user.name} -g {group} -m 750 {shlex.quote(str(missing))}"
    return Cause(kind, what, f"'sudo {makes}'")


def _denial(path: Path, found: os.stat_result, lacks: int, user: User, *, is_it: bool) -> Cause:
    words = _WORDS.get(lacks, "use")
    kind, belongs = _ownership(path, found, user)
    what = f"user {user.name} may not {words} {path}, which belongs to {belongs}"
    where = shlex.quote(str(path))
    if not is_it:
        step = f"'sudo chmod o+x {where}', or name another place"
    elif stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
        step = f"'sudo tablectl setup --port {where}' gives the table's ports to its controller"
        if found.st_gid != 0 and not lacks & ~(found.st_mode >> 3 & 7):
            # A group that may is joined; the file itself is made anew at every plugging.
            group = group_name(found.st_gid)
            step = f"'sudo usermod -aG {group} {user.name}', then start the controller"
    elif stat.S_ISDIR(found.st_mode):
        step = f"'sudo chown -R {user.name}: {where}'"
        if _is_of_others(path, found):
            step = "others use it as well: name a place in a folder of its own"
    elif lacks & WRITE and path.parent.stat().st_uid == user.uid:  # and so may others in it be
        step = f"'sudo chown -R {user.name}: {shlex.quote(str(path.parent))}'"
    else:
        step = f"'sudo chown {user.name}: {where}'"
    return Cause(kind, what, step)


def _is_of_others(folder: Path, found: os.stat_result) -> bool:
    """Whether it is the system's (``/run``, ``/var/lib``), everybody's, or its owner's home."""
    if len(folder.parts) <= (3 if folder.is_relative_to("/var") else 2):
        return True
    if found.st_mode & stat.S_ISVTX:
        return True
    try:
        return Path(pwd.getpwuid(found.st_uid).pw_dir) == folder
    except KeyError:
        return False


def _ownership(path: Path, found: os.stat_result, user: User) -> tuple[Kind, str]:
    """Whether it is known what the user may there, and whose it is."""
    with contextlib.suppress(OSError):
        if os.getxattr(path, _ACL) and user.uid != os.geteuid():
            where = shlex.quote(str(path))
            more = f"and has an access list that is not judged here ('getfacl {where}')"
            return Kind.NOT_SEEN, f"{whose(found)} {more}"
    return Kind.NOT_PERMITTED, whose(found)
