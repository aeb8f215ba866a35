"""A table in this process, driven by the events that the daemon would make; no time passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from controller.game.round.refusal import Refused
from controller.game.round.wagers import Limits
from controller.game.rules.cards import parse_card
from controller.table.apply import apply
from controller.table.events.event import Event
from controller.table.events.reading import read_event
from controller.table.outcome import Outcome
from controller.table.settings import Settings
from controller.table.showing.status import status
from controller.table.showing.wanted import Wants, wants
from controller.table.state.table import Table
from hil_tests.bench.interface import Json

FACE_UP, TOGETHER, FOREIGN, LOCKED, DAMAGED = 1, 2, 4, 8, 16
LOADED: Final = 1
LIMITS: Final = Limits(min=1000, max=500_000, side_min=100, side_max=50_000, increment=100)


class TableInProcess:
    """A started table with its devices up."""

    user = "dora"
    """Who is logged in as the dealer."""

    def __init__(self, settings: Settings) -> None:
        self.table = Table()
        self.settings = settings
        self.numbers = dict.fromkeys(settings.devices, 0)
        self.sessions = {name: 100 + at for at, name in enumerate(self.numbers)}

    def open(self) -> None:
        """The controller starts, and every device answers."""
        self.start()
        for name in self.settings.devices:
            self.up(name)
        self.load()

    # ---- events -------------------------------------------------------------------------------

    def apply(self, kind: str, body: dict[str, Any], **more: Any) -> Outcome:
        """One event."""
        return self.take_event(read_event(kind, body, **more))

    def take_event(self, event: Event) -> Outcome:
        """The same, made."""
        return apply(self.table, event)

    def start(self, boot: str = "boot-1", new: Settings | None = None) -> Outcome:
        """The controller starts."""
        dumped = (new or self.settings).dump()
        return self.apply("start", {"boot_id": boot, "settings": dumped, "versions": {"format": 1}})

    def up(
        self,
        name: str,
        *,
        serial: str = "",
        new_session: bool = False,
        since: str | None = None,
        firmware: Sequence[int] = (),
        digest: str = "",
        lost: tuple[int, int] | None = None,
        capabilities: int | None = None,
    ) -> Outcome:
        """A device answers HELLO, with the firmware that it had where no other is given. ``lost``
        are events that somebody else acknowledged."""
        device = self.table.devices.get(name)
        known = (device.firmware.partition(" ")[0] if device else "") or "1.0.0"
        if new_session:
            self.sessions[name] += 1000
            self.numbers[name] = 0
        body = {
            "up": True,
            "kind": name,
            "serial": serial or f"{name}-1",
            "firmware": list(firmware) or [int(part) for part in known.split(".")],
            "digest": digest,
            "new_session": new_session,
            "last_event": self.numbers[name],
            "taken": self.numbers[name],
            "down_since": since,
            **({"unheard": True} if name == "jackpot" else {}),
            **({"lost": list(lost)} if lost else {}),
            **({} if capabilities is None else {"capabilities": capabilities}),
        }
        return self.apply("link", body, device=name, session=self.sessions[name])

    def device(self, name: str, kind: str, **fields: Any) -> Outcome:
        """A device's event, numbered."""
        self.numbers[name] += 1
        number, session = self.numbers[name], self.sessions[name]
        return self.apply(kind, fields, device=name, session=session, event_no=number)

    def load(self) -> None:
        """The shoe has a whole set."""
        self.device("shoe", "SHOE_STATE", state=LOADED, remaining=self.settings.shoe_size)

    def slip(self, text: str, flags: int = 0, remaining: int = 0xFFFF) -> Outcome:
        """A card leaves the shoe whatever the gate says; ``??`` is unread. ``remaining`` is what
        the shoe tells behind it."""
        rank, suit = (0, 0) if text == "??" else parse_card(text)
        fields = {"rank": rank, "suit": suit, "flags": flags, "card_uid": 0, "remaining": remaining}
        return self.device("shoe", "CARD", **fields)

    # ---- people -------------------------------------------------------------------------------

    def enter(self, command: str) -> Outcome:
        """A dealer's command; it may have to wait for the gate."""
        return self.apply("dealer", {"command": command, "user": self.user})

    def lock(self, *, last_event: int | None = None, entry: int | None = None) -> Outcome:
        """The shoe has locked its gate."""
        waits = self.table.entering.pending or self.table.entering.leftover
        number = entry if entry is not None else waits.number if waits else 0
        last = self.numbers["shoe"] if last_event is None else last_event
        return self.apply("gate", {"entry": number, "last_event": last}, device="shoe")

    def give_commands(self, *commands: str) -> Outcome:
        """Dealer's commands, each waited for; refusals are raised."""
        outcome = Outcome()
        for command in commands:
            outcome = self.enter(command)
            if outcome.entry is not None:
                outcome = self.lock()
            for answer in outcome.answered:
                if answer.refused:
                    raise Refused(answer.refused, answer.clause, code=answer.code)
        return outcome

    def order(
        self,
        command: str,
        by: str | None = "Sue",
        why: str | None = "seen",
        user: str | None = "sue",
    ) -> Outcome:
        """A supervisor's command."""
        body = {"command": command, "by": by, "why": why, "user": user}
        return self.apply("supervisor", body)

    def key(self, char: str, *, supervisor: bool = False) -> Outcome:
        """One key."""
        return self.device("keypad", "KEY", key=char, supervisor=int(supervisor))

    def keys(self, pressed: str, *, supervisor: bool = False, lock: bool = True) -> str:
        """Keys, blanks left out; the second row after them."""
        for char in pressed.replace(" ", ""):
            self.key(char, supervisor=supervisor)
            while lock and self.table.entering.pending:
                self.lock()
        return self.wants().rows[1]

    # ---- the jackpot unit ---------------------------------------------------------------------

    def press(self, offer: int | None = None) -> Outcome:
        """The button is pressed."""
        number = offer if offer is not None else self.offer
        return self.device("jackpot", "PRESS", offer_id=number)

    def draw(self, multiplier: int, offer: int | None = None) -> Outcome:
        """The daemon draws, because the wants say so."""
        if offer is None:
            due = self.wants().draw
            assert due is not None
            offer = due[0]
        body = {"box": 1, "multiplier": multiplier, "ticket": 3, "total": 100, "rejected": []}
        return self.apply("draw", body, offer=offer)

    def meter_shows(self, multiplier: int, offer: int | None = None) -> Outcome:
        """The meter reports."""
        number = offer if offer is not None else self.offer
        return self.device("jackpot", "SHOWN", offer_id=number, multiplier=multiplier)

    def win(self, multiplier: int) -> None:
        """Press, draw, show."""
        self.press()
        self.draw(multiplier)
        self.meter_shows(multiplier)

    # ---- what is to be seen -------------------------------------------------------------------

    @property
    def offer(self) -> int:
        """Number of the offer that stands."""
        assert self.table.jackpot.offer is not None
        return self.table.jackpot.offer.number

    @property
    def state(self) -> str:
        """The state's path."""
        return self.table.state

    def status(self) -> Json:
        """The status."""
        return dict(status(self.table))

    def wants(self) -> Wants:
        """What every device should be doing."""
        return wants(self.table)
