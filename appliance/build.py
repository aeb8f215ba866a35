"""``make deb``: ``python -m appliance.build [--release NAME] [--arch ARCH] [--to DIR]``.

- What is built is the commit ``HEAD``, not the files as they lie: the same commit gives the same
  bytes. ``--tree`` builds the files as they lie, for a try.
- Its maintainer is whoever builds it (:func:`maintainer`).
- The files that locks name are fetched for another machine than this one, each by its hash, once
  for each state of the locks: kept in ``build/deb`` under the name of what they are.
- A new entry of ``debian/changelog`` has the version for the release, dated as the commit.
- In DIR are then the packages, their ``.buildinfo`` and ``.changes``, and bills of materials.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Final

from appliance.chroot import copied, inside, runs, system
from appliance.releases import FOLDER, RELEASES, WHEEL_PLATFORMS, Release
from hil_tests.benches.vm.places import ROOT, CannotBuild, digest, made, run

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
    return made(FOLDER / f"{name}-{digest(parts)}", fetch, instead=f"{name}-*")


BUILD: Final = """\
export LC_ALL=C.UTF-8 HOME=/tmp SOURCE_DATE_EPOCH={epoch} TZ=UTC DEB_BUILD_OPTIONS=nocheck
umask 022
cd /build/table-controller
chmod -R go-w,a+rX .
dpkg-buildpackage --build=binary --unsigned-source --unsigned-changes
"""


STANDS_FOR_HIM: Final = "Whoever builds it <builder@localhost>"
"""What ``debian/control`` and ``debian/changelog`` have in his place."""
ADDRESS: Final = re.compile(r"[^<>@\s]+@[^<>@\s]+\.[^<>@\s.]+")
NOWHERE: Final = (".invalid", ".example", ".test", ".localhost", "example.com", "example.org")
"""Ends of addresses that nobody can have (RFC 2606)."""


def maintainer(environment: Mapping[str, str] = os.environ, checkout: Path = ROOT) -> str:
    """``NAME <ADDRESS>``.

    Raises:
        CannotBuild: only one of the two is given, or the address is none.
    """
    given = [environment.get(name, "") for name in ("DEBFULLNAME", "DEBEMAIL")]
    if any(given) and not all(given):
        raise CannotBuild("give both: DEBFULLNAME='Ann Tan' DEBEMAIL=ann@house.sg make deb")
    if not any(given):
        told = run("git", "log", "-1", "--format=%cn%n%ce", what="who made it", cwd=checkout)
        given = told.splitlines()[:2]
    name, address = given
    if not ADDRESS.fullmatch(address) or re.search(r"[<>\n]", name):
        raise CannotBuild(f"{name} <{address}> is no address: set DEBFULLNAME and DEBEMAIL")
    return f"{name} <{address}>"


def sign(tree: Path, who: str) -> None:
    """Write him into the source in ``tree``; a word to standard error where no mail would reach
    him.

    Raises:
        CannotBuild: the source names somebody else.
    """
    if who.rstrip(">").endswith(NOWHERE):
        print(
            f"deb: the package's maintainer is {who}, whom no mail reaches; in a house: "
            "DEBFULLNAME='Ann Tan' DEBEMAIL=ann@house.sg make deb",
            file=sys.stderr,
        )
    for name in ("control", "changelog"):
        file = tree / "debian" / name
        text = file.read_text(encoding="utf-8")
        if STANDS_FOR_HIM not in text:
            raise CannotBuild(f"debian/{name}: expected {STANDS_FOR_HIM!r} as the maintainer")
        file.write_text(text.replace(STANDS_FOR_HIM, who), encoding="utf-8")


def commit(tree: Path, name: str = "HEAD", *paths: str) -> None:
    """Write the files of a commit, or those of its ``paths``, into the folder ``tree``."""
    archive = subprocess.run(
        ["git", "archive", name, *paths], cwd=ROOT, check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "-x", "-C", tree], input=archive, check=True)


def as_they_lie(tree: Path) -> None:
    """Write the files of the checkout as they lie into the folder ``tree``."""
    files = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", what="git")
    for name in filter(None, files.split("\0")):
        if (ROOT / name).is_file() or (ROOT / name).is_symlink():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name, follow_symlinks=False)


def build(
    release: Release, arch: str, to: Path, source: Callable[[Path], None] = commit
) -> list[Path]:
    """Build the packages into the folder ``to``; their paths. ``source`` writes what is built.

    Raises:
        CannotBuild: a tool is missing or has failed, or programs of ``arch`` do not run here.
    """
    if os.geteuid() != 0:
        raise CannotBuild("a package is built by root: its clean system is a root of its own")
    runs(arch)
    epoch = int(run("git", "log", "-1", "--format=%ct", what="the commit's date"))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER, prefix="build-") as name:
        place = Path(name) / "build"
        tree = place / "table-controller"
        tree.mkdir(parents=True)
        source(tree)
        sign(tree, maintainer())
        _new_entry(tree / "debian" / "changelog", release, epoch)
        root = copied(system(release, arch), Path(name) / "root")
        inside(
            root,
            BUILD.format(epoch=epoch),
            what=f"the package for Debian {release.number}, {arch}",
            binds={place: "/build", wheels(release, arch): "/wheels"},
        )
        to.mkdir(parents=True, exist_ok=True)
        made = [path for path in sorted(place.iterdir()) if path.is_file()]
        bills = [_bill(tree, package, to) for package in place.glob("*.deb")]
        return [Path(shutil.copy2(path, to)) for path in made] + [one for one in bills if one]


def _bill(tree: Path, package: Path, to: Path) -> Path | None:
    """The bill of materials of what was built in ``tree``, where it has one, copied to ``to``."""
    name = package.name.partition("_")[0]
    bill = tree / "debian" / name / "usr/share/doc" / name / "bom.json"
    return Path(shutil.copyfile(bill, to / f"{package.stem}.bom.json")) if bill.exists() else None


def _new_entry(changelog: Path, release: Release, epoch: int) -> None:
    """The newest entry, for this release and of the commit's date."""
    text = changelog.read_text(encoding="utf-8")
    first, rest = text.split("\n", 1)
    told = re.fullmatch(r"(\S+) \((\S+)\) \S+; (.+)", first)
    if told is None:
        raise CannotBuild(f"debian/changelog begins {first!r}: expected 'NAME (VERSION) DIST; ...'")
    name, version, urgency = told.groups()
    date = format_datetime(datetime.fromtimestamp(epoch, UTC))
    rest = re.sub(r"(?m)^( -- .*>  ).*$", lambda found: found[1] + date, rest, count=1)
    line = f"{name} ({release.version(version)}) {release.name}; {urgency}"
    changelog.write_text(f"{line}\n{rest}", encoding="utf-8")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="appliance.build", description="Build the packages")
    parser.add_argument("--release", choices=RELEASES, default="bookworm")
    parser.add_argument("--arch", choices=WHEEL_PLATFORMS, default="amd64")
    parser.add_argument("--to", metavar="DIR", type=Path, default=FOLDER / "out")
    parser.add_argument("--tree", action="store_true", help="the files as they lie, not HEAD")
    options = parser.parse_args()
    source = as_they_lie if options.tree else commit
    try:
        made = build(RELEASES[options.release], options.arch, options.to, source)
    except CannotBuild as error:
        print(f"deb: {error}", file=sys.stderr)
        return 1
    for path in made:
        print(f"deb: {path.name} {path.stat().st_size:,} bytes, in {path.parent}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
