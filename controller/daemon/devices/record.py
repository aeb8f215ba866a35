"""All that the fleet knows of one device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.causes.ports import DeviceLine
from controller.daemon.devices.flaps import Comings
from controller.daemon.devices.floods import Inflow
from controller.daemon.devices.stewards.base import DeviceCommand, Steward
from drivers.api import DeviceConfig, DeviceEvent, DeviceLink, LinkDown, LinkUp


@dataclass(slots=True)
class DeviceRecord:
    """``up`` is who answered last, None while the link is down; ``known`` once that is durable:
    then the device may be commanded. ``down`` is what the link said last of being down, None while
    it is up and before it has said anything. ``since`` is when the link came up or went down;
    ``greeted`` the session of the last greeting.

    ``outstanding`` is the steward's command that waits for its answer, ``refused`` what the device
    refused last, until it takes a command; ``testing``: it tests itself, or is
    tried by hand.

    ``handed`` has for each session the last event handed to the table, which is durable or will be
    before anything that is submitted later; ``stored_before`` is the last event that was so when
    the link came up. ``again`` are events, by session, that were repeated before the link was
    durable, and wait for their acknowledgement.
    """

    name: str
    config: DeviceConfig
    link: DeviceLink
    steward: Steward
    comings: Comings
    inflow: Inflow
    up: LinkUp | None = None
    down: LinkDown | None = None
    known: LinkUp | None = None
    since: str | None = None
    greeted: int | None = None
    outstanding: DeviceCommand | None = None
    refused: str | None = None
    testing: bool = False
    handed: dict[int, int] = field(default_factory=dict)
    stored_before: int = 0
    again: dict[int, DeviceEvent] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The device's kind."""
        return self.config.kind

    def line(self, minute: Mapping[str, int]) -> DeviceLine:
        """Its line as its link knows it, with what it has counted within a minute."""
        config, down = self.config, self.down
        port = config.port or config.usb or ""
        if down is None:
            return DeviceLine(self.name, self.kind, port, config.baud, minute=minute)
        return DeviceLine(
            *(self.name, self.kind, port, config.baud),
            *(down.reason, down.errno, down.answers, minute),
        )

    def forget(self) -> None:
        """Forget the device at the other end and the commands that it was sent."""
        self.up = self.known = self.outstanding = self.refused = None

    def may_test(self) -> str:
        """Why the device cannot be tested now; empty when it can. Commands on its link wait for
        each other."""
        if self.known is None:
            return f"{self.name} is down"
        return f"{self.name} is being tested already" if self.testing else ""
