"""The live table: a function of its events.

:meth:`Table.apply` is the only way in. It takes one event, changes the table, and returns what it
did; an entry that may not be is refused and changes nothing. The table knows what every device
should be doing and what is to be said (:mod:`~.status`, :mod:`~.prompt`), but does none of it.

What an event does is in the file of its kind: :mod:`~.betting`, :mod:`~.cards_in`,
:mod:`~.jackpot`, :mod:`~.keys`, :mod:`~.links`, :mod:`~.supervising`. Entries of the dealer go
through the :mod:`~.fence`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from controller.round.play import Round
from controller.round.refusal import Refused
from controller.round.steps.step import Malformed
from controller.round.wagers import Sheet
from controller.rules.cards import Card
from controller.rules.schema import RuleSet
from controller.table.dealing import cards_in, putting_right
from controller.table.devices import displays, links
from controller.table.devices.device import Device
from controller.table.entering import attempts, commands, fence, keys, supervising, undo
from controller.table.entering.entries import Entry
from controller.table.entering.keys import Keypad
from controller.table.entering.undo import Saved
from controller.table.entering.waits import Leftover, Pending
from controller.table.events import Event, Outcome
from controller.table.holds import conditions
from controller.table.holds.hold import Hold, LooseCard, as_told
from controller.table.jackpot import unit
from controller.table.jackpot.unit import Offer
from controller.table.settings import Settings
from controller.table.shoe.book import ShoeBook
from controller.table.shoe.card_sets import CardSets
from controller.table.showing.prompt import needed_device

IDLE: Final = "idle"
BETTING: Final = "betting"
PLAYING: Final = "playing"
ENDED: Final = "ended"


class Table:
    """A live table. All attributes may be read; only :meth:`apply` changes them.

    ``used`` counts the cards that have left the present shoe; ``drawn`` are those of the round, in
    order; ``cards_taken`` came through an open gate, ``cards_seen`` at all; ``told`` settlements
    and ``remarked`` remarks of the round have been told by outcomes; ``reshuffled`` is the round in
    which the discards were. ``burning``: the next card is burned; ``squeezed`` boxes are dealt face
    down, ``kept`` is the card that the round has not got before one is turned; ``checked``: who has
    checked the cards of a closed table. ``conditions`` of the box that stand, with their
    particulars; ``postponed`` are those that hold play when the round is over. ``digests``
    are those of the last start record; ``stopped``: a stop in good order followed it. ``devices``
    by kind, of which there is one each, but displays by name.
    """

    def __init__(self) -> None:
        self.adopted: Settings | None = None
        self.next_settings: Settings | None = None
        self.boot_id = ""
        self.digests: dict[str, str] = {}
        self.stopped = False
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
        self.holds: list[Hold] = []
        self.conditions: dict[str, str] = {}
        self.postponed: dict[str, str] = {}
        self.pending: Pending | None = None
        self.leftover: Leftover | None = None
        self.entries = 0
        self.resumed = 0
        self.offer: Offer | None = None
        self.next_offer = 1
        self.last_draw = 0
        self.saved: Saved | None = None
        self.keypad = Keypad()
        self.shuffle: int | None = None
        self.cutting_card = False
        self.book = ShoeBook()
        self.sets = CardSets()
        self.burning = False
        self.squeezed: frozenset[int] = frozenset()
        self.kept: LooseCard | None = None
        self.checked: frozenset[str] = frozenset()
        self.notice = ""
        self.outcome = Outcome()
        self.told = 0
        self.remarked = 0
        self.reshuffled = 0

    # ---- the way in ---------------------------------------------------------------------------

    def apply(self, event: Event) -> Outcome:
        """Take one event.

        Raises:
            Refused: a dealer's or supervisor's entry that may not be; nothing has changed.
            Malformed: one that cannot be read; nothing has changed.
            ValueError: an event that no table knows, or a second draw for an offer.
        """
        handler = _HANDLERS.get(event.type)
        if handler is None and event.event_no is None:
            raise ValueError(f"no table knows an event of type {event.type!r}")
        self.outcome = Outcome()
        device = self.named(event.device)
        if device is not None and event.event_no is not None:
            device.session, device.last_event = event.session or 0, event.event_no
        if device is not None and device.only_shows:
            handler = displays.HANDLERS.get(event.type)
        if handler is not None:
            handler(self, event)
        fence.judge(self)
        self._follow_up()
        conditions.follow(self)
        self.outcome.state = self.state
        return self.outcome

    def _follow_up(self) -> None:
        """What the event has brought about: a new offer, new settlements, the round's end."""
        rnd = self.rnd
        if rnd is None:
            return
        putting_right.follow(self)
        missing = needed_device(self)
        if missing and missing.fault == "shoe-empty":
            putting_right.shoe_ran_out(self)
        rnd = self.rnd
        assert rnd
        unit.follow(self)
        if self.phase == PLAYING and rnd.ended:
            self.phase, self.saved = ENDED, None
            if rnd.state == "void":
                self.told = 0
        if len(rnd.settlements) > self.told:
            self.outcome.settlements += [
                settlement.as_result() for settlement in rnd.settlements[self.told :]
            ]
            self.told = len(rnd.settlements)

    # ---- what is to be seen -------------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """The settings that the present round is played under."""
        if self.adopted is None:
            raise ValueError("the table has not been started")
        return self.adopted

    @property
    def started(self) -> bool:
        """Whether a start record has been taken."""
        return self.adopted is not None

    @property
    def rules(self) -> RuleSet:
        """The rules that the present round is played under."""
        return self.settings.rules

    @property
    def hold(self) -> Hold | None:
        """The hold that is to be dealt with first."""
        return self.holds[0] if self.holds else None

    @property
    def reason(self) -> str:
        """Why the table is held: every reason, the gravest first."""
        return "; ".join(hold.reason for hold in as_told(self.holds))

    @property
    def state(self) -> str:
        """Dotted path of the state; a held table says so before the state it is held in."""
        state = self.rnd.state if self.rnd and self.phase in (PLAYING, ENDED) else self.phase
        return f"held.{state}" if self.hold else state

    @property
    def clause(self) -> str:
        """The clause that governs the present state."""
        if self.rnd is not None and self.phase == PLAYING:
            return self.rnd.clause
        return self.rules.states.get(self.phase, "")

    @property
    def mid_round(self) -> bool:
        """Whether bets are closed and the round is not over."""
        return self.phase == PLAYING

    @property
    def card_expected(self) -> bool:
        """Whether a card may leave the shoe now: for the round, or to be burned."""
        if self.phase != PLAYING or self.rnd is None:
            return self.burning
        return self.rnd.card_expected and self.kept is None

    @property
    def gate_cards(self) -> int:
        """How many cards may leave the shoe now, one after the other, if it can give them."""
        if self.hold or self.pending or self.leftover or not self.card_expected:
            return 0
        if self.burning:
            return 1
        assert self.rnd
        if self.rnd.options and putting_right.due_but_for_options(self.rnd):
            return 0
        return self.rnd.cards_in_sequence

    @property
    def gate_open_for(self) -> int:
        """How many cards the gate is to let pass now."""
        shoe = self.devices.get("shoe")
        return self.gate_cards if shoe and shoe.can_give else 0

    def has(self, kind: str) -> bool:
        """Whether a device of that kind is configured."""
        return kind in self.devices

    def is_up(self, kind: str) -> bool:
        """Whether a device of that kind is configured and its link is up."""
        return kind in self.devices and self.devices[kind].up

    def named(self, name: str | None) -> Device | None:
        """The device of that name in the configuration."""
        return next((device for device in self.devices.values() if device.name == name), None)

    def permitted(self) -> list[str]:
        """The dealer's commands that may be given now, as templates."""
        return commands.permitted(self)

    # ---- entries of the dealer ----------------------------------------------------------------

    def take_entry(self, text: str, *, from_keypad: bool = False) -> None:
        """An entry: judged now, or pending until the gate is locked."""
        fence.take_entry(self, text, from_keypad=from_keypad)

    def answer_pending(self, refused: Refused) -> None:
        """The entry that waits is refused, whatever the gate says."""
        if self.pending is not None:
            pending, self.pending = self.pending, None
            fence.answer(self, pending, refused)

    def enter(self, entry: Entry) -> None:
        """Carry out an entry, or refuse it and change nothing."""
        commands.enter(self, entry)

    def save(self, said: str) -> None:
        """Remember the play as it is, so that the entry ``said`` can be taken back."""
        self.saved = undo.save(self, said)


