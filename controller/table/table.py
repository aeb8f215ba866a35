"""The live table: a function of its events.

:meth:`Table.apply` is the only way in. It takes one event, changes the table, and returns what it
did; an entry that may not be is refused and changes nothing. The table knows what every device
should be doing (:mod:`controller.table.wanting`) and what is to be said (:mod:`~.prompt`,
:mod:`~.status`), but does none of it.

While the shoe may give a card, a dealer's entry waits until the gate is known to be locked and
every card drawn before is taken; then it is judged. A decision on a hand that such a card has
changed is refused: it was made on another hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from controller.rules.cards import Card
from controller.rules.schema import RuleSet
from controller.table import cards_in, jackpot, keys, links, supervising
from controller.table.devices import Device
from controller.table.entries import Entry, TableEntry, WagerEntry, read_entry
from controller.table.events import Answered, Event, Outcome
from controller.table.holds import Hold, LooseCard
from controller.table.jackpot import Offer
from controller.table.keys import Keypad
from controller.table.model import Refused
from controller.table.permitted import permitted
from controller.table.round import Round
from controller.table.settings import Settings
from controller.table.steps import Malformed, Step
from controller.table.wagers import Sheet, check_sheet, check_wager

IDLE: Final = "idle"
BETTING: Final = "betting"
PLAYING: Final = "playing"
ENDED: Final = "ended"

NO_CARD_FOLLOWS: Final = frozenset({"hit"})
"""Entries that leave the next card's destination as it is: they need not wait for the gate."""


@dataclass(slots=True)
class Pending:
    """An entry that waits for the gate: its number, who made it, the cards taken when it came,
    and the last event before the gate was locked, once known."""

    number: int
    entry: Entry
    from_keypad: bool
    cards: int
    locked_at: int | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """The play before the last entry, to take it back."""

    phase: str
    sheet: Sheet
    rnd: Round | None
    offer: Offer | None
    said: str


