"""The control socket's file: owned by exactly one process.

The rules:

- A lock file next to the socket (``control.sock.lock``) is held by the owning process as long as it
  runs; two processes that start at once cannot both find the old file deserted. The lock's file
  stays.
- A socket file on which a process answers belongs to that process, with or without a lock. One that
  nobody answers at is what a killed process left, and is replaced. Any other file is never touched.
- The socket may be connected to by anybody who reaches its directory, and the kernel's note of who
  connected decides (:mod:`controller.control.peers`). While too many strangers come, the file
  admits groups only (:mod:`~.shutter`); it has one group of its own and there are more, so that
  takes an access list (acl(5)).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import struct
from collections.abc import Collection
from pathlib import Path
from typing import Final

from controller.causes.cause import Cause
from controller.causes.finding import cause_of
from controller.causes.places import socket_trouble
from controller.causes.who_may import myself
from controller.control.peers import credentials_of
from controller.regular_files import open_regular

MODE: Final = 0o666
BACKLOG: Final = 32
ANSWER_S: Final = 1.0

_ACL: Final = "system.posix_acl_access"
_ACL_ENTRY: Final = struct.Struct("<HHI")  # tag, permissions, id: linux/posix_acl_xattr.h
_USER_OBJ, _GROUP_OBJ, _GROUP, _MASK, _OTHER = 0x01, 0x04, 0x08, 0x10, 0x20
_ACL_VERSION, _NO_ID, _CONNECT, _NOTHING = 2, 0xFFFFFFFF, 0o6, 0o0


class AddressError(Exception):
    """The socket cannot be made there. ``heals``: it can end by itself."""

    heals = False


class SocketInUse(AddressError):
    """Another process owns it; ``pid`` where it is known."""

    def __init__(self, path: Path, pid: int | None) -> None:
        self.pid = pid
        who = f"process {pid}" if pid else "another process"
        super().__init__(
            f"{path}: {who} answers at this control socket; stop it, or give this table another "
            "socket in [control] of its configuration"
        )


class ControlAddress:
    """A claimed path with the listening socket on it, in a directory made for it; clients wait
    until served. Raises :class:`SocketInUse` or another :class:`AddressError`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if (cause := socket_trouble(path, myself())) is not None:
            raise _refusal(path, cause)
        with contextlib.ExitStack() as undo:
            try:
                if not path.parent.exists():
                    path.parent.mkdir(parents=True)
                    path.parent.chmod(0o755)  # whatever the umask: who may look must reach it
                self._lock = _lock(path)
                undo.callback(os.close, self._lock)
                _remove_deserted(path)
                self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                undo.callback(self.socket.close)
                self.socket.bind(os.fspath(path))
                self._inode = path.stat().st_ino
                path.chmod(MODE)
                self.socket.listen(BACKLOG)
                self.socket.setblocking(False)
            except OSError as error:
                raise _refusal(path, cause_of(error, path)) from error
            undo.pop_all()

    def admit_only(self, gids: Collection[int]) -> None:
        """Let only owner, root and these groups connect; OSError without access lists."""
        entries = [
            (_USER_OBJ, _CONNECT, _NO_ID),
            (_GROUP_OBJ, _NOTHING, _NO_ID),
            *((_GROUP, _CONNECT, gid) for gid in sorted(gids)),
            (_MASK, _CONNECT, _NO_ID),
            (_OTHER, _NOTHING, _NO_ID),
        ]
        packed = b"".join(_ACL_ENTRY.pack(*entry) for entry in entries)
        os.setxattr(self.path, _ACL, struct.pack("<I", _ACL_VERSION) + packed)

    def admit_all(self) -> None:
        """Let everybody connect again; harmless when the file is gone."""
        with contextlib.suppress(OSError):
            os.removexattr(self.path, _ACL)
            self.path.chmod(MODE)

    def release(self) -> None:
        """Close the socket and remove its file, if it is still ours; harmless when done twice."""
        if self._lock < 0:
            return
        self.socket.close()
        with contextlib.suppress(OSError):
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()
        os.close(self._lock)
        self._lock = -1


def _refusal(path: Path, cause: Cause) -> AddressError:
    error = AddressError(
        f"{path}: the control socket cannot be made there: {cause.of_the_daemon()}"
    )
    error.heals = cause.heals
    return error


def _lock(path: Path) -> int:
    lock = open_regular(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        written = os.read(lock, 20).strip()
        os.close(lock)
        raise SocketInUse(path, int(written) if written.isdigit() else None) from None
    os.ftruncate(lock, 0)
    os.write(lock, b"%d\n" % os.getpid())
    return lock


def _remove_deserted(path: Path) -> None:
    if not os.path.lexists(path):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(ANSWER_S)
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:
            path.unlink()
        except OSError:  # a full backlog, or no right to ask: somebody is there
            raise SocketInUse(path, None) from None
        else:
            raise SocketInUse(path, credentials_of(probe).pid or None)
