"""``make deb-check``: the packages of HEAD, built twice, by lintian, and in a clean system.

- Two builds have the same bytes.
- lintian says nothing, but for the overrides in ``debian/``, each with its reason there.
- In a clean system without a network they install, ``tablectl demo`` plays rounds with a draw and
  kills (as ``debian/tests``), and a purge leaves nothing where there was no evidence.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from appliance.build import as_they_lie, build, commit
from appliance.chroot import copied, inside, system
from appliance.places import FOLDER, CannotBuild, run
from appliance.releases import RELEASES, WHEEL_PLATFORMS, Release

BOX: Final = ("ca-certificates", "python3", "systemd", "udev")
"""What is on every Debian that boots, and what that Debian's installer adds."""

DEVICES: Final = """\
mount -t tmpfs tmpfs /dev
mkdir /dev/pts /dev/shm
mknod -m 666 /dev/null c 1 3
mknod -m 666 /dev/zero c 1 5
mknod -m 666 /dev/random c 1 8
mknod -m 666 /dev/urandom c 1 9
mknod -m 666 /dev/tty c 5 0
ln -s pts/ptmx /dev/ptmx
ln -s /proc/self/fd /dev/fd
mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
"""
TRIED: Final = """\
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
cp /packages/*.deb /tmp
apt-get install --yes --quiet /tmp/*.deb </dev/null >/tmp/said 2>&1 ||
    { cat /tmp/said >&2; exit 1; }
sh /tests/a-round
dpkg --purge table-controller-demo table-controller >/dev/null
left=$(ls -d /usr/lib/table-controller* /var/lib/table-controller* /etc/table-controller* \
    /etc/credstore.encrypted/* /etc/systemd/system/table-controller* 2>/dev/null || true)
[ -z "$left" ] || { echo "a purge has left $left" >&2; exit 1; }
"""


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


def plays(folder: Path, release: Release, arch: str) -> str:
    """Install, play and purge in a clean system; what was said. Raises :class:`CannotBuild`."""
    place = FOLDER / "checked" / "system"
    root = copied(system(release, arch, BOX), place)
    tests = Path(__file__).resolve().parents[1] / "debian" / "tests"
    try:
        return inside(
            root,
            DEVICES + TRIED,
            what=f"the packages in a clean Debian {release.number}",
            binds={folder: "/packages", tests: "/tests"},
        )
    finally:
        shutil.rmtree(place)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="appliance.check", description="Check the packages")
    parser.add_argument("--release", choices=RELEASES, default="bookworm")
    parser.add_argument("--arch", choices=WHEEL_PLATFORMS, default="amd64")
    parser.add_argument("--tree", action="store_true", help="the files as they lie, not HEAD")
    options = parser.parse_args()
    release = RELEASES[options.release]
    begun = time.monotonic()

    def told(what: str) -> None:
        print(f"deb-check: {what}, {time.monotonic() - begun:.0f} s", flush=True)

    try:
        folder = same(release, options.arch, as_they_lie if options.tree else commit)
        told("two builds have the same bytes")
        spotless(folder)
        told("lintian says nothing")
        said = plays(folder, release, options.arch)
        print("\n".join(f"    {line}" for line in said.splitlines()[-2:]))
        told(f"installed, played and purged in a clean Debian {release.number}, {options.arch}")
    except CannotBuild as error:
        print(f"deb-check: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
