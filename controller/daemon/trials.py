"""Devices that are tried by hand, in service, and the traffic of lines, kept for a client.

The rules:

- A trial is one client's, of one device, and lasts as long as the client listens to its traffic.
  Its steward rests meanwhile; when the trial ends, by whatever cause, the device is looked at and
  brought to what the table wants, the jackpot unit disarmed and blanked before.
- A command is an entry of the journal first (``device-command``), and is sent when that is durable.
- When service ends, every trial does.
- Traffic is kept between two fetches, up to :data:`KEPT` messages for a device; those beyond are
  dropped and counted. Keeping one is an append in the loop, so it never holds up play.

A command is its name in the link protocol with its fields as ``NAME=NUMBER``; the text of a row
comes last: ``GATE unlocked=1 cards=0``, ``TEXT row=0 text=TEST OF ROW 1``. The numbers of offers
are not written: they are the table's to give.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Final

from controller.control.answers import Portion
from controller.control.handler import BadCommand, RequestRefused
from controller.control.peers import Peer
from controller.daemon.devices.device import Ending
from controller.daemon.devices.fleet import Fleet
from controller.daemon.owner import Owner
from controller.forms.json_values import JsonObject
from controller.game.round.refusal import Refused
from controller.journal.model import Entry
from controller.table.events.of_people import DeviceCommanded, DeviceTested
from controller.table.service import OFFER, ON
from controller.table.showing.wanted import Wants
from controller.table.state.entering import ROW_LENGTH
from drivers.api import Answer, Seen, TrafficSource, Value
from drivers.capture import format as capturing
from drivers.vocabulary import DISPLAY, JACKPOT, KEYPAD, NAK_WORDS, SHOE, SHUFFLER

KEPT: Final = 2000
PORTION: Final = 100
"""Messages of a device: kept for a client, ten seconds of the busiest line; sent at a time."""


class TrafficRecorder:
    """Keeps lines' traffic for a client that fetches it; ``head`` is sent first."""

    def __init__(
        self,
        head: JsonObject,
        sources: Mapping[str, TrafficSource],
        mono_ns: Callable[[], int],
        changed: Callable[[], None],
    ) -> None:
        self._head: JsonObject | None = head
        self._mono_ns = mono_ns
        self._changed = changed
        self._most = KEPT * len(sources)
        self._kept: deque[tuple[str, int, Seen]] = deque()
        self._dropped = 0
        self._ends = [
            source.tap(partial(self._keep_message, name)) for name, source in sources.items()
        ]

    def _keep_message(self, name: str, seen: Seen) -> None:
        if len(self._kept) >= self._most:
            self._dropped += 1
            return
        self._kept.append((name, self._mono_ns(), seen))
        self._changed()

    def take_portion(self) -> Portion:
        """The next portion, lines and head as :mod:`drivers.capture.format` has them."""
        portion = [self._kept.popleft() for _ in range(min(PORTION, len(self._kept)))]
        dropped = 0
        if not self._kept:
            dropped, self._dropped = self._dropped, 0
        answer: Portion = {
            "lines": [capturing.line(*one) for one in portion],
            "dropped": dropped,
            "more": bool(self._kept),
        }
        if self._head is not None:
            answer["head"], self._head = self._head, None
        return answer

    def close(self) -> None:
        """It is not wanted any more."""
        for end in self._ends:
            end()


TEXT: Final = "text"

_SHOW: Final = {"multiplier": 0xFFFF, "spin_ms": 5_000}

COMMANDS: Final[Mapping[str, Mapping[str, Mapping[str, int]]]] = {
    SHOE: {"GATE": {"unlocked": 1, "cards": 255}, "SIGNAL": {"colour": 3, "blink": 1}},
    SHUFFLER: {"START": {"set": 2}, "ABORT": {}},
    JACKPOT: {
        "ARM": {"box": 255},
        "DISARM": {},
        "SHOW": _SHOW,
        "BLANK": {},
        "TEST_PATTERN": {"pattern": 2},
        "METER": {},
    },
    KEYPAD: {"TEXT": {"row": 1, TEXT: ROW_LENGTH}, "LAMPS": {"lit": (1 << 32) - 1}},
    DISPLAY: {"SHOW": _SHOW, "BLANK": {}},
}
"""By kind of device: the commands, and for each of their fields the highest number; of a text the
number of characters. Sources: protocol section 5."""

NEW_OFFER: Final = frozenset({"ARM", "SHOW"})
SAME_OFFER: Final = frozenset({"DISARM"})
"""Commands that take a number of an offer which was never used; and that name the last one."""


def read_device_command(kind: str, text: str) -> tuple[str, dict[str, Value]]:
    """The command for such a device: name, and fields without an offer; or BadCommand."""
    known = COMMANDS.get(kind, {})
    name, _, rest = text.strip().partition(" ")
    if name not in known:
        expected = ", ".join(known) or "none: a device of this kind is commanded nothing"
        raise BadCommand(f"{name[:40]!r} is no command of a {kind}: expected one of {expected}")
    form = " ".join([name, *(f"{field}=0..{most}" for field, most in known[name].items())])
    rest, has_text, row = rest.partition(f"{TEXT}=")
    fields: dict[str, Value] = {}
    for pair in rest.split():
        field, _, value = pair.partition("=")
        most = known[name].get(field, -1)
        number = value.isascii() and value.isdecimal() and len(value) <= 10
        if field in fields or not number or int(value) > most:
            raise BadCommand(f"{pair[:40]!r}: expected {form}")
        fields[field] = int(value)
    if has_text:
        fields[TEXT] = row
    if set(fields) != set(known[name]):
        raise BadCommand(f"{text!r}: expected {form}")
    if has_text and (len(row) > ROW_LENGTH or not row.isascii() or not row.isprintable()):
        raise BadCommand(f"{row[:40]!r}: expected at most {ROW_LENGTH} characters of ASCII")
    return name, fields


