"""What really happened at a table, and that the journal tells the same.

The devices are asked, never the daemon: what left the shoe, was pressed, and what the meter showed.
Every entry is looked at in the moment in which it becomes durable, and everything that leaves
the daemon in the moment in which it does. The rules that hold:

- every card that left the shoe is in the journal once and in order (but for those that a shoe lost
  with its memory before it was told that they are stored);
- an offer has one press and one draw; the meter is told nothing else, and shows nothing else;
- an event is acknowledged, a command answered, a multiplier shown only once it is durable;
- playing the journal again gives what was played, entry by entry.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from controller.forms.json_values import checked
from controller.journal.canonical import canonical, decode
from controller.journal.model import Entry
from controller.replay.replay import Replay, stored_outcome
from simulators.cards import Card

CENT = Decimal("0.01")
UNCHANGED = ("stand_off", "returned", "void")
OF_THE_MACHINE: Final = ("start", "readiness")
"""Entries that tell of a key which was made by chance, or of the machine's disks."""


class Violation(AssertionError):
    """A rule was broken; the message says which, and where."""


@dataclass(slots=True)
class OutCard:
    """A card that left the shoe, as the shoe told it; ``real`` as it lies on the table; the shoe's
    ``session``. ``lost``: its shoe forgot it before it knew that it was stored."""

    told: Card
    real: Card
    session: int
    lost: bool = False


def as_read(entry: Entry) -> Entry:
    """The entry as whoever opens the journal reads it, not as it was handed to the disk."""
    draft = entry.draft
    return replace(entry, draft=replace(draft, body=decode(canonical(draft.body))))


class Ledger:
    """The book of one table, over all lives of its daemon."""

    def __init__(self) -> None:
        self.cards: list[OutCard] = []
        self.unread: list[Card] = []
        self.pressed: set[int] = set()
        self.shown: dict[int, int] = {}
        self.draws: dict[int, int] = {}
        self.presses: set[int] = set()
        self.entries = 0
        self.course = hashlib.sha256()
        self.replay = Replay()
        self._next_card = 0
        self._events: dict[tuple[str, int], int] = {}
        self._misread: set[int] = set()
        self._lost_presses: set[int] = set()
        self._said = Counter[tuple[str, str]]()
        self._answered = Counter[tuple[str, str]]()

    # ---- what happens -------------------------------------------------------------------------

    def card_left(self, told: Card, real: Card, session: int) -> None:
        """A card has left the shoe, in this session of it."""
        self.cards.append(OutCard(told, real, session))
        if not told.rank:
            self.unread.append(real)

    def shoe_forgets(self, unacknowledged: int) -> None:
        """The shoe loses its memory: up to that number of cards may never be reported."""
        for card in self.cards[len(self.cards) - unacknowledged :]:
            card.lost = True

    def unit_forgets(self) -> None:
        """The jackpot unit loses its memory: of a press that is not stored nobody may ever hear,
        and the offer may be armed again."""
        lost = self.pressed - self.presses
        self._lost_presses |= lost
        self.pressed -= lost

    def unit_pressed(self, offer: int) -> None:
        """The button was pressed for an offer."""
        if offer in self.pressed:
            raise Violation(f"offer {offer} was armed again and pressed twice")
        self.pressed.add(offer)

    def unit_shows(self, offer: int, multiplier: int, *, readable: bool) -> None:
        """The meter shows something, for whoever stands there to see."""
        if not readable:
            self._misread.add(offer)
        if self.shown.setdefault(offer, multiplier) != multiplier:
            raise Violation(f"offer {offer} was shown {self.shown[offer]}x, and now {multiplier}x")

    # ---- what becomes durable -----------------------------------------------------------------

    def durable(self, entry: Entry) -> None:
        """An entry is on stable storage."""
        self.entries += 1
        if entry.type not in OF_THE_MACHINE:
            told = f"{entry.seq} {entry.boot} {entry.mono_ns} {entry.wall} {entry.type}"
            self.course.update(f"{told} {entry.body}\n".encode())
        for what in self.replay.replay_entry(as_read(entry)):
            raise Violation(f"entry {entry.seq} ({entry.type}): {what}")
        if entry.event_no is not None:
            self._event(entry)
        if entry.type == "CARD":
            self._card(entry)
        elif entry.type in ("PRESS", "pressed"):
            self._press(checked(int, entry.body["offer_id"]))
        elif entry.type == "draw":
            self._draw(entry)
        elif entry.type in ("dealer", "supervisor"):
            self._said[entry.type, str(entry.body["command"])] += 1
        elif entry.type == "SHOWN":
            self._check_shown(
                checked(int, entry.body["offer_id"]), checked(int, entry.body["multiplier"])
            )
        drawn = next(reversed(self.draws.values()), None)
        made = (stored_outcome(entry) or {}).get("settlements", [])
        for wrong in wrong_lines(checked(list[Mapping[str, object]], made), drawn):
            raise Violation(f"entry {entry.seq}: {wrong}")

    def _event(self, entry: Entry) -> None:
        key = str(entry.device), int(entry.session or 0)
        self._events[key] = max(self._events.get(key, 0), int(entry.event_no or 0))

    def _card(self, entry: Entry) -> None:
        body = entry.body
        stored = (body["rank"], body["suit"], body["flags"])
        while self._next_card < len(self.cards):
            card = self.cards[self._next_card]
            self._next_card += 1
            if card.lost and card.session != entry.session:
                continue  # forgotten; the next one may be its equal
            if stored == (card.told.rank, card.told.suit, card.told.flags):
                return
            if not card.lost:
                raise Violation(
                    f"entry {entry.seq} has card {stored}, but {card.told} left the shoe next"
                )
        raise Violation(f"entry {entry.seq} has card {stored}, which never left the shoe")

    def _press(self, offer: int) -> None:
        if offer not in self.pressed | self._lost_presses:
            raise Violation(f"a press for offer {offer} is stored, and nobody pressed")
        self.presses.add(offer)

    def _draw(self, entry: Entry) -> None:
        offer = int(entry.offer or 0)
        if offer in self.draws:
            raise Violation(f"a second draw for offer {offer}")
        if offer not in self.presses:
            raise Violation(f"a draw for offer {offer}, whose press is not stored")
        self.draws[offer] = checked(int, entry.body["multiplier"])

    def _check_shown(self, offer: int, multiplier: int) -> None:
        if offer in self._misread:
            return
        if self.draws.get(offer) != multiplier:
            raise Violation(
                f"offer {offer}: {multiplier}x is stored as shown, {self.draws.get(offer)}x drawn"
            )

    # ---- what leaves the daemon ---------------------------------------------------------------

    def acknowledged(self, device: str, session: int, event_no: int) -> None:
        """The daemon tells a device that it may forget."""
        stored = self._events.get((device, session), 0)
        if event_no > stored:
            raise Violation(
                f"event {event_no} of {device} is acknowledged, {stored} is the last one stored"
            )

    def told_to_show(self, offer: int, multiplier: int) -> None:
        """The daemon has the meter show a multiplier."""
        if self.draws.get(offer) != multiplier:
            raise Violation(
                f"the meter is told {multiplier}x for offer {offer}, "
                f"stored is {self.draws.get(offer)}"
            )

    def answered(self, who: str, command: str) -> None:
        """Somebody is told that his command is done."""
        self._answered[who, command] += 1
        if self._answered[who, command] > self._said[who, command]:
            raise Violation(f"{who}: {command} is answered and not stored")

    # ---- at the end ---------------------------------------------------------------------------

    def missing(self) -> Iterator[str]:
        """What the journal should hold by now and does not."""
        for card in self.cards[self._next_card :]:
            if not card.lost:
                yield f"card {card.told} left the shoe and is not stored"
        for offer in sorted(self.pressed - self.draws.keys()):
            yield f"offer {offer} was pressed and has no draw"
        for offer, shown in self.shown.items():
            if self.draws.get(offer) != shown:
                yield f"offer {offer}: the meter showed {shown}x, drawn {self.draws.get(offer)}"


