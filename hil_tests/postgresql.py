"""A PostgreSQL cluster of one's own, in a folder: for tests, the demo of a floor, and its torture.

The rules:

- It listens on a Unix socket in its folder, and nowhere else. Whoever reaches that may do all.
- PostgreSQL runs under no root: where root asks, the cluster runs as :data:`OTHER_USERS` first that
  there is, and everybody may enter the folders above it. Else it runs as whoever asks.
- A cluster that does not sync (``syncs`` false) is faster, and loses nothing when it is killed; it
  would when the machine is.
- It ends with the process that has started it, however that ends.
- Its programs are Debian's, the newest release of those that are installed.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from hil_tests.process_tree import children, lives

PATIENCE_S: Final = 60.0
SUPERUSER: Final = "floor"
"""Its superuser's name: nobody's on the machine."""

PORT: Final = 5432
"""A part of the socket's name."""

OTHER_USERS: Final = ("postgres", "nobody")
_RELEASES: Final = Path("/usr/lib/postgresql")
_STEP_S: Final = 0.02


def programs() -> Path | None:
    """The folder with the server's programs; None: it is not installed."""
    found = sorted(_RELEASES.glob("*/bin/postgres"), key=_release)
    return found[-1].parent if found else None


def _release(program: Path) -> int:
    name = program.parents[1].name
    return int(name) if name.isdecimal() else 0


class Cluster:
    """A cluster in ``folder``, which is made; it can be stopped, killed and started again. One that
    is a ``replica_of`` another one, which runs, follows that until it is promoted.

    Raises FileNotFoundError where PostgreSQL is not installed.
    """

    def __init__(
        self,
        folder: Path,
        *,
        syncs: bool,
        settings: Mapping[str, str] | None = None,
        replica_of: Cluster | None = None,
    ) -> None:
        found = programs()
        if found is None:
            raise FileNotFoundError(
                f"no PostgreSQL in {_RELEASES}: apt install --no-install-recommends postgresql"
            )
        self._programs = found
        self._syncs = syncs
        self._settings = dict(settings or {})
        self._user = _user()
        self._server: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "log"
        self._make_cluster(*(self._new() if replica_of is None else self._copied(replica_of)))

    def _new(self) -> list[str]:
        words = ["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C"]
        return [self._program("initdb"), *words, f"--username={SUPERUSER}", "--pgdata"]

    def _copied(self, other: Cluster) -> list[str]:
        words = ["--no-sync", "--checkpoint=fast", "--write-recovery-conf"]
        return [self._program("pg_basebackup"), *words, "--dbname", other.dsn(), "--pgdata"]

    def _make_cluster(self, *command: str) -> None:
        self.folder.mkdir(mode=0o700)
        if self._user:
            os.chown(self.folder, self._user["user"], self._user["group"])
        subprocess.run(
            [*command, str(self.data)],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self._user,
        )

    def dsn(self, database: str = "postgres", user: str = SUPERUSER) -> str:
        """How libpq reaches a database of it."""
        return f"host={self.folder} port={PORT} dbname={database} user={user}"

    def start(self) -> None:
        """Have it serve; it recovers first what a kill has left."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "port": str(PORT),
            "fsync": "on" if self._syncs else "off",
            "shared_buffers": "32MB",
            **self._settings,
        }
        chosen = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with self.log.open("ab") as log:
            self._server = subprocess.Popen(
                [self._program("postgres"), "-D", str(self.data), *chosen],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                process_group=0,
                **self._user,
            )
        self._guard = self._guarded(self._server.pid)
        self._until(self._ready)

    def _guarded(self, server: int) -> subprocess.Popen[bytes]:
        """A shell that waits for the end of this process, and then ends the server."""
        return subprocess.Popen(
            ["/bin/sh", "-c", f"read nothing; kill -QUIT {server}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
            **self._user,
        )

    def _unguard(self) -> None:
        if self._guard is not None:
            self._guard.kill()
            self._guard.communicate()
            self._guard = None

    def stop(self) -> None:
        """End it in order; whoever is connected is hung up on."""
        self._end_server(signal.SIGINT)

    def kill(self) -> None:
        """All its processes are gone at once, as when the machine's power is."""
        server = self._running()
        self._unguard()
        server.send_signal(signal.SIGSTOP)  # it starts no other meanwhile
        others = children(server.pid)
        server.kill()
        server.wait()
        for process in others:
            _kill(process)
        self._server = None
        self._until(lambda: not any(lives(process) for process in others))

    def close(self) -> None:
        """End it, and remove all that it has."""
        if self._server is not None:
            self._end_server(signal.SIGQUIT)  # nothing of it is wanted
        shutil.rmtree(self.folder)

    def _program(self, name: str) -> str:
        return str(self._programs / name)

    def _end_server(self, how: signal.Signals) -> None:
        server = self._running()
        self._unguard()
        others = children(server.pid)
        server.send_signal(how)
        server.wait(PATIENCE_S)
        self._server = None
        self._until(lambda: not any(lives(process) for process in others))

    def _running(self) -> subprocess.Popen[bytes]:
        if self._server is None:
            raise ValueError(f"the cluster in {self.folder} does not run")
        return self._server

    def _ready(self) -> bool:
        if self._running().poll() is not None:
            said = self.log.read_text(encoding="utf-8", errors="replace")
            raise ChildProcessError(f"PostgreSQL does not start in {self.folder}:\n{said}")
        asked = [self._program("pg_isready"), "-q", "-h", str(self.folder), "-p", str(PORT)]
        return subprocess.run(asked, check=False).returncode == 0

    def _until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not true():
            if time.monotonic() > end:
                said = self.log.read_text(encoding="utf-8", errors="replace")
                raise TimeoutError(f"PostgreSQL in {self.folder} took too long:\n{said}")
            threading.Event().wait(_STEP_S)


def _user() -> dict[str, Any]:
    """Who runs it, as subprocess takes it; empty where that is whoever asks."""
    if os.geteuid() != 0:
        return {}
    known = {account.pw_name: account for account in pwd.getpwall()}
    account = next(known[name] for name in OTHER_USERS if name in known)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return  # it ended by itself
