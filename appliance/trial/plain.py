"""A plain Debian in the virtual machine: nothing of the project on it but the rig's agent.

The packages lie on the disk that is the checkout's on the bench (:mod:`hil_tests.benches.vm`), and
the agent with them, at :data:`MEDIUM`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from appliance.chroot import bootstrap
from appliance.releases import FOLDER, Release
from hil_tests.benches.vm import agent
from hil_tests.benches.vm.base import Base
from hil_tests.benches.vm.image import AGENT_UNIT, SOURCE, unwrapped
from hil_tests.benches.vm.machine import Parts
from hil_tests.benches.vm.places import digest, ensure_folder, run

PACKAGES: Final = (
    *("dbus", "iproute2", "kmod", "linux-image-amd64", "python3", "systemd-sysv", "udev"),
    *("ca-certificates", "zstd", "usbutils"),
)
MEDIUM: Final = "/media/bench"
DISK_MB: Final = 3072
FSTAB: Final = f"""\
LABEL=machine / ext4 errors=remount-ro 0 1
/dev/disk/by-id/virtio-checkout {MEDIUM} ext4 ro,nosuid,nodev 0 0
"""
MODULES: Final = ("virtio_pci", "virtio_blk", "ext4", "crc32c_generic", "crc32c_intel")


class PlainBase(Base):
    """Such a machine, with ``packages`` on its second disk; it boots."""

    def parts(self, folder: Path, state: Path, *, woken: bool, tpm: Path | None = None) -> Parts:
        """As the bench's."""
        return replace(super().parts(folder, state, woken=woken, tpm=tpm), saved=None)


def plain(release: Release, packages: Iterable[Path]) -> PlainBase:
    """The machine of a release, not booted."""
    parts = [Path(__file__).read_bytes(), AGENT_UNIT.encode(), release.name.encode()]
    name = f"plain-{release.name}"
    image = ensure_folder(
        FOLDER / f"{name}-{digest(parts)}",
        lambda folder: _make_system(folder, release),
        instead=f"{name}-*",
    )
    folder = FOLDER / f"trial-{release.name}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    _medium(folder, packages)
    run(
        *("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw"),
        *("-b", image / "disk.img", folder / "system.qcow2"),
        what="a layer of the system's disk",
    )
    return PlainBase(folder, image / "kernel", image / "initrd")


def _medium(folder: Path, packages: Iterable[Path]) -> None:
    tree = folder / "medium"
    tree.mkdir()
    for package in packages:
        shutil.copy(package, tree)
    shutil.copy(agent.__file__, tree / "agent.py")
    disk = folder / "checkout.img"
    run("truncate", "--size", "64M", disk, what="the medium")
    run("mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-d", tree, disk, what="the medium")


def _make_system(folder: Path, release: Release) -> None:
    tree = folder / "tree"
    modules = folder / "modules"
    modules.write_text("\n".join(MODULES) + "\n", encoding="ascii")
    there = '"$1/etc/initramfs-tools/conf.d" "$1/usr/share/initramfs-tools"'
    bootstrap(
        tree,
        release,
        "amd64",
        PACKAGES,
        f"--essential-hook=mkdir -p {there}",
        '--essential-hook=echo MODULES=list > "$1/etc/initramfs-tools/conf.d/machine"',
        f'--customize-hook=cp {modules} "$1/etc/initramfs-tools/modules"',
        '--customize-hook=chroot "$1" update-initramfs -u',
    )
    unit = AGENT_UNIT.replace(f"{SOURCE}/hil_tests/benches/vm/agent.py", f"{MEDIUM}/agent.py")
    for name, text in (
        ("etc/fstab", FSTAB),
        ("etc/hostname", "table\n"),
        ("etc/systemd/system/bench-agent.service", unit),
    ):
        (tree / name).write_text(text, encoding="ascii")
    (tree / MEDIUM.lstrip("/")).mkdir(parents=True)
    masked = "apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer"
    run("chroot", tree, "systemctl", "enable", "bench-agent.service", what="the agent")
    run("chroot", tree, "systemctl", "mask", *masked.split(), what="the agent")
    [kernel] = (tree / "boot").glob("vmlinuz-*")
    [initrd] = (tree / "boot").glob("initrd.img-*")
    try:
        (folder / "kernel").write_bytes(unwrapped(kernel.read_bytes()))
    except (KeyError, ValueError):  # packed otherwise: it unpacks itself, in some seconds
        shutil.copyfile(kernel, folder / "kernel")
    shutil.copyfile(initrd, folder / "initrd")
    disk = folder / "disk.img"
    run("truncate", "--size", f"{DISK_MB}M", disk, what="the machine's disk")
    run("mke2fs", "-q", "-t", "ext4", "-L", "machine", "-d", tree, disk, what="the machine's disk")
    shutil.rmtree(tree)
