"""The files that locks name, fetched for another machine than this one, each by its hash.

Fetched once for each state of the locks: kept in ``build/deb`` under the name of what they are.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from appliance.places import FOLDER, ROOT, digest, ensure_folder, run
from appliance.releases import WHEEL_PLATFORMS, Release

LOCKS: Final = tuple(
    ROOT / "appliance" / f"{name}.lock" for name in ("runtime", "floor", "console", "build-tools")
)
"""What the packages are made of."""


def wheels(release: Release, arch: str, locks: tuple[Path, ...] = LOCKS) -> Path:
    """The folder with what the locks name."""

    def fetch(folder: Path) -> None:
        for lock in locks:
            run(
                *(sys.executable, "-m", "pip", "download", "--quiet"),
                *("--disable-pip-version-check", "--require-hashes", "--no-deps"),
                *("--only-binary", ":all:", "--python-version", release.python),
                *(word for name in WHEEL_PLATFORMS[arch] for word in ("--platform", name)),
                *("--dest", folder, "--requirement", lock),
                what=f"the wheels that {lock.name} names",
            )

    parts = [lock.read_bytes() for lock in locks] + [release.python.encode(), arch.encode()]
    name = f"wheels-{release.name}-{arch}-{locks[0].stem}"
    return ensure_folder(FOLDER / f"{name}-{digest(parts)}", fetch, instead=f"{name}-*")
