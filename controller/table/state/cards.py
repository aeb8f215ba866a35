"""The count of the shoe and the two card sets; the cards that have left it, and the round in
progress for which they have."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

from controller.game.round.model import Settlement
from controller.game.round.result_fields import SettlementResult
from controller.game.round.state import Round
from controller.game.round.states import RoundPart, State
from controller.game.rules.cards import UNREAD, Card
from controller.table.state.parts import Part
from drivers.vocabulary import FACE_UP, FOREIGN, TOGETHER

MARKS = ((FACE_UP, "^"), (FOREIGN, "%"), (TOGETHER, "&"))


@dataclass(slots=True)
class LooseCard:
    """A card that left the shoe and has no place yet; ``card`` None: unread; ``leftover``: it left
    before the gate was known to be locked after a void round; ``used``: the supervisor permits it
    to be played as it came; ``down``: the box where it lies face down until the dealer turns it."""

    card: Card | None
    flags: int
    foreign: bool = False
    leftover: bool = False
    used: bool = False
    down: int = 0

    def name(self, card: Card) -> None:
        """Name a card that the shoe could not read."""
        self.card = card

    def permit(self) -> None:
        """Permit it to be played as it came."""
        self.used = True

    def __str__(self) -> str:
        return marked(self.card, self.flags | (FOREIGN if self.foreign else 0))


def marked(card: Card | None, flags: int) -> str:
    """A card with the marks of round scripts."""
    text = UNREAD if card is None else str(card)
    return text + "".join(mark for flag, mark in MARKS if flags & flag)


@dataclass(frozen=True, slots=True)
class Doubt:
    """``why`` the cards in the shoe are out of play; ``unshuffled``: for nothing but that, so that
    shuffled they may be played; ``card_set``: the set that was in it, where it is known."""

    why: str
    unshuffled: bool
    card_set: int | None = None


@dataclass(slots=True)
class ShoeBook:
    """``counted``: it is known how many cards are in the shoe; ``lost``: it was known once, and the
    next number that the shoe tells counts; ``fresh``: it was loaded between rounds and no card has
    left it; ``out``: the cards that have left it; ``surplus``: how many more cards than a full set
    (below 0: fewer) a supervisor has accepted; ``told``: the number of remaining cards that the
    shoe told last, None where it does not count; ``opened``: its lid was opened since it reported
    that it is loaded; ``burned`` are its burned cards.

    ``due_after`` is the round after which a shuffle is due, and ``why``; ``doubt``: its cards are
    out of play; ``doubted``: the round that was last judged so, and the reason; ``in_order``: the
    last cards that have left it, as far as they are in rank order of one suit."""

    counted: bool = False
    fresh: bool = False
    out: int = 0
    told: int | None = None
    burned: tuple[str, ...] = ()
    due_after: int | None = None
    why: str = ""
    lost: bool = False
    surplus: int = 0
    opened: bool = False
    doubt: Doubt | None = None
    doubted: tuple[int, str] = (0, "")
    in_order: tuple[Card, ...] = ()


@dataclass(slots=True)
class CardSets:
    """``in_shoe`` is the set in play, where it is known, ``before`` the one before it; ``held``
    tells for each set whether the shuffler holds it; ``finished`` is the last one that it shuffled
    since the shoe was loaded; ``blocked`` has the reasons why sets may not be played; ``amiss``
    what the shuffle in progress has found."""

    in_shoe: int | None = None
    before: int | None = None
    held: dict[int, bool] = field(default_factory=dict)
    finished: int | None = None
    blocked: dict[int, str] = field(default_factory=dict)
    amiss: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Shoe(Part):
    """``used`` counts the cards that have left the present shoe; ``cards_taken`` came through an
    open gate, ``cards_seen`` at all; ``burning``: the next card is burned; ``shuffle`` is the set
    that the shuffler is to shuffle; ``cutting_card``: it has come since the shoe was loaded;
    ``cuts``: the box whose player cuts then, and the place of its clause."""

    TAKEN_BACK: ClassVar = ("burning",)

    used: Counter[Card] = field(default_factory=Counter)
    cards_taken: int = 0
    cards_seen: int = 0
    book: ShoeBook = field(default_factory=ShoeBook)
    sets: CardSets = field(default_factory=CardSets)
    burning: bool = False
    cutting_card: bool = False
    cuts: tuple[int, int] | None = None
    shuffle: int | None = None

    def use(self, card: Card) -> None:
        """Count a card that has left the shoe."""
        self.used[card] += 1

    def correct(self, was: Card, card: Card) -> None:
        """Correct the count of a misread card."""
        self.used = self.used + Counter({card: 1})
        self.used[was] -= 1

    def lies_out(self, cards: Counter[Card]) -> None:
        """Reset the count: only these cards have left the shoe, the discards are back in it."""
        self.used = cards

    def burn(self, card: str) -> None:
        """Record a burned card, as text."""
        self.book.burned += (card,)

    def lose_count(self) -> None:
        """Record that nobody knows how many cards are in the shoe."""
        self.book.counted, self.book.fresh, self.book.lost = False, False, True

    def lid(self, *, opened: bool) -> None:
        """Record that the lid of the shoe is open: cards may be put in or taken out; or that the
        shoe is loaded, and what is in it compared."""
        self.book.opened = opened

    def shuffle_due(self, after: int, why: str) -> None:
        """Record that a shuffle is due after that round."""
        self.book.due_after, self.book.why = after, why


@dataclass(frozen=True, slots=True)
class Cleared:
    """A round that was cleared away, with its cards, and the number of settlements told of it."""

    rnd: Round
    drawn: list[LooseCard]
    told: int


@dataclass(slots=True)
class Dealing(Part):
    """``drawn`` are the cards of the round in the order in which they left the shoe; ``squeezed``
    boxes are dealt face down, ``kept`` is the card that is kept back from the round until cards are
    turned; ``told`` and ``remarked`` are the numbers of settlements and remarks of the round that
    outcomes have reported; ``reshuffled`` is the round in which the discards were shuffled;
    ``owed`` are the settlements told since the last ``done``, card or press; ``by_dealer``: a
    correction that is not judged yet was begun by the dealer; ``cleared`` is the round that was
    cleared away, until bets are opened; ``doubts`` are the triggers of the round for which its
    cards are doubted, until the next one begins."""

    TAKEN_BACK: ClassVar = (
        *("rnd", "drawn", "squeezed", "told", "remarked"),
        *("owed", "by_dealer", "cleared", "doubts"),
    )

    rnd: Round | None = None
    drawn: list[LooseCard] = field(default_factory=list)
    squeezed: frozenset[int] = frozenset()
    kept: LooseCard | None = None
    told: int = 0
    remarked: int = 0
    reshuffled: int = 0
    owed: list[Settlement] = field(default_factory=list)
    by_dealer: bool = False
    cleared: Cleared | None = None
    doubts: tuple[str, ...] = ()

    def begin_round(self, rnd: Round) -> None:
        """Begin a round without cards; bets are closed."""
        self.rnd, self.drawn, self.told, self.owed = rnd, [], 0, []
        self.doubts = ()

    def update(self, rnd: Round) -> None:
        """Replace the round with the next one, ``rnd``. What a round that becomes void had settled
        is taken back, in place of what was due before; then its own settlements follow."""
        before, self.rnd = self.rnd, rnd
        if rnd.state == State.VOID and before is not None and before.state != State.VOID:
            self.told, self.owed = 0, []
            settled = (one for one in before.settlements if one.outcome != "returned")
            self.owed = [one.reversed() for one in settled]

    def correct_by(self, *, dealer: bool) -> None:
        """Record who corrects; what the dealer has begun is the dealer's until it is judged."""
        begun = bool(self.rnd and self.rnd.irregular.edits)
        self.by_dealer = dealer or (begun and self.by_dealer)

    def judged(self, rnd: Round) -> None:
        """Replace the round with the one that its corrections make of it."""
        self.rnd, self.by_dealer = rnd, False

    def call_back(self) -> None:
        """Drop a round that has not begun: all else stays as it was before the bets were closed."""
        self.rnd = None

    def doubt(self, trigger: str) -> None:
        """Record that the cards of the round are doubted, and why."""
        self.doubts = tuple(dict.fromkeys([*self.doubts, trigger]))

    def clear(self) -> None:
        """Clear the round."""
        if self.rnd is not None and self.rnd.state == State.SETTLED:
            self.cleared = Cleared(self.rnd, self.drawn, self.told)
        self.rnd, self.drawn, self.squeezed, self.owed = None, [], frozenset(), []

    def bring_back_cleared(self) -> None:
        """Bring the round that was cleared away back, for a correction."""
        assert self.cleared
        self.rnd, self.drawn, self.told = self.cleared.rnd, self.cleared.drawn, self.cleared.told
        self.cleared = None

    def forget_cleared(self) -> None:
        """Forget the round that was cleared away: its settlements stand."""
        self.cleared = None

    def drop_kept(self) -> None:
        """Drop the card that is kept back, because the round is over."""
        kept, self.kept = self.kept, None
        assert self.rnd
        if kept and self.rnd.state.part is not RoundPart.DEAL:
            kept.down = 0

    def newly_settled(self) -> list[SettlementResult]:
        """The settlements that no outcome has reported yet; they count as reported from now on."""
        settled = self.rnd.all_settlements if self.rnd else []
        new = settled[self.told :]
        is_void = self.rnd is not None and self.rnd.state == State.VOID
        taken_back = self.owed if is_void and not self.told else []
        self.told = max(self.told, len(settled))
        self.owed = [*self.owed, *new]
        return [settlement.as_result() for settlement in (*taken_back, *new)]

    def settle_up(self) -> None:
        """Forget what was owed: it has been paid and taken, or something new begins."""
        self.owed = []

    def end_correction(self) -> None:
        """Forget what was owed before a correction that is ended, but where a multiplier is being
        paid: that is due until its own ``done``."""
        if self.rnd is None or self.rnd.state != State.JACKPOT_PAYING:
            self.settle_up()
