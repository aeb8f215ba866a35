"""Commands of the stewards to their devices, and what the table hears of the answers.

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
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from controller.daemon.devices.record import DeviceRecord
from controller.daemon.devices.stewards.base import DeviceCommand
from controller.daemon.owner import Owner
from controller.table.events.of_controller import CommandRefused
from controller.table.showing.wants import Wants
from drivers.api import Answer, LinkUp, Value
from drivers.vocabulary import JACKPOT, NOT_NOW, SHOE

_log = logging.getLogger(__name__)

SAYS_S: Final = 5.0

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
        """Have the device test itself. The effect of the test on button, gate or display is not
        known, so the device is queried again after it."""

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
        """Report to the table what it must know of an answer."""
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
        """Report a refusal for a state that the shoe has not said."""
        shoe = self._owner.table.named(device.name)
        if device.refused is refused and shoe is not None and not shoe.trouble():
            self._tell_refused(device, command, NOT_NOW)

    def _tell_refused(self, device: DeviceRecord, command: DeviceCommand, nak: int) -> None:
        self._owner.submit(CommandRefused(device=device.name, command=command.name, code=nak))

    def close(self) -> None:
        """Stop its timer."""
        if self._doubt is not None:
            self._doubt.cancel()
