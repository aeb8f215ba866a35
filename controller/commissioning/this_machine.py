"""The outermost seam of ``setup``: ports, devices and the machine as they are.

What draws pictures of ``setup``, without a table, puts another in its place. Where there is no udev
or systemd (a container, a machine that only prepares a file) the step is left out and said.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from controller.causes.holders import Holder
from controller.commissioning.machine_tests import TestOutcome, machine_tests, outcome
from controller.commissioning.place import RULES, DevicePlace
from controller.configuration.model import Configuration
from controller.evidence.keys.credential import BOOTED, decrypt
from controller.journal.keys import PublicKey
from controller.not_done import NOT_WELL, NotDone
from drivers.probe import LINKS, ProbeReport, probe
from drivers.self_test import SelfTestReport, self_test

UDEV: Final = Path("/run/udev/control")
"""There where udev runs."""
WITHIN_S: Final = 60.0
STARTS_WITHIN_S: Final = 200.0
"""Longer than the unit's own TimeoutStartSec."""
SERVICE: Final = "table-controller"
NAMES: Final = "names"
APPLY: Final = (
    ("udevadm", "control", "--reload"),
    ("udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=usb"),
    ("udevadm", "settle", "--timeout=30"),
)


def _astray(bound: Mapping[str, str]) -> list[str]:
    return [
        name
        for name, port in bound.items()
        if os.path.realpath(LINKS / name) != os.path.realpath(port)
    ]


def start(*, again: bool) -> None:
    """Enable and start the service; ``again``: it runs, with another configuration. Raises
    ``NotDone`` (1) where it does not start."""
    commands = [("systemctl", "enable", SERVICE)]
    commands.append(("systemctl", "restart" if again else "start", SERVICE))
    for command in commands:
        if trouble := run_command(command, STARTS_WITHIN_S):
            said = f"{' '.join(command)}: {trouble}\nsee 'journalctl -u {SERVICE} -n 20'"
            raise NotDone(NOT_WELL, said)


def run_command(command: tuple[str, ...], within_s: float) -> str:
    """What went wrong, in its last words; "" where it went well."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=within_s
        )
    except FileNotFoundError:
        return "there is no such program here"
    except subprocess.TimeoutExpired:
        return f"it did not end within {within_s:.0f} s"
    said = [line for line in done.stderr.splitlines() if line.strip()]
    return "" if not done.returncode else said[-1] if said else f"it ended with {done.returncode}"


class ThisMachine:
    """Its ports, its devices, udev and systemd."""

    def places(self) -> list[DevicePlace]:
        """Serial ports and USB units, none of them asked yet."""
        from drivers.adapters import Port, ports
        from drivers.api import DriverError
        from drivers.carriers.usb_unit import list_units
        from drivers.probe import PRODUCT, VENDOR

        places = [DevicePlace(port) for port in ports()]
        kind = f"{VENDOR:04x}:{PRODUCT:04x}"
        try:
            units = list_units(VENDOR, PRODUCT)
        except DriverError as error:
            return [*places, DevicePlace(Port(kind, kind, description="USB"), trouble=str(error))]
        return places + [DevicePlace(Port(unit, kind, description="USB unit")) for unit in units]

    def readers(self, ports: Sequence[str]) -> dict[str, list[Holder]]:
        """Who has these ports open beside a running controller, as far as this user may see it."""
        from controller.causes.port_holders import beside_the_controller

        return beside_the_controller(ports)

    def probe_port(self, port: str, baud: int) -> ProbeReport:
        """Who is there; raises ``DriverError``, and ``ValueError`` for a port that is none."""
        return probe(port, baud)

    def self_test(self, port: str, baud: int) -> SelfTestReport:
        """The device's test of itself; raises as :meth:`probe_port`."""
        return self_test(port, baud)

    def machine_tests(
        self, config: Configuration, credential: Path, *, dry: bool
    ) -> list[TestOutcome]:
        """Generator, disk, clock and key; ``dry``: nothing is written for it."""
        return machine_tests(config, credential, dry=dry)

    def installed_key(self, credential: Path) -> PublicKey | None:
        """The verifier's half of the key in that credential, None for none; raises
        ``NoCredential``."""
        return decrypt(credential).public if credential.exists() else None

    def apply_names(self, rules: Path, bound: Mapping[str, str], *, changed: bool) -> TestOutcome:
        """Have udev read its rules and name the ports that are there; whether every name of
        ``bound`` (names under /dev/table) leads to its port. Without a change nothing is done if
        all do."""
        if rules.parent != RULES.parent:
            return outcome(NAMES, f"{rules} is not where udev reads: nothing was applied")
        if not (UDEV.exists() and shutil.which("udevadm")):
            return outcome(NAMES, "no udev runs here: nothing was applied")
        for command in APPLY if changed or _astray(bound) else ():
            if trouble := run_command(command, WITHIN_S):
                return outcome(NAMES, f"{' '.join(command)}: {trouble}", ok=False)
        if wrong := _astray(bound):
            missing = ", ".join(f"{LINKS}/{name}" for name in wrong)
            steps = "expected to lead to its port; unplug the adapter and plug it in again"
            return outcome(NAMES, f"{missing}: {steps}", ok=False)
        return outcome(NAMES, ", ".join(f"{LINKS}/{name}" for name in bound))

    def without_people(self, groups: Sequence[str]) -> list[str]:
        """Those of the groups that have no member here, or are not there."""
        import grp

        members = {group.gr_name: group.gr_mem for group in grp.getgrall()}
        return [name for name in groups if not members.get(name)]

    def booted(self) -> bool:
        """Whether systemd runs this machine."""
        return BOOTED.is_dir()
