"""What tests need that a machine may lack, how it is seen, and what brings it.

A test names it with ``@pytest.mark.needs("spin")``. A name that does not stand here ends the
run: whoever reads that something is missing is told what would install it.
"""

from __future__ import annotations

import os
import resource
import shutil
import socket
from collections.abc import Callable
from ctypes import CDLL
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from appliance.torchwood import PROGRAMS
from hil_tests.postgresql import programs
from tests.floor.proxy import nginx


def _root() -> bool:
    return os.geteuid() == 0


def _root_by_key() -> bool:
    """sshd lets nobody in whose password is locked, not even by key."""
    if not _root():
        return False
    root = Path("/etc/shadow").read_text(encoding="ascii", errors="replace").partition("root:")[2]
    return not root.startswith("!")


def _cores() -> bool:
    """A process here may leave a core: no limit forbids it, and the kernel has a place for it."""
    pattern = Path("/proc/sys/kernel/core_pattern").read_text(encoding="ascii").strip()
    return resource.getrlimit(resource.RLIMIT_CORE)[1] != 0 and pattern != ""


@dataclass(frozen=True, slots=True)
class Need:
    """Debian's ``packages`` with it, or what else ``brings`` it; ``there`` sees it where it is no
    program on the path."""

    packages: str = ""
    brings: str = ""
    there: Callable[[], bool] | None = None

    @property
    def remedy(self) -> str:
        """What somebody can do who wants these tests run."""
        return self.brings or f"apt install --no-install-recommends {self.packages}"


def _localhost() -> bool:
    """A system that no installer has made may have no file of hosts."""
    try:
        return bool(socket.getaddrinfo("localhost", None))
    except socket.gaierror:
        return False


def _numba() -> bool:
    return find_spec("numba") is not None


def _pango() -> bool:
    try:
        CDLL("libpangoft2-1.0.so.0")  # with it comes the other
    except OSError:
        return False
    return True


def _torchwood() -> bool:
    return (PROGRAMS / "litewitness").exists() or shutil.which("litewitness") is not None


def _postgresql() -> bool:
    return programs() is not None


_BY_ROOT: Final = "run 'make test' as root, on a machine of your own"

NEEDS: Final = {
    "cc": Need("gcc libc6-dev"),
    "chromium": Need("chromium chromium-headless-shell fonts-wqy-microhei"),
    "cores": Need(brings="'ulimit -c unlimited', and a kernel.core_pattern", there=_cores),
    "gcc": Need("gcc libc6-dev"),
    "git": Need("git"),
    "groff": Need("groff-base"),
    "localhost": Need(brings="'127.0.0.1 localhost' in /etc/hosts", there=_localhost),
    "mount": Need("mount"),
    "nginx": Need("nginx", there=lambda: nginx() is not None),
    "node": Need("nodejs"),
    "numba": Need(brings="pip install -e '.[figures]'", there=_numba),
    "pango": Need("libpango-1.0-0 libpangoft2-1.0-0", there=_pango),
    "postgresql": Need("postgresql", there=_postgresql),
    "promtool": Need("prometheus"),
    "root": Need(brings=_BY_ROOT, there=_root),
    "root by key": Need(brings=f"{_BY_ROOT}, whose password is not locked", there=_root_by_key),
    "setpriv": Need("util-linux"),
    "spin": Need("spin"),
    "ssh": Need("openssh-client"),
    "ssh-agent": Need("openssh-client"),
    "ssh-keygen": Need("openssh-client"),
    "sshd": Need("openssh-server"),
    "swtpm": Need("swtpm"),
    "systemd-analyze": Need("systemd"),
    "systemd-creds": Need("systemd"),
    "torchwood": Need(brings="make torchwood, or Debian's package torchwood", there=_torchwood),
    "tpm2_shutdown": Need("tpm2-tools"),
    "tshark": Need("tshark"),
}


@cache
def available(name: str) -> bool:
    """Whether this machine has what a test calls ``name``."""
    there = NEEDS[name].there
    return there() if there is not None else shutil.which(name) is not None
