"""``make deb-check``: the packages of HEAD, built twice, and under Debian's own tools.

- Two builds have the same bytes.
- lintian says nothing, but for the overrides in ``debian/``, each with its reason there.
- autopkgtest runs ``debian/tests`` in a clean system: what was installed is as it says, and
  ``tablectl demo`` plays rounds with a draw and kills.
- piuparts installs and purges, and nothing is left. ``--thorough``: also over the version before,
  which is built for it.

Two at a time, for most of each waits for one core.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from appliance.build import as_they_lie, build, commit
from appliance.releases import FOLDER, RELEASES, WHEEL_PLATFORMS, Release
from appliance.runners import autopkgtest, missing, piuparts
from appliance.trial.packages import VERSIONS, of_a_box, packages
from hil_tests.benches.vm.places import CannotBuild, run

AT_ONCE = 2


def same(release: Release, arch: str, source: Callable[[Path], None]) -> Path:
    """Build twice; the folder of one. Raises :class:`CannotBuild` where they differ."""
    folders = [FOLDER / "checked" / name for name in ("one", "two")]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda folder: build(release, arch, folder, source), folders))
    for one in sorted(folders[0].glob("*.deb")):
        if one.read_bytes() != (folders[1] / one.name).read_bytes():
            raise CannotBuild(f"two builds differ: diffoscope {one} {folders[1] / one.name}")
    return folders[0]


def spotless(folder: Path) -> str:
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
    return "lintian says nothing"


def tested(made: list[Path], release: Release, arch: str) -> str:
    """Have autopkgtest run the packages' tests; raises :class:`CannotBuild`, or tells."""
    where = f"autopkgtest in a clean Debian {release.number}, {arch}"
    return "\n".join(f"{where}: {line}" for line in autopkgtest(made, release, arch).splitlines())


def purged(made: list[Path], release: Release, arch: str, *, thorough: bool) -> str:
    """Have piuparts install and purge them; raises :class:`CannotBuild`, or tells."""
    piuparts(made, release, arch)
    over = ""
    if thorough:
        before = packages(release, arch, VERSIONS[:1])[VERSIONS[0]]
        piuparts([package for package in made if of_a_box(package)], release, arch, before)
        over = f", and over {VERSIONS[0]}"
    return f"piuparts: installed{over} and purged, nothing is left"


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

    def print_timed(what: str) -> None:
        print(f"deb-check: {what}, {time.monotonic() - begun:.0f} s", flush=True)

    try:
        missing()
        folder = same(release, options.arch, as_they_lie if options.tree else commit)
        print_timed("two builds have the same bytes")
        made = sorted(folder.glob("*.deb"))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            trials = [
                pool.submit(spotless, folder),
                pool.submit(tested, made, release, options.arch),
                pool.submit(purged, made, release, options.arch, thorough=options.thorough),
            ]
            for done in as_completed(trials):
                for line in done.result().splitlines():
                    print_timed(line)
    except CannotBuild as error:
        print(f"deb-check: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
