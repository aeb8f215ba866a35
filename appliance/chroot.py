"""A clean system of a release, in which a package is built, with no network.

- Made once by mmdebstrap with what ``debian/control`` builds with, and kept as a tree; each build
  works in a copy of it, so that no build sees what another one has left.
- Debian's packages come from where the host has its own; another release than the host's from the
  same place.
- For another architecture the host's kernel is to run its programs (qemu-user, binfmt_misc).
- Mounts are in a name space of their own and go with the process, however it ends.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from appliance.releases import FOLDER, MACHINES, Release
from hil_tests.benches.vm.places import CannotBuild, digest, made, run

PACKAGES: Final = ("build-essential", "debhelper", "python3", "python3-pip", "python3-venv")

ENVIRONMENT: Final = "HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin"
"""Of what runs in a clean system."""


def system(
    release: Release,
    arch: str,
    packages: tuple[str, ...] = PACKAGES,
    variant: str = "minbase",
) -> Path:
    """The tree of such a system; made where it is not there. Needs root."""
    parts = [Path(__file__).read_bytes(), " ".join((variant, *packages)).encode()]
    name = f"system-{release.name}-{arch}"
    folder = made(
        FOLDER / f"{name}-{digest(parts)}",
        lambda folder: bootstrap(folder / "tree", release, arch, packages, variant=variant),
        instead=f"{name}-*",
        keep=3,
    )
    return folder / "tree"


def bootstrap(
    tree: Path,
    release: Release,
    arch: str,
    packages: tuple[str, ...],
    *hooks: str,
    variant: str = "minbase",
) -> None:
    """Make one at ``tree``; ``variant`` and ``hooks`` are options of mmdebstrap."""
    settings = tree.parent / "apt.conf"
    settings.write_text(run("apt-config", "dump", "Acquire", what="apt"), encoding="utf-8")
    run(
        *("unshare", "--mount", "mmdebstrap", "--mode=root", f"--variant={variant}"),
        *(f"--aptopt={settings}", '--aptopt=Acquire::Retries "5"'),
        *(
            "--skip=check/qemu",
            f"--architectures={arch}",
            f"--include={','.join(packages)}",
            *hooks,
        ),
        *(release.name, tree, f"deb {mirror()} {release.name} main"),
        what=f"Debian {release.number} for {arch}",
    )


def mirror() -> str:
    """Where the host has Debian from."""
    told = run(
        *("apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages"),
        what="apt",
    )
    places = [line.split()[1] for line in told.splitlines() if line.startswith("Debian ")]
    return next(
        (place for place in places if "security" not in place), "http://deb.debian.org/debian"
    )


def copied(tree: Path, to: Path) -> Path:
    """A copy of the tree, to be written to."""
    shutil.rmtree(to, ignore_errors=True)
    run("cp", "--archive", "--reflink=auto", tree, to, what="the clean system")
    return to


def inside(tree: Path, script: str, *, what: str, binds: dict[Path, str] | None = None) -> str:
    """Run a shell script in the tree, with no network, nothing of the host's environment, and
    folders of the host bound into it (host's path: the tree's); what it printed."""
    mounts = [f'mount -t proc proc "{tree}/proc"']
    for here, there in (binds or {}).items():
        place = tree / there.lstrip("/")
        place.mkdir(parents=True, exist_ok=True)
        mounts.append(f'mount --bind "{here}" "{place}"')
    mounts.append(f'exec env --ignore-environment {ENVIRONMENT} chroot "$0" /bin/sh -ec "$1"')
    return run(
        *("unshare", "--mount", "--net", "--pid", "--fork", "--uts", "sh", "-ec"),
        *("; ".join(mounts), tree, script),
        what=what,
    )


FORMATS: Final = Path("/proc/sys/fs/binfmt_misc")


def runs(arch: str, here: str | None = None, formats: Path = FORMATS) -> None:
    """Raise :class:`CannotBuild` with what is to be done, where programs of ``arch`` do not run on
    this machine, whose own architecture is ``here``."""
    own = here or run("dpkg", "--print-architecture", what="this machine's architecture").strip()
    if arch == own:
        return
    name = f"qemu-{MACHINES[arch]}"
    registered = formats / name
    if not registered.exists():
        mounted = (formats / "register").exists()
        mount = "" if mounted else f"mount -t binfmt_misc binfmt_misc {formats} && "
        raise CannotBuild(
            f"this machine does not run programs for {arch}. As root:\n"
            f"    apt install qemu-user-static\n"
            f"    {mount}grep '^:' /usr/lib/binfmt.d/{name}.conf >{formats}/register\n"
            "the second where no systemd has done it"
        )
    told = registered.read_text("utf-8").splitlines()
    flags = next((line.removeprefix("flags:") for line in told if line.startswith("flags:")), "")
    if "enabled" not in told:
        raise CannotBuild(f"{registered} is not enabled: 'echo 1 >{registered}' enables it")
    if "F" not in flags:
        raise CannotBuild(
            f"{registered} has no flag F: a clean system would look for its interpreter within.\n"
            f"'echo -1 >{registered}' removes it; /usr/lib/binfmt.d/{name}.conf registers it anew"
        )
