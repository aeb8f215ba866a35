"""One device: what the fleet knows of it, its port and line, and its steward's commands.

A device is commanded from the commit of its link on: only then do the wants know which device they
are for. At most one command of a steward is on its way; an answer to an earlier one changes
nothing.

A shoe that refuses its gate because of the state that it is in says what state that is, or has.
Where it does neither within ``SAYS_S``, play would wait without a word: the table is told that it
refuses.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from controller.causes.ports import DeviceLine, cause_of_error, cause_of_link
from controller.daemon.devices.line_watches import Comings, Inflow
from controller.daemon.devices.stewards import DeviceCommand, Steward
from controller.daemon.owner import Owner
from controller.table.events.of_controller import CommandRefused
from controller.table.showing.wanted import Wants
from drivers.api import (
    Answer,
    DeviceConfig,
    DeviceEvent,
    DeviceLink,
    DriverError,
    LinkDown,
    LinkUp,
    PortBusyError,
    Value,
)
from drivers.carriers.serial_port import close_port, open_port
from drivers.vocabulary import JACKPOT, NOT_NOW, SHOE


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
        line = DeviceLine(self.name, self.kind, port, config.baud, minute=minute)
        if down is None:
            return line
        return replace(line, down=down.reason, errno=down.errno, answers=down.answers)

    def forget(self) -> None:
        """Forget the device at the other end and the commands that it was sent."""
        self.up = self.known = self.outstanding = self.refused = None

    async def given_back(self) -> None:
        """Wait a moment for a test that is just ending."""
        for _ in range(ENDING_TURNS):
            if not self.testing:
                return
            await asyncio.sleep(ENDING_S / ENDING_TURNS)

    def may_test(self) -> str:
        """Why the device cannot be tested now; "" when it can. Commands wait for each other."""
        if self.known is None:
            return f"{self.name} is down"
        return f"{self.name} is being tested already" if self.testing else ""


def check_ports(devices: Iterable[DeviceConfig]) -> None:
    """PortBusyError where another process holds a port: two controllers would compete for it."""
    for device in devices:
        if device.port is None:
            continue
        try:
            close_port(open_port(device.port, device.baud))
        except PortBusyError as error:
            why = cause_of_error(error, device.port)
            raise PortBusyError(f"devices.{device.name}: {why}", error.errno) from error
        except DriverError:
            continue  # a missing device is no reason not to open the table for the rest


def line_trouble(line: DeviceLine, lines: Collection[DeviceLine]) -> dict[str, str]:
    """What is wrong with one of the ``lines``, as a status has it, or nothing: as the ``reason`` of
    a link that is down or the ``trouble`` of one that is up, and the ``next_step``."""
    cause = cause_of_link(line, lines)
    if cause is None:
        return {}
    what = "reason" if line.down else "trouble"
    return {what: cause.what, "next_step": cause.next_step}


_log = logging.getLogger(__name__)

SAYS_S: Final = 5.0

ENDING_S: Final = 1.0
ENDING_TURNS: Final = 20
"""What ends a test takes a few commands: so long they are waited for."""

Ending = tuple[str, Mapping[str, Value]]
"""A command that is sent whatever is answered."""


class Commanding:
    """``meter_told`` is called when the jackpot unit has taken a SHOW; in ``loop``'s time."""

    def __init__(
        self, owner: Owner, loop: asyncio.AbstractEventLoop, meter_told: Callable[[], None]
    ) -> None:
        self._owner = owner
        self._loop = loop
        self._doubt: asyncio.TimerHandle | None = None
        self._meter_told = meter_told

    def attend(self, device: DeviceRecord, wants: Wants) -> None:
        """Send the device the next command towards the wanted state, if there is one."""
        if device.known is None or device.outstanding is not None or device.testing:
            return
        command = device.steward.next_command(wants)
        if command is None:
            return
        device.outstanding = command
        answered = partial(self._answered, device, device.known, command)
        device.link.command(command.name, command.fields, answered)

    def self_test(self, device: DeviceRecord, done: Callable[[Answer], None]) -> None:
        """Have it test itself; whatever that does to its parts, it is queried again after it."""

        def tested(answer: Answer) -> None:
            self._look_again(device)
            done(answer)

        device.testing = True
        try:
            device.link.command("SELF_TEST", {}, tested)
        except BaseException:  # no such command for this device, say
            device.testing = False
            raise

    def take_back(self, device: DeviceRecord, ending: list[Ending]) -> None:
        """Attend again to a device that was left to a technician, after the commands ``ending``."""
        if not ending or device.known is None:
            self._look_again(device)
            return
        (name, fields), *rest = ending
        device.link.command(name, fields, lambda _: self.take_back(device, rest))

    def _look_again(self, device: DeviceRecord) -> None:
        device.testing = False
        if device.known is not None:
            device.steward.link_up(device.known)
            self.attend(device, self._owner.published)

    def _answered(
        self, device: DeviceRecord, up: LinkUp, command: DeviceCommand, answer: Answer
    ) -> None:
        if device.known is not up:
            return  # it was sent over a link that is gone
        device.outstanding = None
        if answer.lost:
            return
        device.refused = None
        if answer.nak is not None:
            device.refused = f"{command.name} was refused with code {answer.nak}"
            _log.warning("%s: %s", device.name, device.refused)
        device.steward.answered(command, answer)
        self._report_answer(device, command, answer)
        self.attend(device, self._owner.published)

    def _report_answer(self, device: DeviceRecord, command: DeviceCommand, answer: Answer) -> None:
        for event in device.steward.found_events(device.name):
            self._owner.submit(event)
        if answer.nak is None:
            if device.kind == JACKPOT and command.name == "SHOW":
                self._meter_told()
        elif device.steward.holds_up_play(command, answer.nak):
            self._tell_refused(device, command, answer.nak)
        elif device.kind == SHOE and answer.nak == NOT_NOW:
            self.close()
            self._doubt = self._loop.call_later(
                SAYS_S, self._still_refuses, device, command, device.refused
            )

    def _still_refuses(
        self, device: DeviceRecord, command: DeviceCommand, refused: str | None
    ) -> None:
        shoe = self._owner.table.named(device.name)
        if device.refused is refused and shoe is not None and not shoe.trouble():
            self._tell_refused(device, command, NOT_NOW)

    def _tell_refused(self, device: DeviceRecord, command: DeviceCommand, nak: int) -> None:
        self._owner.submit(CommandRefused(device=device.name, command=command.name, code=nak))

    def close(self) -> None:
        """Stop its timer."""
        if self._doubt is not None:
            self._doubt.cancel()
