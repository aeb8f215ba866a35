"""The devices of the table: their links, what they report, and the stewards that command them.

A device is commanded from the commit of its link on: only then do the wants know whom they are
for. At most one command of a steward is on its way; an answer to an earlier one changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from controller.daemon.flaps import Flaps
from controller.daemon.outside import Outside
from controller.daemon.stewards.base import Command, Steward
from controller.daemon.stewards.jackpot import JackpotSteward
from controller.daemon.stewards.panels import KeypadSteward, ShufflerSteward
from controller.daemon.stewards.shoe import ShoeSteward
from controller.journal.store import Journal
from controller.table.events import Event
from controller.table.showing.wants import Wants
from drivers.api import Answer, DeviceConfig, DeviceEvent, DeviceLink, LinkDown, LinkUp
from drivers.vocabulary import GATE_CAPABILITY, NOT_NOW

if TYPE_CHECKING:
    from controller.daemon.owner import Owner

_log = logging.getLogger(__name__)

NEEDED: Final = frozenset({"GATE", "ARM", "SHOW"})
"""Commands without which play cannot go on: that they are refused is more than a remark. "Not in
this state" is no fault by itself: the device has said or will say what state it is in. What the
jackpot unit refuses after it was looked at is one; nothing that it refuses is, once the multiplier
is settled."""


class Fleet:
    """All configured devices; listens to their links (:class:`drivers.api.DeviceListener`)."""

    def __init__(
        self,
        owner: Owner,
        journal: Journal,
        configs: Mapping[str, DeviceConfig],
        loop: asyncio.AbstractEventLoop,
        outside: Outside,
    ) -> None:
        self._owner = owner
        self._journal = journal
        self._wall = outside.wall
        self.shoe = ShoeSteward()
        self.jackpot = JackpotSteward()
        stewards: dict[str, Steward] = {
            "shoe": self.shoe,
            "jackpot": self.jackpot,
            "keypad": KeypadSteward(),
            "shuffler": ShufflerSteward(),
        }
        self._stewards = {name: stewards[name] for name in configs}
        stored = journal.latest_stored()
        self._links: dict[str, DeviceLink] = {
            name: outside.open_device(config, loop, self, stored.get(name, (0, 0)))
            for name, config in configs.items()
        }
        self._up: dict[str, LinkUp] = {}
        self._known: dict[str, LinkUp] = {}
        self._outstanding: dict[str, Command] = {}
        self._refused: dict[str, str] = {}
        self._stored_before: dict[str, int] = {}
        self._again: dict[tuple[str, int], DeviceEvent] = {}
        self._handed: dict[tuple[str, int], int] = {}
        self._since: dict[str, str] = {}
        self._tested: set[str] = set()
        self._greeted: dict[str, int] = {}
        self.flaps = Flaps(loop.time)

    def start(self) -> None:
        """Open every port; a missing device is tried again and again."""
        for link in self._links.values():
            link.start()

    async def close(self) -> None:
        """Close every port."""
        await asyncio.gather(*(link.close() for link in self._links.values()))

    async def shut(self) -> None:
        """Close every port for good, while the table goes on: its devices are out of sight."""
        for name in list(self._up):
            self.link_down(LinkDown(name, "its port was closed"))
        await self.close()

    def report(self) -> dict[str, dict[str, Any]]:
        """What only the fleet knows of each device: since when its link is as it is, and the
        command that it refused last (until it takes one)."""
        return {
            name: {"since": self._since.get(name), "refused": self._refused.get(name)}
            for name in self._links
        }

    def statistics(self) -> dict[str, Mapping[str, int]]:
        """Counters of every link."""
        return {name: link.statistics() for name, link in self._links.items()}

    # ---- from the links -----------------------------------------------------------------------

    def link_up(self, up: LinkUp) -> None:
        """A device answered HELLO."""
        identity = up.identity
        # Without a gate no card's destination is certain.
        if up.device == "shoe" and not identity.capabilities & GATE_CAPABILITY:
            why = f"the card shoe {identity.serial} has no gate that can be locked"
            self.link_down(LinkDown(up.device, why))
            return
        key = up.device, up.session
        # What was handed over is as good as stored: it will be, before this link is.
        stored = self._handed.get(key, self._journal.stored(*key))
        renumbered = up.new_session and up.last_event < stored
        # It dropped them, so somebody acknowledged them; the journal knows the session up to here.
        lost = up.new_session and 0 < stored < up.taken
        greeted = self._greeted.get(up.device) == up.session
        self._greeted[up.device] = up.session
        self._stored_before[up.device] = 0 if renumbered else max(stored, up.taken)
        self._handed[key] = up.taken if renumbered else max(stored, up.taken)
        self.flaps.up(up.device)
        down_since = self._since.get(up.device)
        self._since[up.device] = self._now()
        self._forget(up.device)
        self._up[up.device] = up
        self._stewards[up.device].link_up(up)
        _log.info("%s %s is up (session %d)", up.device, identity.serial, up.session)
        self._owner.submit(
            Event(
                "link",
                {
                    "up": True,
                    "kind": identity.kind,
                    "serial": identity.serial,
                    "firmware": list(identity.firmware),
                    "digest": identity.digest,
                    "capabilities": identity.capabilities,
                    "new_session": up.new_session,
                    "last_event": up.last_event,
                    "taken": max(up.taken, self._stored_before[up.device]),
                    "down_since": down_since,
                    **({"unheard": True} if up.device == "jackpot" else {}),
                    **({"lost": [stored + 1, up.taken], "greeted": greeted} if lost else {}),
                },
                device=up.device,
                session=up.session,
            ),
            lambda _: self._link_known(up),
            renumbered=renumbered,
        )

    def _link_known(self, up: LinkUp) -> None:
        """The device may be commanded; what it repeated over this link, or over an earlier one that
        broke before it was known, is durable."""
        if self._up.get(up.device) is up:
            self._known[up.device] = up
            for key in [key for key in self._again if key[0] == up.device]:
                self._acknowledge(self._again.pop(key))

    def _forget(self, device: str) -> None:
        for told in (self._up, self._known, self._outstanding, self._refused):
            told.pop(device, None)

    def link_down(self, down: LinkDown) -> None:
        """A device does not answer any more, or its port is gone."""
        news = self.flaps.is_news(down.device)
        if down.device in self._up or down.device not in self._since:
            self._since[down.device] = self._now()
        self._forget(down.device)
        self._stewards[down.device].link_down()
        _log.warning("%s is down: %s", down.device, down.reason)
        if news:
            body = {"up": False, "reason": down.reason}
            self._owner.submit(Event("link", body, device=down.device))

    def device_event(self, event: DeviceEvent) -> None:
        """A device's event: to the table, and acknowledged once it is durable. One that was handed
        over before this link is durable when the link is, whose entry comes after it. A device
        that is not used (a shoe without a gate) keeps its events."""
        acknowledge = partial(self._acknowledge, event)
        if event.device not in self._up:
            return
        if event.event_no <= self._stored_before.get(event.device, 0):
            if event.device in self._known:
                acknowledge()
            else:
                self._again[event.device, event.session] = event
            return
        self._handed[event.device, event.session] = event.event_no
        if event.type == "SHOE_STATE":
            self.shoe.gate_unknown()
        elif event.type in ("PRESS", "SHOWN"):
            fields = event.fields
            multiplier = int(str(fields.get("multiplier", 0)))
            self.jackpot.reported(event.type, int(str(fields["offer_id"])), multiplier)
        self._owner.device_event(
            Event(
                event.type,
                {name: _plain(value) for name, value in event.fields.items()},
                device=event.device,
                session=event.session,
                event_no=event.event_no,
            ),
            event.t_ms,
            lambda _: acknowledge(),
        )

    def _acknowledge(self, event: DeviceEvent) -> None:
        self._links[event.device].acknowledge(event.session, event.event_no)

    # ---- for a technician ---------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The devices by the names of the configuration."""
        return list(self._links)

    def link(self, name: str) -> DeviceLink:
        """A device's link."""
        return self._links[name]

    def up(self, name: str) -> LinkUp | None:
        """Who answered last on a link that is up; None while it is down."""
        return self._up.get(name)

    def may_test(self, name: str) -> str:
        """Why a device cannot be told to test itself now; empty when it can."""
        if name not in self._known:
            return f"{name} is down"
        if name in self._tested:
            return f"{name} is testing itself already"
        return f"{name} is being commanded" if name in self._outstanding else ""

    def self_test(self, name: str, done: Callable[[Answer], None]) -> None:
        """Have a device test itself; nothing else is commanded meanwhile. What the test did to
        button, gate or display nobody knows, so the device is looked at again after it."""
        up = self._known[name]
        self._tested.add(name)

        def tested(answer: Answer) -> None:
            self._tested.discard(name)
            if self._known.get(name) is up:
                self._stewards[name].link_up(up)
                self._attend(name, self._owner.published)
            done(answer)

        self._links[name].command("SELF_TEST", {}, tested)

    # ---- to the devices -----------------------------------------------------------------------

    def look_again(self, device: str) -> None:
        """Have the device looked at before it is commanded again."""
        if device == "jackpot":
            self.jackpot.look_again()

    def attend(self, wants: Wants) -> None:
        """Bring every device nearer to what is wanted."""
        for name in self._stewards:
            self._attend(name, wants)

    def _attend(self, name: str, wants: Wants) -> None:
        if name not in self._known or name in self._outstanding or name in self._tested:
            return
        command = self._stewards[name].next_command(wants)
        if command is None:
            return
        self._outstanding[name] = command
        self._links[name].command(
            command.name, command.fields, partial(self._answered, name, self._known[name], command)
        )

    def _answered(self, name: str, up: LinkUp, command: Command, answer: Answer) -> None:
        if self._known.get(name) is not up:
            return  # it was sent over a link that is gone
        del self._outstanding[name]
        if answer.lost:
            return
        self._refused.pop(name, None)
        if answer.nak is not None:
            self._refused[name] = f"{command.name} was refused with code {answer.nak}"
            _log.warning("%s: %s", name, self._refused[name])
        self._stewards[name].answered(command, answer)
        self._tell(name, command, answer)
        self._attend(name, self._owner.published)

    def _tell(self, name: str, command: Command, answer: Answer) -> None:
        """What of an answer the table must hear."""
        if name == "shoe" and self.shoe.locked is not None:
            entry, last_event = self.shoe.locked
            self.shoe.locked = None
            self._owner.submit(
                Event("gate", {"entry": entry, "last_event": last_event}, device="shoe")
            )
        if name == "jackpot" and self.jackpot.press_read is not None:
            offer, self.jackpot.press_read = self.jackpot.press_read, None
            self._owner.submit(Event("pressed", {"offer_id": offer}, device="jackpot"))
        if name == "jackpot" and self.jackpot.shown_read is not None:
            (offer, multiplier), self.jackpot.shown_read = self.jackpot.shown_read, None
            shown = {"offer_id": offer, "multiplier": multiplier}
            self._owner.submit(Event("shown", shown, device="jackpot"))
        if command.name == "SHOW" and answer.nak is None:
            self._owner.drawing.meter_told()
        if answer.nak is not None and self._holds_up_play(name, command, answer.nak):
            body = {"command": command.name, "code": answer.nak}
            self._owner.submit(Event("refused", body, device=name))

    def _holds_up_play(self, name: str, command: Command, nak: int) -> bool:
        """Whether play waits for what the device refuses."""
        needed = command.name in NEEDED and nak != NOT_NOW
        if name != "jackpot":
            return needed
        return self.jackpot.is_needed() and (needed or self.jackpot.given_up(command))

    def _now(self) -> str:
        return self._wall().isoformat(timespec="milliseconds")


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
