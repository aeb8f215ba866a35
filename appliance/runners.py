"""The packages under Debian's own runners: autopkgtest plays ``debian/tests``, piuparts the rest.

- Each runs in a copy of a clean system, with no network but a loopback: what a package needs lies
  in it, or there.
- autopkgtest's bed is a plain folder, so that it needs neither a container nor a boot. It is given
  the tests alone: a folder with a ``debian/control`` would have it look for a compiler.
- piuparts fails for any file that a purge leaves, is overwritten, or leads nowhere. What is
  evidence stays at a purge, but a table that never was has none.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from appliance.chroot import ENVIRONMENT, copied, inside, system
from appliance.releases import FOLDER, Release
from hil_tests.benches.vm.places import ROOT, CannotBuild, run

BOX: Final = ("apt-utils", "ca-certificates", "python3", "systemd", "udev")
"""What is on every Debian that boots, what that Debian's installer adds, and autopkgtest's need."""

TOOLS: Final = ("autopkgtest", "lintian", "piuparts")
"""Programs, and the packages that have them."""

DEVICES: Final = """\
(
cd "{tree}"
mount -t proc proc proc
mount -t tmpfs tmpfs dev
mkdir dev/pts dev/shm
mknod -m 666 dev/null c 1 3
mknod -m 666 dev/zero c 1 5
mknod -m 666 dev/full c 1 7
mknod -m 666 dev/random c 1 8
mknod -m 666 dev/urandom c 1 9
mknod -m 666 dev/tty c 5 0
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs tmpfs dev/shm
)"""
"""What a system has under /dev and /proc, from outside it: a bare one has no program for it."""

LOOPBACK: Final = """\
python3 -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 1))'
"""
"""SIOCSIFFLAGS with IFF_UP (netdevice(7)): the name space has a loopback that is down."""

OF_OTHERS: Final = ("/var/cache/debconf/tmp.ci/",)
"""What apt-utils leaves when it has asked any package for its questions."""


def missing(tools: tuple[str, ...] = TOOLS) -> None:
    """Raise :class:`CannotBuild` with what is to be installed, where something is."""
    names = [name for name in tools if shutil.which(name) is None]
    if names:
        wanted = " ".join(names)
        raise CannotBuild(f"not installed: 'apt install --no-install-recommends {wanted}'")


def autopkgtest(packages: list[Path], release: Release, arch: str) -> str:
    """Run ``debian/tests`` on the packages; its summary. Raises :class:`CannotBuild`."""
    what = f"autopkgtest in a clean Debian {release.number}, {arch}"
    with _system(release, arch) as root, tempfile.TemporaryDirectory(dir=FOLDER) as name:
        tests = Path(name) / "table-controller"
        shutil.copytree(ROOT / "debian" / "tests", tests / "debian" / "tests")
        summary = Path(name) / "summary"
        _with_no_network(
            *("autopkgtest", "--summary-file", summary, "--no-built-binaries"),
            *packages,
            *(f"{tests}/", "--", "chroot", root),
            what=what,
            first=DEVICES.format(tree=root),
        )
        told = summary.read_text("utf-8").strip()
    if "PASS" not in told:  # a test that every bed leaves out has shown nothing
        raise CannotBuild(f"{what}: no test was run: {told}")
    return told


def piuparts(
    packages: list[Path], release: Release, arch: str, before: list[Path] | None = None
) -> None:
    """Install and purge the packages; with those of the version ``before``, upgrade them, too.

    Raises:
        CannotBuild: with what piuparts found.
    """
    options: list[str | Path] = ["--no-upgrade-test"]
    if before:
        options = ["--bindmount", before[0].parent]
    with _system(release, arch) as root, tempfile.TemporaryDirectory(dir=FOLDER) as name:
        if before:
            _archive(root, before[0].parent)
        log = Path(name) / "log"
        try:
            _with_no_network(
                *("piuparts", "--existing-chroot", root, "--keep-sources-list"),
                *("--distribution", release.name, "--arch", arch, "--tmpdir", name),
                *(word for file in OF_OTHERS for word in ("--ignore", file)),
                *("--log-file", log),
                *options,
                *packages,
                what=f"piuparts in a clean Debian {release.number}, {arch}",
            )
        except CannotBuild as error:
            found = what_piuparts_found(log.read_text("utf-8")) if log.exists() else ""
            raise CannotBuild(f"{error.args[0].splitlines()[0]}\n{found}") from error


def what_piuparts_found(log: str) -> str:
    """The errors in its log, each with the lines that belong to it; else how the log ends."""
    lines, found, belongs = log.splitlines(), [], False
    for line in lines:
        level = line.partition(" ")[2].partition(":")[0]
        if level in ("DEBUG", "DUMP", "INFO", "WARN", "ERROR"):
            belongs = level == "ERROR" and "piuparts run ends" not in line
        if belongs and line.strip():
            found.append(line)
    return "\n".join(found[:40] or lines[-15:])


def _archive(root: Path, folder: Path) -> None:
    """Have apt in the tree know the packages in ``folder``, at the same place there."""
    script = f'cd "{folder}"; apt-ftparchive packages . >Packages'
    inside(root, script, what="the version before", binds={folder: str(folder)})
    (root / "etc/apt/sources.list").write_text(f"deb [trusted=yes] file:{folder} ./\n", "utf-8")


@contextmanager
def _system(release: Release, arch: str) -> Iterator[Path]:
    """A copy of a clean system that knows no archive."""
    clean = system(release, arch, BOX)
    with tempfile.TemporaryDirectory(dir=FOLDER, prefix="checked-") as name:
        root = copied(clean, Path(name) / "root")
        (root / "etc/apt/sources.list").write_text("", "ascii")
        yield root


def _with_no_network(*command: str | Path, what: str, first: str = ":") -> None:
    """Run a tool of this machine after the script ``first``; its mounts go with it.

    Programs under test may speak to one another, as on any machine: the loopback is up.
    """
    script = f'{LOOPBACK}{first}; exec env --ignore-environment {ENVIRONMENT} "$@"'
    run(
        *("unshare", "--mount", "--mount-proc", "--net", "--pid", "--fork", "--uts"),
        *("sh", "-ec", script, "sh", *command),
        what=what,
    )
