"""``make releases``: the README's two commands on a bare Debian of each release.

- As by somebody who has just cloned: an ordinary user, the release's own Python and SQLite, and of
  packages apt and what the README names, with what these bring: no ``mount``, and on Debian 12
  neither ``tzdata`` nor ``/etc/hosts``. What a test needs besides is not there; pytest names it.
- The clone is of HEAD, and new each time; ``--again`` goes on in the one of the last run, for
  pytest's ``--last-failed``.
- No network: the files that the lock names are fetched here, and pip finds them there.
- Mounts, processes and network are in name spaces of their own and go with the run.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from appliance.build import wheels
from appliance.chroot import ENVIRONMENT, copied, system
from appliance.releases import FOLDER, RELEASES, Release
from appliance.runners import DEVICES, LOOPBACK
from hil_tests.benches.vm.places import ROOT, CannotBuild, run

NAMED: Final = ("make", "python3", "python3-venv")
"""What the README asks for."""

BARE: Final = "apt"
"""Of mmdebstrap's variants the one with the least that apt works in."""

ARCH: Final = "amd64"
USER: Final = 1000
CLONE: Final = "home/dealer/table-controller"
"""The user's, and where it lies in the system."""
LINES: Final = {
    "etc/passwd": f"dealer:x:{USER}:{USER}::/home/dealer:/bin/sh\n",
    "etc/group": f"dealer:x:{USER}:\n",
}

AS_USER: Final = f"setpriv --reuid={USER} --regid={USER} --clear-groups"


def plain(release: Release, *, again: bool) -> Path:
    """The tree of the system with the user and the clone in it."""
    tree = FOLDER / f"readme-{release.name}"
    if again and (tree / CLONE).is_dir():
        return tree
    copied(system(release, ARCH, NAMED, BARE), tree)
    clone = tree / CLONE
    for file, line in LINES.items():  # useradd is not there
        with (tree / file).open("a", encoding="ascii") as lines:
            lines.write(line)
    clone.parent.mkdir()
    run("git", "clone", "--quiet", "--no-hardlinks", ROOT, clone, what="the clone")
    run("chown", "--recursive", f"{USER}:{USER}", clone.parent, what="the clone")
    return tree


def commands(release: Release, tree: Path, pytest: str, *, again: bool) -> bool:
    """Run both in the tree, or the tests ``again``; say how long each took. Whether all is well."""
    found = wheels(release, ARCH, (ROOT / "requirements.lock",))
    both = (["make", "demo"], ["make", "test", f"ARGS={pytest}"])
    return all(_command(release, tree, found, words) for words in both[again:])


def _command(release: Release, tree: Path, found: Path, words: list[str]) -> bool:
    name = f"Debian {release.number}: {' '.join(words[:2])}"
    print(f"== {name}", flush=True)
    begun = time.monotonic()
    place = tree / "wheels"
    place.mkdir(exist_ok=True)
    inner = f"{LOOPBACK}cd /{CLONE}; exec {AS_USER} env HOME=/home/dealer " + shlex.join(
        ["PIP_NO_INDEX=1", "PIP_FIND_LINKS=/wheels", *words]
    )
    outer = (
        f"{DEVICES.format(tree=tree)}; mount -t sysfs sysfs {tree}/sys; "
        f"mount --bind {found} {place}; "
        f'exec env --ignore-environment {ENVIRONMENT} chroot {tree} /bin/sh -ec "$0"'
    )
    done = subprocess.run(
        [
            *("unshare", "--mount", "--net", "--pid", "--fork", "--uts", "--ipc"),
            *("sh", "-ec", outer, inner),
        ],
        stdin=subprocess.DEVNULL,
        check=False,
    )
    seconds = time.monotonic() - begun
    print(f"== {name}: exit {done.returncode}, {seconds:.0f} s", flush=True)
    return done.returncode == 0


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="appliance.readme", description="The README's commands")
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help=", ".join(RELEASES))
    parser.add_argument("--again", action="store_true", help="the tests, where they failed")
    parser.add_argument("--pytest", metavar="ARGS", default="", help="handed on to make test")
    options = parser.parse_args()
    try:
        if os.geteuid() != 0:
            raise CannotBuild("a clean system is made by root; who works in it is not")
        wanted = options.releases or [*RELEASES]
        if unknown := {*wanted} - RELEASES.keys():
            raise CannotBuild(f"{', '.join(unknown)}: expected {', '.join(RELEASES)}")
        failed = 0
        for name in wanted:
            tree = plain(RELEASES[name], again=options.again)
            if commands(RELEASES[name], tree, options.pytest, again=options.again):
                shutil.rmtree(tree)
            else:
                failed += 1
    except CannotBuild as error:
        print(f"releases: {error}", file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
