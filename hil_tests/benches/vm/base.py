"""The machine, booted once and installed from the checkout, to be woken for every scenario.

What docs/technician.md has a technician do is done here by :data:`INSTALL`, but for what the image
has already. The state is saved with the service installed, enabled and not started. The programs
that the daemon needs have run once, so that they are in memory, as on a machine that was updated.

A machine that is woken is told two things otherwise than a real one, by :data:`WOKEN`: the boot id
is another than the one that was saved, and Python may use what it compiled before (the unit forbids
it, which costs half a second on a PC and a quarter of a minute here). After a cold start there is
nothing of that: the unit is as it is installed.

The source as it is now comes as a disk that can only be read: an edit needs no new image. What a
machine uses is on it, and so is what Python makes of that where the host has the Python of the
machine, as the installation has it (`compileall`). Tests, rig and documents are not: an edit there
must not cost a boot.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import hil_tests.benches.vm.machine
from hil_tests.benches.vm.agent import BOOT_ID
from hil_tests.benches.vm.disk import VolatileDisk
from hil_tests.benches.vm.guest import Guest
from hil_tests.benches.vm.image import SOURCE, image
from hil_tests.benches.vm.machine import Machine, Parts
from hil_tests.benches.vm.places import FOLDER, ROOT, digest, ensure_folder, run

SPARE_MB = 8
MACHINE_PYTHON = (3, 11)
COMPILED = ("controller", "drivers")
USED = (*COMPILED, "config", "systemd", "pyproject.toml", "hil_tests/benches/vm/agent.py")


def files() -> list[Path]:
    """The files that are used, tracked or new, relative to the checkout."""
    told = run(
        *("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *USED),
        what="the files of the checkout",
    )
    names = sorted(name for name in told.split("\0") if name)
    return [Path(name) for name in names if (ROOT / name).is_file()]


def checkout_digest() -> str:
    """A name for the source as it is now."""
    return digest(
        part for path in files() for part in (str(path).encode(), (ROOT / path).read_bytes())
    )


def make_disk(disk: Path) -> None:
    """Write the source to the disk's file ``disk``."""
    tree = disk.with_suffix(".tree")
    size = 0
    for path in files():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, tree / path)
        size += (ROOT / path).stat().st_size + 4096
    (tree / ".venv").mkdir()  # where the machine's own is bound to
    if sys.version_info[:2] == MACHINE_PYTHON:
        run(
            *(sys.executable, "-m", "compileall", "-q", "-s", tree, "-p", SOURCE),
            *(tree / name for name in COMPILED),
            what="the compiled source",
        )
    size_mb = 2 * size // (1 << 20) + SPARE_MB
    run("truncate", "--size", f"{size_mb}M", disk, what="the source's disk")
    run(
        *("mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-m", "0", "-d", tree, disk),
        what="the source's disk",
    )
    shutil.rmtree(tree)


STATE = "/var/lib/table-controller"
STATE_MB = 1024
UNIT = "table-controller.service"
KEPT = 3
"""Bases that are kept: those of other checkouts may be in use."""

INSTALL = f"""\
set -e
cd {SOURCE}
install -D -m 644 systemd/table-controller.sysusers /etc/sysusers.d/table-controller.conf
systemd-sysusers
install -m 644 systemd/table-controller.modules /etc/modules-load.d/table-controller.conf
systemctl restart systemd-modules-load
install -m 644 systemd/60-table-controller.rules systemd/99-table-ports.rules /etc/udev/rules.d/
install -m 644 systemd/99-table-controller.rules /etc/udev/rules.d/
udevadm control --reload
udevadm trigger --subsystem-match=tty --subsystem-match=usb
install -d /etc/table-controller
install -m 644 config/table.example.toml /etc/table-controller/table.toml
install -m 644 systemd/table-controller.service /etc/systemd/system/
mkdir -p /run/systemd/system/{UNIT}.d
printf '%s' "$WOKEN" > /run/systemd/system/{UNIT}.d/woken.conf
cp /proc/sys/kernel/random/boot_id {BOOT_ID}
systemctl daemon-reload
systemctl enable table-controller
systemctl start table-controller
tablectl status --json
systemctl stop table-controller
umount {STATE}
systemctl stop 'systemd-fsck@*virtio*state*'
udevadm settle
journalctl --quiet --rotate --vacuum-time=1s
sync
"""
WOKEN = f"""\
[Service]
BindReadOnlyPaths={BOOT_ID}:/proc/sys/kernel/random/boot_id
UnsetEnvironment=PYTHONPYCACHEPREFIX
"""


@dataclass(frozen=True, slots=True)
class Base:
    """The folder of a saved machine."""

    folder: Path
    kernel: Path
    initrd: Path

    def parts(self, folder: Path, state: Path, *, woken: bool, tpm: Path | None = None) -> Parts:
        """Of a machine in ``folder``, whose system's disk is made there if there is none; a woken
        one gets a new one, for its memory goes with the disk as it was saved."""
        system = folder / "system.qcow2"
        if woken or not system.exists():
            _layer(system, self.folder / "system.qcow2", "qcow2")
        return Parts(
            kernel=self.kernel,
            initrd=self.initrd,
            system=system,
            checkout=self.folder / "checkout.img",
            state=state,
            saved=self.folder / "memory" if woken else None,
            tpm=tpm,
        )


@cache
def base() -> Base:
    """The machine as the checkout is when this is first called; made where it is not there.

    Raises:
        CannotBuild: a tool is missing or has failed.
        GuestError: the installation in the machine has failed.
    """
    made_of = image()
    code = [
        Path(module).read_bytes() for module in (__file__, hil_tests.benches.vm.machine.__file__)
    ]
    name = f"base-{digest([made_of.name.encode(), checkout_digest().encode(), *code])}"
    folder = ensure_folder(
        FOLDER / name, lambda folder: _make_base(folder, made_of), instead="base-*", keep=KEPT
    )
    return Base(folder, made_of / "kernel", made_of / "initrd")


def empty_state(medium: Path) -> None:
    """The journal's disk as it is new."""
    run("truncate", "--size", f"{STATE_MB}M", medium, what="the journal's disk")
    run("mke2fs", "-q", "-t", "ext4", medium, what="the journal's disk")


def _make_base(folder: Path, made_of: Path) -> None:
    print("vm: booting the machine and installing the checkout", file=sys.stderr)
    make_disk(folder / "checkout.img")
    _layer(folder / "system.qcow2", made_of / "disk.img", "raw")
    medium = folder / "state.img"
    empty_state(medium)
    state = VolatileDisk(medium, folder / "state.sock")
    try:
        state.serve()
        parts = Parts(
            kernel=made_of / "kernel",
            initrd=made_of / "initrd",
            system=folder / "system.qcow2",
            checkout=folder / "checkout.img",
            state=state.path,
        )
        machine = Machine(parts, folder)
        try:
            machine.wait_until_ready()
            guest = Guest(machine.agent_address())
            guest.run_command("env", f"WOKEN={WOKEN}", "sh", "-c", INSTALL, within_s=120)
            machine.save(folder / "memory")
            machine.shut_down()
        finally:
            machine.kill()
    finally:
        state.close()
    medium.unlink()


def _layer(disk: Path, below: Path, form: str) -> None:
    """An empty disk above another, which is only read from then on."""
    disk.unlink(missing_ok=True)
    run(
        *("qemu-img", "create", "-q", "-f", "qcow2", "-F", form, "-b", below, disk),
        what="a layer of the system's disk",
    )
