"""The disk of the machine before the project is installed: Debian, and the packages its lock names.

- Debian comes from where the host's own packages come from, of the same release.
- The packages of ``requirements.lock`` are fetched here; ``make setup`` is then run in the new
  system with nothing but those, as docs/technician.md has a machine installed. The source itself is
  no part of the image: it lies on a disk of its own (``checkout``), which takes its
  place at /opt/table-controller; what ``make setup`` made is bound into that.
- Made once for each state of what it is made of: this file, the lock, the project's metadata (not
  Debian's packages: `make clean` has them fetched anew). Needs root, for the new system's programs
  are run in it.
"""

from __future__ import annotations

import gzip
import json
import lzma
import os
import platform
import shutil
import signal
import struct
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

from hil_tests.benches.vm.places import FOLDER, ROOT, CannotBuild, digest, ensure_folder, run

SECTOR_BYTES = 512
SIZE_BYTES = 4
"""Behind the payload's compressed data stands its length when unpacked."""

UNPACK: dict[bytes, Callable[[bytes], bytes]] = {
    b"\xfd7zXZ\x00": lambda data: lzma.LZMADecompressor().decompress(data),
    b"\x1f\x8b": gzip.decompress,
}
ELF = b"\x7fELF"


def unwrapped(image: bytes) -> bytes:
    """The ELF file in a bzImage, which QEMU loads too: emulated, a kernel takes seconds to unpack
    itself. The wrapped file's format is documented with the kernel
    (Documentation/arch/x86/boot.rst): at 0x1f1 the number of setup sectors less one, at 0x248 the
    payload's offset behind them and at 0x24c its length.

    Raises:
        ValueError: it is no bzImage, or compressed in a way that is not known here.
    """
    if image[0x202:0x206] != b"HdrS":
        raise ValueError("a bzImage has 'HdrS' at 0x202; this file has not")
    setup_sectors = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    begin = (setup_sectors + 1) * SECTOR_BYTES + offset
    payload = image[begin : begin + length]
    for magic, unpack in UNPACK.items():
        if payload.startswith(magic):
            kernel = unpack(payload[:-SIZE_BYTES])
            if kernel.startswith(ELF):
                return kernel
            raise ValueError("what is packed in the bzImage is no ELF file")
    raise ValueError(f"a bzImage is packed with xz or gzip; this one begins {payload[:6].hex()}")


PACKAGES = (
    "dbus",
    "iproute2",
    "kmod",
    "linux-image-amd64",
    "make",
    "python3-venv",
    "systemd-sysv",
    "tpm2-tools",  # whose libraries systemd asks a TPM with
    "udev",
)
MODULES = ("virtio_pci", "virtio_blk", "ext4", "crc32c_generic", "crc32c_intel")
"""All that the first programs of a boot need; the rest is loaded from the disk."""

DISK_MB = 2048
SOURCE = "/opt/table-controller"
FSTAB = f"""\
LABEL=machine / ext4 errors=remount-ro 0 1
/dev/disk/by-id/virtio-checkout {SOURCE} ext4 ro,nosuid,nodev 0 0
/srv/venv {SOURCE}/.venv none bind 0 0
/dev/disk/by-id/virtio-state /var/lib/table-controller ext4 noauto,nosuid,nodev,noexec 0 2
"""
AGENT_UNIT = f"""\
[Unit]
Description=What the rig does in the machine
After=network-pre.target local-fs.target
# The network's device may come later than this, and five failures in ten seconds would be the end.
StartLimitIntervalSec=0
[Service]
RestartSec=1
ExecStartPre=ip link set eth0 up
ExecStartPre=ip address replace 10.0.2.15/24 dev eth0
ExecStart=/usr/bin/python3 -u {SOURCE}/hil_tests/benches/vm/agent.py
Restart=always
OOMScoreAdjust=-1000
[Install]
WantedBy=multi-user.target
"""
INSTALL = f"""\
set -e
cd {SOURCE}
PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels make setup
mv .venv /srv/venv
mkdir -p /etc/table-controller
ln -s {SOURCE} /usr/lib/table-controller
ln -s {SOURCE}/.venv/bin/tablectl /usr/local/bin/
systemctl enable bench-agent.service
systemctl mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
    e2scrub_reap.service fstrim.timer
"""
METADATA = ("requirements.lock", "pyproject.toml", "Makefile", "README.md", "LICENSE")
"""What ``make setup`` reads."""


def image() -> Path:
    """The folder with ``disk.img``, ``kernel`` and ``initrd``; made where it is not there.

    Raises:
        CannotBuild: a tool is missing or has failed, or this is not root on x86-64.
    """
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = [told["build-system"], told["project"], told["tool"]["setuptools"]]
    parts = [
        Path(__file__).read_bytes(),
        (ROOT / "requirements.lock").read_bytes(),
        json.dumps(project, sort_keys=True).encode(),
    ]
    return ensure_folder(FOLDER / f"image-{digest(parts)}", _make_image, instead="image-*")