_log = logging.getLogger(__name__)

DARK: Final[tuple[Ending, ...]] = (("TEST_PATTERN", {"pattern": 0}), ("BLANK", {}))
"""What leaves a jackpot unit as it was; DISARM comes before, where it was armed."""


async def answer_to(send: Callable[[Callable[[Answer], None]], object]) -> Answer:
    """What a device answers to what ``send`` sends; ``send`` is given what to call with it."""
    answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def settle(answer: Answer) -> None:
        if not answered.cancelled():  # nobody waits for it any more
            answered.set_result(answer)

    send(settle)
    return await answered


class Trial:
    """A device's traffic while it is tried."""

    def __init__(self, who: Peer, recorder: TrafficRecorder, end: Callable[[Trial], None]) -> None:
        self.who = who
        self._recorder = recorder
        self._end = end
        self.offer: int | None = None
        self.shuffles = False
        self.over = ""

    def take_portion(self) -> Portion:
        """What has come since the last time; why the trial is ``over`` where it is."""
        portion = self._recorder.take_portion()
        return {**portion, "over": self.over} if self.over else portion

    def close(self, why: str = "its client has gone") -> None:
        """The trial is over; once."""
        if not self.over:
            self.over = why
            self._recorder.close()
            self._end(self)


class Trials:
    """``wall`` tells the time of day, for the journal."""

    def __init__(self, owner: Owner, fleet: Fleet, wall: Callable[[], datetime]) -> None:
        self._owner = owner
        self._fleet = fleet
        self._wall = wall
        self._open: dict[str, Trial] = {}
        owner.follow(self._end_with_service)

    def begin_trial(self, device: str, who: Peer, recorder: TrafficRecorder) -> Trial:
        """Begin the trial of a device; RequestRefused where it cannot be now."""
        if not self._owner.table.in_service:
            raise RequestRefused(
                f'devices are tried by hand in service: supervisor "{ON}"', code="not-in-service"
            )
        if trouble := self._fleet.devices[device].may_test():
            raise RequestRefused(trouble, code="cannot-be-tested")
        _log.info("%s tries %s by hand", who.called, device)
        self._fleet.devices[device].testing = True
        trial = Trial(who, recorder, lambda ended: self._end_trial(device, ended))
        self._open[device] = trial
        return trial

    def check_open(self, device: str, who: Peer) -> Trial:
        """This person's trial of that device; RequestRefused where he has none."""
        trial = self._open.get(device)
        if trial is None:
            raise RequestRefused(
                f"{device} is not being tried: begin its trial first, in service", code="no-trial"
            )
        if trial.who.identity != who.identity:
            raise RequestRefused(
                f"{device} is being tried by {trial.who.called}", code="tried-by-another"
            )
        return trial

    async def command(self, device: str, text: str, who: Peer) -> JsonObject:
        """Have the device carry out a command: the ``fields`` of its answer, or ``nak`` and ``why``
        it refuses; RequestRefused where it is not being tried, or its link went down."""
        trial = self.check_open(device, who)
        name, fields = read_device_command(self._fleet.devices[device].kind, text)
        if name in NEW_OFFER:
            fields[OFFER] = trial.offer = self._owner.table.jackpot.next_offer
        elif name in SAME_OFFER:
            if trial.offer is None:
                raise RequestRefused(
                    f"{name}: nothing was offered in this trial", code="nothing-offered"
                )
            fields[OFFER] = trial.offer
        trial.shuffles |= name == "START"
        event = DeviceCommanded(device=device, command=name, fields=fields, **who.as_fields)

        def send(done: Callable[[Answer], None]) -> None:
            def stored(_: Entry) -> None:
                if trial.over:  # meanwhile: the device was put back
                    done(Answer(name))
                else:
                    self._fleet.devices[device].link.command(name, fields, done)

            self._owner.submit(event, stored)

        try:
            answer = await answer_to(send)
        except Refused as refused:
            raise RequestRefused(refused.reason, code=refused.code) from refused
        if answer.lost:
            why = trial.over or "its link went down before it answered"
            raise RequestRefused(f"{device}: {why}", code="device-lost")
        if answer.fields is None:
            nak = answer.nak or 0
            return {"nak": nak, "why": NAK_WORDS.get(nak, f"code {nak}")}
        return {"fields": dict(answer.fields)}

    async def tested(
        self, device: str, test: str, what: str, who: Peer, *, ok: bool, by_hand: bool
    ) -> None:
        """Store what came of a test."""
        self._owner.submit(
            DeviceTested(
                device=device,
                test=test,
                ok=ok,
                what=what,
                by_hand=by_hand,
                at=self._wall().isoformat(timespec="seconds"),
                **who.as_fields,
            )
        )
        await self._owner.settled()

    def _end_with_service(self, _: Wants) -> None:
        if self._open and not self._owner.table.in_service:
            for trial in tuple(self._open.values()):
                trial.close("service is over")

    def _end_trial(self, device: str, trial: Trial) -> None:
        assert self._open.pop(device) is trial
        _log.info("%s is not tried any more: %s", device, trial.over)
        ending: list[Ending] = []
        if trial.shuffles:
            ending.append(("ABORT", {}))
        if self._fleet.devices[device].kind == JACKPOT:
            armed = [("DISARM", {OFFER: trial.offer})] if trial.offer is not None else []
            ending += [*armed, *DARK]
        self._fleet.commanding.take_back(self._fleet.devices[device], ending)
