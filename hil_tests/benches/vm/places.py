"""Where the virtual machine's bench keeps what it makes: under ``build/vm`` of the checkout.

- ``wheels-HASH``, ``image-HASH``: what is made once, named after what it is made of. Made beside
  and renamed, so that what is there is whole.
- ``base-HASH``: a machine that was booted and installed from the checkout as it was then.
- ``run-*``: one machine; gone when its bench is.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "build" / "vm"
HASH_CHARACTERS = 16


class CannotBuild(Exception):
    """What the bench is made of cannot be made here; the message says why and what helps."""


def digest(parts: Iterable[bytes]) -> str:
    """A name for what is made of ``parts``, in this order."""
    together = hashlib.sha256()
    for part in parts:
        together.update(len(part).to_bytes(8, "big") + part)
    return together.hexdigest()[:HASH_CHARACTERS]


def ensure_folder(
    folder: Path, make: Callable[[Path], None], *, instead: str, keep: int = 1
) -> Path:
    """``folder``, made by ``make`` in a folder beside it where it is not there.

    Of those of the pattern ``instead`` the ``keep`` newest stay, the others go. Of several
    processes that want the same at a time one makes it.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f".lock-{folder.name.split('-')[0]}").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _make_folder(folder, make)
            there = [path for path in folder.parent.glob(instead) if path != folder]
            there.sort(key=lambda path: path.stat().st_mtime, reverse=True)
            for old in there[keep - 1 :]:
                shutil.rmtree(old, ignore_errors=True)
    return folder


def _make_folder(folder: Path, make: Callable[[Path], None]) -> None:
    beside = folder.with_name(f".{folder.name}.{os.getpid()}")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    try:
        make(beside)
        beside.replace(folder)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def run(*command: str | Path, what: str, cwd: Path = ROOT) -> str:
    """Run a tool; what it printed. Raises :class:`CannotBuild` with the end of what it said."""
    try:
        done = subprocess.run(
            [os.fspath(word) for word in command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            cwd=cwd,
        )
    except FileNotFoundError as error:
        raise CannotBuild(f"{what}: {command[0]} is not installed; see docs/bench-vm.md") from error
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise CannotBuild(f"{what}: {command[0]} ended with {done.returncode}:\n{said}")
    return done.stdout