def _dealer(table: Table, event: Event) -> None:
    table.take_entry(str(event.body["command"]))


def _stop(table: Table, event: Event) -> None:
    """A stop in good order: play goes on after the next start."""
    table.stopped = True


_HANDLERS: Final[Mapping[str, Callable[[Table, Event], None]]] = {
    "condition": conditions.condition,
    "dealer": _dealer,
    "gate": fence.gate,
    "stop": _stop,
    "start": links.start,
    "link": links.link,
    "supervisor": supervising.supervisor,
    "draw": unit.draw,
    "overdue": unit.overdue,
    "pressed": unit.pressed,
    "shown": unit.shown_read,
    "refused": links.refused,
    "refused-attempt": attempts.refused_attempt,
    "PRESS": unit.press,
    "SHOWN": unit.shown,
    "STUCK": unit.stuck,
    "COVER": unit.cover,
    "CARD": cards_in.card,
    "CUTTING_CARD": cards_in.cutting_card,
    "SHOE_STATE": cards_in.shoe_state,
    "SHUFFLER_STATE": links.shuffler_state,
    "SHUFFLE_DONE": links.shuffle_done,
    "CARD_DISCREPANCY": links.discrepancy,
    "FAULT": links.fault,
    "KEY": keys.key,
}

__all__ = ["BETTING", "ENDED", "IDLE", "PLAYING", "Malformed", "Pending", "Table"]
