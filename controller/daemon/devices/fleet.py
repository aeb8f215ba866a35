"""The devices of the table: their links, what they report, and the stewards that command them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final

from controller.causes.ports import DeviceLine
from controller.daemon.devices.device import Commanding, DeviceRecord, line_trouble
from controller.daemon.devices.jackpot_steward import JackpotSteward
from controller.daemon.devices.line_watches import FLAPPING, FLOODS, Comings, Inflow, Lately
from controller.daemon.devices.stewards import (
    DisplaySteward,
    KeypadSteward,
    ShoeSteward,
    ShufflerSteward,
    Steward,
)
from controller.daemon.health.watches import WordsWatch
from controller.daemon.outside import Outside
from controller.daemon.owner import Owner
from controller.journal.store import Journal
from controller.table.events.event import Reported
from controller.table.events.of_controller import LinkCame, LinkWent
from controller.table.events.reading import read_report
from controller.table.showing.wanted import Wants
from drivers.api import DeviceConfig, DeviceEvent, LinkDown, LinkUp
from drivers.vocabulary import DISPLAY, GATE_CAPABILITY, JACKPOT, KEYPAD, SHOE, SHUFFLER, plain_name

_log = logging.getLogger(__name__)

STEWARDS: Final[Mapping[str, Callable[[], Steward]]] = {
    SHOE: ShoeSteward,
    SHUFFLER: ShufflerSteward,
    JACKPOT: JackpotSteward,
    KEYPAD: KeypadSteward,
    DISPLAY: DisplaySteward,
}
"""The stewards by kind; a device of another kind only reports and is commanded nothing."""


class Fleet:
    """The ``devices`` by name; listens to their links (:class:`drivers.api.DeviceListener`).
    ``meter_told`` is called when the jackpot unit has taken a SHOW."""

    def __init__(
        self,
        owner: Owner,
        journal: Journal,
        configs: Mapping[str, DeviceConfig],
        loop: asyncio.AbstractEventLoop,
        outside: Outside,
        meter_told: Callable[[], None],
    ) -> None:
        self._owner = owner
        self._journal = journal
        self._wall = outside.wall
        self.commanding = Commanding(owner, loop, meter_told)
        stored = journal.latest_stored()
        self.devices = {
            name: DeviceRecord(
                name,
                config,
                outside.open_device(config, loop, self, stored.get(name, (0, 0))),
                STEWARDS.get(config.kind, Steward)(),
                Comings(plain_name(config.kind, name), loop.time),
                Inflow(plain_name(config.kind, name), loop, self._acknowledge),
            )
            for name, config in configs.items()
        }
        devices = self.devices.values()
        self.flaps = WordsWatch(FLAPPING, [device.comings.flapping for device in devices])
        self.floods = WordsWatch(FLOODS, [device.inflow.floods for device in devices])
        self.lately = Lately(self.statistics, loop.time)

    def start(self) -> None:
        """Open every port; a missing device is tried again and again."""
        for device in self.devices.values():
            device.link.start()

    async def close(self) -> None:
        """Close every port."""
        self.commanding.close()
        for device in self.devices.values():
            device.inflow.close()
        await asyncio.gather(*(device.link.close() for device in self.devices.values()))

    async def shut(self) -> None:
        """Close every port finally while the table continues: all links are down."""
        for device in self.devices.values():
            if device.up is not None:
                self.link_down(LinkDown(device.name, "its port was closed"))
        await self.close()

    def report(self) -> dict[str, dict[str, object]]:
        """What only the fleet knows of each device: since when its link is as it is, the command
        that it refused last, its port, and what is wrong with its line (:func:`line_trouble`)."""
        lines = self._lines()
        return {
            name: {
                "since": device.since,
                "refused": device.refused,
                "port": lines[name].port,
                **line_trouble(lines[name], lines.values()),
            }
            for name, device in self.devices.items()
        }

    def statistics(self) -> dict[str, Mapping[str, int]]:
        """Counters of every link."""
        return {name: device.link.statistics() for name, device in self.devices.items()}

    # ---- from the links -----------------------------------------------------------------------

    def link_up(self, up: LinkUp) -> None:
        """A device answered HELLO."""
        device, identity = self.devices[up.device], up.identity
        # Without a gate the destination of a card is not certain.
        if device.kind == SHOE and not identity.capabilities & GATE_CAPABILITY:
            why = f"the card shoe {identity.serial} has no gate that can be locked"
            self.link_down(LinkDown(up.device, why))
            return
        # What was handed over counts as stored: it becomes durable before this link's entry does.
        stored = device.handed.get(up.session, self._journal.stored(up.device, up.session))
        renumbered = up.new_session and up.last_event < stored
        # The device dropped them, so they were acknowledged; the journal has the session up to
        # here.
        lost = up.new_session and 0 < stored < up.taken
        greeted, device.greeted = device.greeted == up.session, up.session
        device.stored_before = 0 if renumbered else max(stored, up.taken)
        device.handed[up.session] = up.taken if renumbered else max(stored, up.taken)
        device.comings.up()
        down_since, device.since = device.since, self._now()
        device.forget()
        device.up, device.down = up, None
        device.steward.link_up(up)
        _log.info("%s %s is up (session %d)", up.device, identity.serial, up.session)
        self._owner.submit(
            LinkCame(
                device=up.device,
                session=up.session,
                kind=identity.kind,
                serial=identity.serial,
                firmware=identity.firmware,
                digest=identity.digest,
                capabilities=identity.capabilities,
                new_session=up.new_session,
                last_event=up.last_event,
                taken=max(up.taken, device.stored_before),
                down_since=down_since,
                exchange_stands=True,
                unheard=True if device.kind == JACKPOT else None,
                lost=(stored + 1, up.taken) if lost else None,
                greeted=greeted if lost else None,
            ),
            lambda _: self._link_known(device, up),
            renumbered=renumbered,
        )

    def _link_known(self, device: DeviceRecord, up: LinkUp) -> None:
        """The device may be commanded; what was repeated before its link was known is durable."""
        if device.up is up:
            device.known = up
            for event in device.again.values():
                self._acknowledge(event)
            device.again.clear()

    def link_down(self, down: LinkDown) -> None:
        """A device does not answer any more, or its port is gone."""
        device = self.devices[down.device]
        news = device.comings.is_news()
        if device.up is not None or device.since is None:
            device.since = self._now()
        device.forget()
        device.steward.link_down()
        device.down = down
        lines = self._lines()
        what = line_trouble(lines[down.device], lines.values()).get("reason", down.reason)
        _log.warning("%s is down: %s", down.device, what)
        if news:
            self._owner.submit(LinkWent(device=down.device, reason=what))

    def _lines(self) -> dict[str, DeviceLine]:
        minute = self.lately.minute()
        return {name: one.line(minute.get(name, {})) for name, one in self.devices.items()}

    def device_event(self, event: DeviceEvent) -> None:
        """A device's event: to the table, and acknowledged once it is durable and its turn has
        come. One that was handed over before this link is durable when the link is, whose entry
        comes after it. A device that is not used (a shoe without a gate) keeps its events."""
        device = self.devices[event.device]
        if device.up is None:
            return
        if event.event_no <= device.stored_before:
            if device.known is not None:
                self._acknowledge(event)
            else:
                device.again[event.session] = event
            return
        device.handed[event.session] = event.event_no
        report = self._read_event(event)
        if report is None:
            return
        device.steward.has_reported(report)
        self._owner.device_event(
            report,
            event.t_ms,
            lambda _: device.inflow.stored(
                event, more=event.event_no < device.handed[event.session]
            ),
        )

    def _read_event(self, event: DeviceEvent) -> Reported | None:
        """The event as the table takes it; one of another form stops the controller."""
        source = event.device, event.session, event.event_no
        try:
            return read_report(event.type, event.fields, *source)
        except ValueError:
            _log.exception("event %s of %s cannot be read", event.type, event.device)
            self._owner.give_up(f"{event.type} {event.event_no} of {event.device}")
            return None

    def _acknowledge(self, event: DeviceEvent) -> None:
        self.devices[event.device].link.acknowledge(event.session, event.event_no)

    # ---- to the devices -----------------------------------------------------------------------

    def look_at_unit(self) -> None:
        """Have the jackpot unit queried before it is commanded again."""
        for device in self.devices.values():
            if isinstance(device.steward, JackpotSteward):
                device.steward.look_again()

    def attend(self, wants: Wants) -> None:
        """Acknowledge what is durable, and send every device its next command."""
        for device in self.devices.values():
            device.inflow.flush()
            self.commanding.attend(device, wants)

    def _now(self) -> str:
        return self._wall().isoformat(timespec="milliseconds")
