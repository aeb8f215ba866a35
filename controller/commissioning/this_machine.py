"""The outermost seam of ``setup``: ports, devices and the machine as they are.

What draws pictures of ``setup``, without a table, puts another in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.causes.holders import Holder
from controller.commissioning.outcome import TestOutcome
from controller.commissioning.place import DevicePlace

if TYPE_CHECKING:
    from controller.configuration.model import Configuration
    from controller.journal.keys import PublicKey
    from drivers.probe import ProbeReport
    from drivers.self_test import SelfTestReport


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
        from drivers.probe import probe

        return probe(port, baud)

    def self_test(self, port: str, baud: int) -> SelfTestReport:
        """The device's test of itself; raises as :meth:`probe_port`."""
        from drivers.self_test import self_test

        return self_test(port, baud)

    def machine_tests(
        self, config: Configuration, credential: Path, *, dry: bool
    ) -> list[TestOutcome]:
        """Generator, disk, clock and key; ``dry``: nothing is written for it."""
        from controller.commissioning.machine_tests import machine_tests

        return machine_tests(config, credential, dry=dry)

    def installed_key(self, credential: Path) -> PublicKey | None:
        """The verifier's half of the key in that credential; None where there is none. Raises
        :class:`~controller.evidence.keys.credential.NoCredential`."""
        from controller.evidence.keys.credential import decrypt

        return decrypt(credential).public if credential.exists() else None

    def apply_names(self, rules: Path, bound: Mapping[str, str], *, changed: bool) -> TestOutcome:
        """Have udev name the ports; whether it has."""
        from controller.commissioning.services import apply_names

        return apply_names(rules, bound, changed=changed)

    def without_people(self, groups: Sequence[str]) -> list[str]:
        """Those of the groups that have no member here, or are not there."""
        import grp

        members = {group.gr_name: group.gr_mem for group in grp.getgrall()}
        return [name for name in groups if not members.get(name)]

    def booted(self) -> bool:
        """Whether systemd runs this machine."""
        from controller.evidence.keys.credential import BOOTED

        return BOOTED.is_dir()
