"""The source as it is now, as a disk that can only be read: an edit needs no new image.

What a machine uses is on it, and so is what Python makes of that where the host has the Python of
the machine, as the installation has it (`compileall`). Tests, rig and documents are not: an edit
there must not cost a boot.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from hil_tests.benches.vm.places import ROOT, digest, run

SOURCE = "/opt/table-controller"
SPARE_MB = 8
MACHINE_PYTHON = (3, 11)
COMPILED = ("controller", "drivers")
USED = (*COMPILED, "config", "systemd", "pyproject.toml", "hil_tests/benches/vm/agent.py")


def files() -> list[Path]:
    """The files that are used, tracked or new, relative to the checkout."""
    told = run(
        *("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *USED),
        what="the files of the checkout",
    )
    names = sorted(name for name in told.split("\0") if name)
    return [Path(name) for name in names if (ROOT / name).is_file()]


def checkout_digest() -> str:
    """A name for the source as it is now."""
    return digest(
        part for path in files() for part in (str(path).encode(), (ROOT / path).read_bytes())
    )


def make_disk(disk: Path) -> None:
    """Write the source to the disk's file ``disk``."""
    tree = disk.with_suffix(".tree")
    size = 0
    for path in files():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, tree / path)
        size += (ROOT / path).stat().st_size + 4096
    (tree / ".venv").mkdir()  # where the machine's own is bound to
    if sys.version_info[:2] == MACHINE_PYTHON:
        run(
            *(sys.executable, "-m", "compileall", "-q", "-s", tree, "-p", SOURCE),
            *(tree / name for name in COMPILED),
            what="the compiled source",
        )
    size_mb = 2 * size // (1 << 20) + SPARE_MB
    run("truncate", "--size", f"{size_mb}M", disk, what="the source's disk")
    run(
        *("mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-m", "0", "-d", tree, disk),
        what="the source's disk",
    )
    shutil.rmtree(tree)