class Table:
    """A live table. All attributes may be read; only :meth:`apply` changes them."""

    def __init__(self) -> None:
        self._settings: Settings | None = None
        self.next_settings: Settings | None = None
        self.boot_id = ""
        self.phase = IDLE
        self.round_number = 0
        self.sheet = Sheet()
        self.rnd: Round | None = None
        self.drawn: list[LooseCard] = []
        self.draws: list[dict[str, int]] = []
        self.used: Counter[Card] = Counter()
        self.cards_taken = 0
        self.cards_seen = 0
        self.devices: dict[str, Device] = {}
        self.hold: Hold | None = None
        self.pending: Pending | None = None
        self.entries = 0
        self.offer: Offer | None = None
        self.next_offer = 1
        self.saved: Saved | None = None
        self.keypad = Keypad()
        self.shuffle: int | None = None
        self.cutting_card = False
        self.notice = ""
        self.outcome = Outcome()
        self._told = 0

    # ---- the way in ---------------------------------------------------------------------------

    def apply(self, event: Event) -> Outcome:
        """Take one event.

        Raises:
            Refused: a dealer's or supervisor's entry that may not be; nothing has changed.
            Malformed: one that cannot be read; nothing has changed.
            ValueError: an event that no table knows.
        """
        handler = _HANDLERS.get(event.type)
        if handler is None and event.event_no is None:
            raise ValueError(f"no table knows an event of type {event.type!r}")
        self.outcome = Outcome()
        if event.event_no is not None and event.device in self.devices:
            device = self.devices[event.device]
            device.session, device.last_event = event.session or 0, event.event_no
        if handler is not None:
            handler(self, event)
        self._judge_pending()
        self._follow_up()
        self.outcome.state = self.state
        return self.outcome

    def _follow_up(self) -> None:
        """What the event has brought about: a new offer, new settlements, the round's end."""
        rnd = self.rnd
        if rnd is None:
            return
        jackpot.follow(self)
        if self.phase == PLAYING and rnd.ended:
            self.phase = ENDED
            if rnd.state == "void":
                self._told = 0
        if len(rnd.settlements) > self._told:
            self.outcome.settlements += [
                settlement.as_result() for settlement in rnd.settlements[self._told :]
            ]
            self._told = len(rnd.settlements)

    # ---- what is to be seen -------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The settings that the present round is played under."""
        if self._settings is None:
            raise ValueError("the table has not been started")
        return self._settings

    @property
    def started(self) -> bool:
        """Whether a start record has been taken."""
        return self._settings is not None

    @property
    def rules(self) -> RuleSet:
        """The rules that the present round is played under."""
        return self.settings.rules

    @property
    def state(self) -> str:
        """Dotted path of the state; a held table says so before the state it is held in."""
        state = self.rnd.state if self.rnd and self.phase in (PLAYING, ENDED) else self.phase
        return f"held.{state}" if self.hold else state

    @property
    def mid_round(self) -> bool:
        """Whether bets are closed and the round is not over."""
        return self.phase == PLAYING

    @property
    def card_expected(self) -> bool:
        """Whether the round would take a card now."""
        return self.phase == PLAYING and self.rnd is not None and self.rnd.card_expected

    @property
    def gate_cards(self) -> int:
        """How many cards may leave the shoe now, one after the other."""
        if self.hold or self.pending or not self.card_expected or self.rnd is None:
            return 0
        return self.rnd.cards_in_sequence

    def has(self, device: str) -> bool:
        """Whether a device of that name is configured."""
        return device in self.devices

    def is_up(self, device: str) -> bool:
        """Whether that device is configured and its link is up."""
        return device in self.devices and self.devices[device].up

    def permitted(self) -> list[str]:
        """The dealer's commands that may be given now, as templates."""
        if self.hold or self.pending:
            return []
        commands: list[str] = []
        match self.phase:
            case "idle":
                commands = ["open"]
            case "betting":
                kinds = [
                    kind
                    for kind in ("main", *self.rules.betting.side_wagers.value)
                    if kind != "pandemonium" or self.is_up("jackpot")
                ]
                commands = [f"wager BOX {kind} AMOUNT" for kind in kinds]
                if not self._close_refused():
                    commands.append("close")
            case "playing":
                assert self.rnd
                commands = permitted(self.rnd)
            case "ended":
                commands = ["next", "open"]
        if self.saved:
            commands.append("undo")
        if self.is_up("shuffler"):
            commands += ["shuffle 1", "shuffle 2"]
        return commands

    # ---- entries of the dealer ----------------------------------------------------------------

    def take_entry(self, text: str, *, from_keypad: bool = False) -> None:
        """An entry: judged now, or pending until the gate is locked.

        Raises:
            Refused, Malformed: as :meth:`apply`.
        """
        entry = read_entry(text)
        if self.hold:
            raise Refused(f"the table is held: {self.hold.reason}")
        if self.pending:
            raise Refused("the entry before this one still waits for the card shoe")
        self.entries += 1
        if self.gate_cards and not (isinstance(entry, Step) and entry.verb in NO_CARD_FOLLOWS):
            trouble = self.devices["shoe"].trouble()
            if trouble:
                self.entries -= 1
                raise Refused(f"{trouble}; until it is back a card may still be on its way")
            self.pending = Pending(self.entries, entry, from_keypad, self.cards_seen)
            self.outcome.entry = self.entries
            return
        try:
            self.enter(entry)
        except Refused:
            self.entries -= 1
            raise
        self.outcome.answered.append(Answered(self.entries))

    def _judge_pending(self) -> None:
        """Judge the pending entry once the gate is locked and what came before is taken."""
        pending = self.pending
        if pending is None or pending.locked_at is None:
            return
        if self.devices["shoe"].last_event < pending.locked_at:
            return
        self.pending = None
        try:
            if self.hold:
                raise Refused(f"the table is held: {self.hold.reason}")
            if self.cards_seen != pending.cards and isinstance(pending.entry, Step):
                last = self.drawn[-1] if self.drawn else "a card"
                raise Refused(f"{last} left the shoe before it: decide on the hand as it is now")
            self.enter(pending.entry)
        except Refused as refused:
            self.answer_pending(pending, refused)
        else:
            self.answer_pending(pending, None)

    def answer_pending(self, pending: Pending, refused: Refused | None) -> None:
        """Say what became of an entry that waited; go on with keys pressed meanwhile."""
        if refused is None:
            self.outcome.answered.append(Answered(pending.number))
        else:
            self.outcome.answered.append(Answered(pending.number, refused.reason, refused.clause))
        if pending.from_keypad:
            keys.tell(self, refused)
        keys.work_off(self)

    def enter(self, entry: Entry) -> None:
        """Carry out an entry, or refuse it and change nothing."""
        match entry:
            case WagerEntry():
                self._wager(entry)
            case TableEntry(verb="open"):
                self._open()
            case TableEntry(verb="close"):
                self._close()
            case TableEntry(verb="next"):
                self._next()
            case TableEntry(verb="undo"):
                self._undo()
            case TableEntry(verb="shuffle"):
                self._shuffle(entry.number)
            case Step():
                self._step(entry)
        self.notice = ""

    def save(self, said: str) -> None:
        """Remember the play as it is, so that the entry ``said`` can be taken back."""
        self.saved = Saved(self.phase, self.sheet.clone(), self.rnd, self.offer, said)

    def _undo(self) -> None:
        saved = self.saved
        if saved is None:
            raise Refused("nothing can be taken back: a card, press or payment has followed")
        self.phase, self.sheet, self.rnd, self.offer = (
            saved.phase,
            saved.sheet,
            saved.rnd,
            saved.offer,
        )
        self.saved = None
        self.outcome.notes.append(f"taken back: {saved.said}")

    def _open(self) -> None:
        if self.phase not in (IDLE, ENDED):
            raise Refused(f"bets cannot be opened now ({self.state})", self._clause())
        if self.phase == ENDED:
            self._next()
        self.phase = BETTING
        self.round_number += 1
        self.saved = None

    def _wager(self, entry: WagerEntry) -> None:
        if self.phase != BETTING:
            raise Refused(
                f"no wager may be placed, changed or taken out now ({self.state})",
                self.rules.betting.closed.clause,
            )
        seat, settings = entry.seat, self.settings
        bettor = seat.bettor or "a"
        if entry.kind == "pandemonium" and entry.stake != 0 and not self.is_up("jackpot"):
            raise Refused(f"no Pandemonium wagers: {self._jackpot_trouble()}")
        check_wager(
            settings.rules,
            settings.limits,
            entry.kind,
            seat.box,
            bettor,
            entry.stake,
            settings.boxes,
        )
        self.save(f"wager {seat} {entry.kind}")
        self.sheet.set(entry.kind, seat.box, bettor, entry.stake)

    def _jackpot_trouble(self) -> str:
        if not self.has("jackpot"):
            return "this table has no jackpot unit"
        return self.devices["jackpot"].trouble()

    def _close_refused(self) -> Refused | None:
        try:
            check_sheet(self.rules, self.sheet)
        except Refused as refused:
            return refused
        if self.sheet.count("pandemonium") and not self.is_up("jackpot"):
            return Refused(
                f"{self._jackpot_trouble()}: take the Pandemonium wagers out or wait for it"
            )
        return None

    def _close(self) -> None:
        if self.phase != BETTING:
            raise Refused(f"bets are not open ({self.state})", self._clause())
        refused = self._close_refused()
        if refused is not None:
            raise refused
        self.save("close")
        self.rnd = Round(self.rules, self.settings.limits, self.sheet)
        self.phase = PLAYING
        self.drawn, self.draws, self._told = [], [], 0
        self.offer = None

    def _next(self) -> None:
        if self.phase != ENDED:
            raise Refused(f"the round is not over ({self.state})", self._clause())
        self.phase, self.rnd, self.saved, self.offer = IDLE, None, None, None
        self.drawn, self.draws = [], []
        self.sheet.clear_side_wagers()
        if self.next_settings is not None:
            self.adopt(self.next_settings)

    def adopt(self, settings: Settings) -> None:
        """Play under these settings from now on; wagers that they do not know go."""
        if self._settings is not None and self._settings.rules.id != settings.rules.id:
            self.sheet = Sheet()
        for kind, boxes in self.sheet.wagers.items():
            for box, bettors in list(boxes.items()):
                for bettor, stake in list(bettors.items()):
                    try:
                        check_wager(
                            settings.rules,
                            settings.limits,
                            kind,
                            box,
                            bettor,
                            stake,
                            settings.boxes,
                        )
                    except Refused:
                        self.sheet.set(kind, box, bettor, 0)
        self._settings, self.next_settings = settings, None

    def _shuffle(self, card_set: int) -> None:
        if not self.is_up("shuffler"):
            known = self.devices.get("shuffler")
            raise Refused(known.trouble() if known else "this table has no shuffler")
        self.shuffle = card_set

    def _step(self, step: Step) -> None:
        if self.phase != PLAYING or self.rnd is None:
            raise Refused(f"{step} is not permitted now ({self.state})", self._clause())
        trial = self.rnd.clone()
        trial.step(step)
        paid = len(trial.settlements) > len(self.rnd.settlements)
        said_paid = self.rnd.state == "jackpot.paying"
        if step.verb != "hit":
            self.save(str(step))
        if paid or said_paid:
            self.saved = None
        self.rnd = trial

    def _clause(self) -> str:
        if self.rnd is not None and self.phase == PLAYING:
            return self.rnd.clause
        return self.rules.states.get(self.phase, "")