def _make_image(folder: Path) -> None:
    if os.geteuid() != 0 or platform.machine() != "x86_64":
        raise CannotBuild(
            "the machine's disk is made by root, on x86-64: its programs are run for it"
        )
    print("vm: making the machine's disk, which takes two or three minutes, once", file=sys.stderr)
    tree = folder / "tree"
    _debian(folder, tree)
    _install(tree)
    [kernel] = (tree / "boot").glob("vmlinuz-*")
    [initrd] = (tree / "boot").glob("initrd.img-*")
    (folder / "kernel").write_bytes(unwrapped(kernel.read_bytes()))
    shutil.copyfile(initrd, folder / "initrd")
    disk = folder / "disk.img"
    run("truncate", "--size", f"{DISK_MB}M", disk, what="the machine's disk")
    run("mke2fs", "-q", "-t", "ext4", "-L", "machine", "-d", tree, disk, what="the machine's disk")
    shutil.rmtree(tree)


def _debian(folder: Path, tree: Path) -> None:
    """A small Debian, with a kernel whose initrd holds what is needed and nothing else."""
    sources = folder / "sources.list"
    lines = _sources()
    sources.write_text("\n".join(lines) + "\n", encoding="utf-8")
    settings = folder / "apt.conf"
    settings.write_text(run("apt-config", "dump", "Acquire", what="apt"), encoding="utf-8")
    initramfs = '"$1/etc/initramfs-tools/conf.d" "$1/usr/share/initramfs-tools/modules.d"'
    run(
        *("unshare", "--mount", "mmdebstrap"),  # what it mounts goes with it, however it ends
        *("--mode=root", "--variant=minbase", f"--aptopt={settings}"),
        '--aptopt=Acquire::Retries "5"',
        f"--include={','.join(PACKAGES)}",
        f"--essential-hook=mkdir -p {initramfs}",
        '--essential-hook=echo MODULES=list > "$1/etc/initramfs-tools/conf.d/machine"',
        f'--essential-hook=printf "%s\\n" {" ".join(MODULES)}'
        ' > "$1/usr/share/initramfs-tools/modules.d/machine"',
        *("--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/doc/*"),
        _release(),
        tree,
        sources,
        what="the machine's system",
    )


def _release() -> str:
    """The release of the host, by its name."""
    told = dict(
        line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if line
    )
    if told.get("ID") != "debian" or "VERSION_CODENAME" not in told:
        raise CannotBuild("the machine's Debian is taken from where this host's is: it has none")
    return told["VERSION_CODENAME"].strip('"')


def _sources() -> list[str]:
    """Where the host has its Debian from, as lines of a sources.list."""
    told = run(
        *("apt-get", "indextargets", "--format"),
        "$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)",
        *("Created-By: Packages",),
        what="apt",
    )
    lines = [line.split() for line in told.splitlines()]
    debian = [words[1:] for words in lines if words[0] == "Debian"]
    if not debian:
        raise CannotBuild("apt knows no packages of Debian's; run 'apt-get update'")
    return [" ".join(("deb", *words)) for words in debian]


def _install(tree: Path) -> None:
    """The project's packages, and what makes the system one that boots alone."""
    for name in METADATA:
        _write(tree, f"{SOURCE}/{name}".lstrip("/"), (ROOT / name).read_text(encoding="utf-8"))
    for package in ROOT.glob("*/__init__.py"):  # setuptools wants to see what it is to install
        _write(tree, f"{SOURCE}/{package.relative_to(ROOT)}".lstrip("/"), "")
    _write(tree, "etc/fstab", FSTAB)
    _write(tree, "etc/hostname", "table\n")
    _write(tree, "etc/systemd/system/bench-agent.service", AGENT_UNIT)
    wheels = tree / "wheels"
    shutil.copytree(_wheels(tree), wheels)
    run(
        "unshare",
        "--mount",
        "chroot",
        tree,
        "/bin/sh",
        "-c",
        INSTALL,
        what="make setup in the machine",
    )
    shutil.rmtree(wheels)
    for place in (tree / "var/cache/apt/archives", tree / "var/lib/apt/lists"):
        shutil.rmtree(place, ignore_errors=True)


def _write(tree: Path, name: str, text: str) -> None:
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _wheels(tree: Path) -> Path:
    """The packages of the lock, for the machine's Python."""
    lock = ROOT / "requirements.lock"
    [python] = {path.name for path in (tree / "usr/bin").glob("python3.*") if path.is_file()}
    version = python.removeprefix("python")

    def fetch(folder: Path) -> None:
        run(
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
            *("--require-hashes", "--no-deps", "--only-binary", ":all:"),
            *("--python-version", version, "--dest", folder, "--requirement", lock),
            what="the packages of requirements.lock",
        )

    name = f"wheels-{digest([lock.read_bytes(), version.encode()])}"
    return ensure_folder(FOLDER / name, fetch, instead="wheels-*")


if __name__ == "__main__":  # ahead of the run that needs it, as .ci/run does
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # nothing half made stays
    image()
