"""``python -m hil_tests.benches.table.service FOLDER VERB [CONFIG]``: a service without systemd.

For a bench whose machine has none: a bench's file names these commands. ``start`` returns when the
controller says that it is ready, ``stop`` and ``kill`` when it has ended, ``exit-status`` prints
how it ended. FOLDER keeps the process id, the log and the status, and ``watched``, which is locked
while the service runs. A bench says one verb behind the other.

Where FOLDER has a file ``boots``, its machine is one that keeps its power and only plays at
losing it: the number in the file counts its boots, and ``boot-id`` beside it has the present one's
name, for the daemon (:mod:`hil_tests.bench.rebooted_daemon`) and for the bench. To cut the
power: kill, count one on, start.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

START_S: Final = 30.0
BOOTS: Final = "boots"
BOOT_ID: Final = "boot-id"
SIGNALS: Final = {"stop": signal.SIGTERM, "kill": signal.SIGKILL}


def start(folder: Path, config: str) -> int:
    """Start it, watched over by a process of its own that notes its end."""
    watched = _watched(folder)
    try:
        fcntl.flock(watched, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:  # it runs
        os.close(watched)
        return 0
    for name in ("pid", "status", "notify"):
        (folder / name).unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
        notified.bind(os.fspath(folder / "notify"))
        notified.settimeout(START_S)
        if os.fork() == 0:
            os.setsid()
            notified.close()
            _watch_over(folder, config)
        os.close(watched)  # the lock is the other's alone
        try:
            while b"READY=1" not in notified.recv(4096):
                pass
        except TimeoutError:
            return 1
    return 0


def _watch_over(folder: Path, config: str) -> None:
    """Holds the lock until the end of the service is noted."""
    silent = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(silent, fd)
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *_daemon(folder), "--config", config],
            env={**os.environ, "NOTIFY_SOCKET": os.fspath(folder / "notify")},
            stdout=log,
            stderr=log,
        )
    (folder / "pid").write_text(str(process.pid), encoding="ascii")
    status = process.wait()
    (folder / "status").write_text(str(status), encoding="ascii")
    os._exit(0)


def _daemon(folder: Path) -> list[str]:
    boots = folder / BOOTS
    if not boots.exists():
        return ["controller.daemon.main"]
    return [
        "hil_tests.bench.rebooted_daemon",
        str(folder / BOOT_ID),
        boots.read_text(encoding="ascii"),
    ]


def end_service(folder: Path, number: signal.Signals) -> int:
    """End it, if it runs; returns when it has ended, and its status is noted."""
    watched = _watched(folder)
    try:
        fcntl.flock(watched, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        with contextlib.suppress(ProcessLookupError):  # it has ended, and that is being noted
            os.kill(int((folder / "pid").read_text(encoding="ascii")), number)
        fcntl.flock(watched, fcntl.LOCK_SH)
    finally:
        os.close(watched)
    return 0


def _watched(folder: Path) -> int:
    """The file that is locked by whoever watches over the service."""
    return os.open(folder / "watched", os.O_RDWR | os.O_CREAT, 0o600)


def main(arguments: list[str]) -> int:
    """One verb."""
    folder, verb, *config = arguments
    if verb == "start":
        return start(Path(folder), *config)
    if verb == "exit-status":
        sys.stdout.write((Path(folder) / "status").read_text(encoding="ascii"))
        return 0
    return end_service(Path(folder), SIGNALS[verb])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
