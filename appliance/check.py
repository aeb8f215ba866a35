"""``make deb-check``: the packages of HEAD, built twice, and under Debian's own tools.

- Two builds have the same bytes.
- lintian says nothing, but for the overrides in ``debian/``, each with its reason there.
- autopkgtest runs ``debian/tests`` in a clean system: what was installed is as it says, and
  ``tablectl demo`` plays rounds with a draw and kills.
- piuparts installs and purges, and nothing is left. ``--thorough``: also over the version before,
  which is built for it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from appliance.build import as_they_lie, build, commit
from appliance.places import FOLDER, CannotBuild, run
from appliance.releases import RELEASES, WHEEL_PLATFORMS, Release
from appliance.runners import autopkgtest, missing, piuparts
from appliance.trial.packages import VERSIONS, packages


def same(release: Release, arch: str, source: Callable[[Path], None]) -> Path:
    """Build twice; the folder of one. Raises :class:`CannotBuild` where they differ."""
    folders = [FOLDER / "checked" / name for name in ("one", "two")]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
        build(release, arch, folder, source)
    for one in sorted(folders[0].glob("*.deb")):
        if one.read_bytes() != (folders[1] / one.name).read_bytes():
            raise CannotBuild(f"two builds differ: diffoscope {one} {folders[1] / one.name}")
    return folders[0]


def spotless(folder: Path) -> None:
    """Have lintian look; raises :class:`CannotBuild` with what it says."""
    for changes in folder.glob("*.changes"):
        run(
            "lintian",
            "--no-cfg",
            "--allow-root",
            "--fail-on=error,warning",
            changes,
            what="lintian",
        )


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="appliance.check", description="Check the packages")
    parser.add_argument("--release", choices=RELEASES, default="bookworm")
    parser.add_argument("--arch", choices=WHEEL_PLATFORMS, default="amd64")
    parser.add_argument("--tree", action="store_true", help="the files as they lie, not HEAD")
    parser.add_argument("--thorough", action="store_true", help="upgrades too; some minutes more")
    options = parser.parse_args()
    release = RELEASES[options.release]
    begun = time.monotonic()

    def told(what: str) -> None:
        print(f"deb-check: {what}, {time.monotonic() - begun:.0f} s", flush=True)

    try:
        missing()
        folder = same(release, options.arch, as_they_lie if options.tree else commit)
        told("two builds have the same bytes")
        spotless(folder)
        told("lintian says nothing")
        made = sorted(folder.glob("*.deb"))
        for line in autopkgtest(made, release, options.arch).splitlines():
            told(f"autopkgtest in a clean Debian {release.number}, {options.arch}: {line}")
        before = None
        if options.thorough:
            before = packages(release, options.arch, VERSIONS[:1])[VERSIONS[0]]
            told(f"the version before, {VERSIONS[0]}, is built")
        piuparts(made, release, options.arch, before)
        told("piuparts: installed and purged, nothing is left")
    except CannotBuild as error:
        print(f"deb-check: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
