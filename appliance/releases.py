"""What a package is built for, releases of Debian and their architectures, and where it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hil_tests.benches.vm.places import ROOT

FOLDER: Final = ROOT / "build" / "deb"
"""Where packages and what they are made with are kept."""


@dataclass(frozen=True, slots=True)
class Release:
    """A release of Debian: ``python`` is its version of Python, ``number`` what stands behind the
    version of a package that was built for it."""

    name: str
    number: int
    python: str

    def version(self, source: str) -> str:
        """That of the package, of the version of its source; a later release's sorts higher."""
        return f"{source}+deb{self.number}"


RELEASES: Final = {
    release.name: release
    for release in (Release("bookworm", 12, "3.11"), Release("trixie", 13, "3.13"))
}

MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
"""Architectures, as Debian and as the kernel calls them."""

WHEEL_PLATFORMS: Final = {
    arch: tuple(
        f"{glibc}_{machine}" for glibc in ("manylinux_2_17", "manylinux2014", "manylinux_2_28")
    )
    for arch, machine in MACHINES.items()
}
"""As pip calls the machines of an architecture (PEP 600)."""
