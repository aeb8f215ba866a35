"""Who may: what a user could read, write and enter, found out without being that user.

The rules:

- Owner, group and mode decide, of the thing itself and of each folder on the way to it, as the
  kernel has it: the owner's bits for the owner, else the group's for its members, else the others'.
- Root may everything; that a file system is read-only is another matter (:mod:`.finding`).
- Access lists (acl(5)) are not judged: that there is one is said.
- Where the one who asks may not look himself, it is said and nothing is guessed.
"""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import shlex
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Refused:
    """What stops a user: ``what`` in words, ``next_step`` the command that ends it. ``seen`` is
    False where whoever asks may not look at it himself, so that it is not known."""

    what: str
    next_step: str
    seen: bool = True

    def __str__(self) -> str:
        return f"{self.what}: {self.next_step}"


def myself() -> User:
    """The user that this process runs as."""
    uid = os.geteuid()
    return User(user_name(uid), uid, frozenset({*os.getgroups(), os.getegid()}))


def named(name: str, besides: Sequence[str] = ()) -> User | None:
    """A user with the groups that this machine gives him, and those ``besides``; None where it does
    not know him."""
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        return None
    gids = set(os.getgrouplist(name, found.pw_gid))
    for group in besides:
        with contextlib.suppress(KeyError):
            gids.add(grp.getgrnam(group).gr_gid)
    return User(name, found.pw_uid, frozenset(gids))


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


def refused(path: Path, wants: int, user: User) -> Refused | None:
    """What keeps the user from it, the first thing on the way; None where nothing does.

    ``path`` may be missing: then the user must be able to make it, which is to write and enter the
    nearest folder that is there.
    """
    if user.uid == 0:
        return None
    for folder in _way(path):
        try:
            found = folder.stat()
        except FileNotFoundError:
            return _makes(folder, user)
        except NotADirectoryError:
            return None  # another kind of cause
        except PermissionError:
            return Refused(
                f"{path} cannot be looked at by {user_name(os.geteuid())}",
                f"ask as root: 'sudo ls -ld {shlex.quote(str(path))}'",
                seen=user.uid == os.geteuid(),
            )
        need = wants if folder == path else ENTER
        if lacks := need & ~_bits(found, user):
            return _of(folder, found, lacks, user, is_it=folder == path)
    return None


def _way(path: Path) -> Iterator[Path]:
    """Every folder on the way as it is written, those behind a link too, and the thing itself."""
    led_to = Path(os.path.realpath(path))
    seen = dict.fromkeys([*reversed(path.absolute().parents), *reversed(led_to.parents)])
    yield from (folder for folder in seen if folder != path)
    yield path


def _bits(found: os.stat_result, user: User) -> int:
    shift = 6 if found.st_uid == user.uid else 3 if found.st_gid in user.gids else 0
    return found.st_mode >> shift & 7


def _makes(missing: Path, user: User) -> Refused | None:
    """What keeps the user from making it in the folder above."""
    folder = missing.parent
    while not folder.exists():
        missing, folder = folder, folder.parent
    found = folder.stat()
    if not (WRITE | ENTER) & ~_bits(found, user):
        return None
    return Refused(
        f"user {user.name} may not make {missing}, for {folder} belongs to {_said(folder, found)}",
        f"'sudo install -d -o {user.name} -g {_main_group(user)} -m 750 "
        f"{shlex.quote(str(missing))}'",
    )


def _of(path: Path, found: os.stat_result, lacks: int, user: User, *, is_it: bool) -> Refused:
    words = _WORDS.get(lacks, "use")
    what = f"user {user.name} may not {words} {path}, which belongs to {_said(path, found)}"
    where = shlex.quote(str(path))
    if not is_it:
        return Refused(what, f"'sudo chmod o+x {where}', or name another place")
    if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
        return Refused(what, _of_a_port(where, found, lacks, user))
    if stat.S_ISREG(found.st_mode) and lacks & WRITE == 0:
        return Refused(what, f"'sudo chown {user.name}: {where}'")
    folder = path if stat.S_ISDIR(found.st_mode) else path.parent
    return Refused(what, f"'sudo chown -R {user.name}: {shlex.quote(str(folder))}'")


def _of_a_port(where: str, found: os.stat_result, lacks: int, user: User) -> str:
    """A group that may is joined; the file itself is made anew at every plugging."""
    if found.st_gid != 0 and not lacks & ~(found.st_mode >> 3 & 7):
        group = group_name(found.st_gid)
        return f"'sudo usermod -aG {group} {user.name}', then start the controller"
    return f"'sudo tablectl setup --port {where}' gives the table's ports to its controller"


def _said(path: Path, found: os.stat_result) -> str:
    listed = False
    with contextlib.suppress(OSError):
        listed = bool(os.getxattr(path, _ACL))
    more = f" and has an access list that is not judged here ('getfacl {path}')" if listed else ""
    return whose(found) + more


def _main_group(user: User) -> str:
    try:
        return group_name(pwd.getpwuid(user.uid).pw_gid)
    except KeyError:
        return str(user.uid)