def _dealer(table: Table, event: Event) -> None:
    table.take_entry(str(event.body["command"]))


def _gate(table: Table, event: Event) -> None:
    if table.pending is not None:
        table.pending.locked_at = int(event.body["last_event"])


def _stop(table: Table, event: Event) -> None:
    """A stop in good order changes nothing: play goes on after the next start."""


_HANDLERS: Final[Mapping[str, Callable[[Table, Event], None]]] = {
    "dealer": _dealer,
    "gate": _gate,
    "stop": _stop,
    "start": links.start,
    "link": links.link,
    "supervisor": supervising.supervisor,
    "draw": jackpot.draw,
    "overdue": jackpot.overdue,
    "PRESS": jackpot.press,
    "SHOWN": jackpot.shown,
    "STUCK": jackpot.stuck,
    "COVER": jackpot.cover,
    "CARD": cards_in.card,
    "CUTTING_CARD": cards_in.cutting_card,
    "SHOE_STATE": cards_in.shoe_state,
    "SHUFFLER_STATE": links.shuffler_state,
    "SHUFFLE_DONE": links.shuffle_done,
    "FAULT": links.fault,
    "KEY": keys.key,
}

__all__ = ["BETTING", "ENDED", "IDLE", "PLAYING", "Malformed", "Pending", "Table"]