# ---- the money of a round, calculated again from what a player would see -----------------------


def wrong_lines(lines: Sequence[Mapping[str, Any]], multiplier: int | None) -> Iterator[str]:
    """What is wrong with settlements: ``multiplier`` is the last one drawn. A win pays its odds, a
    loss costs its stake at most, a stand-off nothing, and a Pandemonium wager what was drawn."""
    for line in lines:
        where = f"box {line['box']}{line['bettor']} {line['kind']}"
        if line["stake"] is None or line["net"] is None:
            continue
        stake, net = Decimal(line["stake"]), Decimal(line["net"])
        if line["outcome"] == "win":
            pays, to = map(int, line["odds"].split(":"))
            if abs(net - stake * pays / to) >= CENT:
                yield f"{where}: {stake} at {line['odds']} is not {net}"
            if line["kind"] == "pandemonium" and pays != multiplier:
                yield f"{where}: is paid {pays}x, drawn was {multiplier}x"
        elif line["outcome"] == "lose" and net != -stake:
            yield f"{where}: {stake} is lost, and {net} is settled"
        elif line["outcome"] in UNCHANGED and net:
            yield f"{where}: {stake} is {line['outcome']}, and {net} is settled"


def unsettled(state: Mapping[str, Any]) -> Iterator[str]:
    """The wagers of a round that is over for which nothing was settled."""
    settled = {(line["box"], line["bettor"], line["kind"]) for line in state["settlements"]}
    for number, box in state["boxes"].items():
        for bettor, placed in box["wagers"].items():
            for kind in placed:
                if (int(number), bettor, kind) not in settled:
                    yield f"box {number}{bettor}: nothing is settled for its {kind} wager"
