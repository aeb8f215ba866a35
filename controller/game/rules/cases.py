"""Irregularities: what may go wrong in a round, by the names in rule files and steps, and the cases
of a rule file with the names used in them.

A rule file has a list ``[[irregularities]]``; for a trigger the first case whose conditions all
hold applies, and the last case of every trigger has none. What stands at a trigger here follows
from its meaning, so that the code asks for a property and not for a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from controller.forms.expected import Several, one_of
from controller.game.rules.sections import Clause


class LateOffer(StrEnum):
    """What may be offered late, by the step that takes it up."""

    INSURANCE = "insure"
    SURRENDER = "surrender"

    @property
    def words(self) -> str:
        """For people."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Trigger:
    """A trigger: ``words`` for people; the rest is what sets it apart.

    ``box``: a report names a box; ``without_hand``: of one that got no cards in this round;
    ``any_box``: in the round or not. ``loose``: it has cards that wait for a place; ``unasked``:
    nobody asked for them, and it may be reported while they wait; ``by_card``: only a card, or what
    card it was, brings it. ``dealt``: the number of cards that the box got in the initial deal.
    ``offer``: what was not offered. ``rewinds``: decisions are taken back to put it right;
    ``stays``: its report remains when they are.
    """

    words: str
    box: bool = False
    without_hand: bool = False
    any_box: bool = False
    loose: bool = False
    unasked: bool = False
    by_card: bool = False
    dealt: int | None = None
    offer: LateOffer | None = None
    rewinds: bool = False
    stays: bool = False


NOT_ASKED: Final = "not-asked"

KNOWN: Final = {
    "face-up": Trigger("a card lay face up in the shoe", loose=True, by_card=True),
    "foreign": Trigger("a card that does not belong to the set", loose=True),
    "together": Trigger("cards left the shoe together", loose=True),
    "drawn": Trigger("a card was drawn in error", loose=True, unasked=True),
    "empty-box": Trigger(
        "a card went to a box without a wager",
        box=True,
        without_hand=True,
        loose=True,
        unasked=True,
    ),
    "overdraw": Trigger("a card went to the dealer's finished hand", by_card=True),
    "misdeal": Trigger("cards were dealt or placed incorrectly"),
    "no-card": Trigger("a box with a wager got no card", box=True, dealt=0),
    "one-card": Trigger("a box with a wager got only one card", box=True, dealt=1),
    "dealer-no-card": Trigger("the dealer got no first card"),
    "passed-over": Trigger("a player was passed over", box=True, rewinds=True),
    "wrong-decision": Trigger("a decision was entered wrongly", box=True, rewinds=True),
    NOT_ASKED: Trigger(
        "a hand that had a choice was not asked, for a card was told wrongly",
        box=True,
        by_card=True,
    ),
    "not-burned": Trigger("the first card was not burned"),
    "missed-insurance": Trigger("insurance was not offered", box=True, offer=LateOffer.INSURANCE),
    "missed-surrender": Trigger("surrender was not offered", box=True, offer=LateOffer.SURRENDER),
    "over-maximum": Trigger("wagers above the maximum", box=True, stays=True),
    "under-minimum": Trigger("a wager below the minimum", box=True),
    "late-bet": Trigger("a wager placed or raised after bets were closed", box=True, any_box=True),
    "bet-taken-back": Trigger("a wager withdrawn after bets were closed", box=True),
    "side-without-main": Trigger(
        "a side wager without a main wager on the box", box=True, without_hand=True
    ),
    "overlooked": Trigger("a payment was overlooked", box=True),
    "squeeze-shown": Trigger("a card to be squeezed was dealt face up", box=True),
    "wrong-payment": Trigger("people were paid otherwise than was said", box=True),
    "count": Trigger("cards are missing or too many"),
    "unshuffled": Trigger("the cards were not shuffled"),
    "shoe-empty": Trigger("the shoe has run out"),
    "power": Trigger("a power cut or other technical interruption"),
    "cutting-card-passed": Trigger("the cutting card showed and no shuffle followed", stays=True),
    "cutting-card-missing": Trigger("the cutting card was not inserted", stays=True),
    "damaged": Trigger("a card is damaged", stays=True),
    "other": Trigger("something that no clause covers"),
}
"""The triggers, in the order in which they are shown."""

TRIGGERS: Final = {name: trigger.words for name, trigger in KNOWN.items()}
"""The triggers in words, by name."""


CONDITIONS: Final = {
    "before": "no wager settled and no card dealt after the initial deal",
    "after": "a wager settled or a card dealt after the initial deal",
    "settled": "a wager has been settled",
    "subsequent": "a card has been dealt after the initial deal",
    "outcome": "a wager has conclusively won or lost",
    "no-outcome": "no wager has won or lost",
    "first-card": "no card of the round has been dealt",
    "initial": "during the initial deal",
    "player": "the next card is a player's",
    "dealer": "the next card is the dealer's",
    "seen": "somebody has seen it",
    "unseen": "nobody has seen it",
    "one-seen": "one card was seen",
    "more-seen": "more than one card was seen",
    "next-hand-only": "only the next hand has been acted upon",
    "settled-since": "a wager has been settled since the decision",
}
"""The conditions of a case, by name."""

REMEDIES: Final = {
    "void": "the round is void",
    "void-hand": "the hand is void",
    "reconstruct": "the cards are put where they should be",
    "use": "the card is used as the next card",
    "use-one": "one of the cards is used, the others are discarded",
    "use-worst": "the one worst for the dealer is used, the others are discarded",
    "discard": "the card is discarded",
    "choose": "the player chooses",
    "play": "the hand is played as it is",
    "return": "the wager is returned",
    "offer": "it is offered now",
    "cap": "each wager plays at the maximum at most",
    "pro-rata": "the wagers play in proportion within the maximum",
    "reshuffle": "the discards are shuffled and used",
    "refuse": "it is refused",
    "pay": "it is paid in the settlement",
    "continue": "play goes on as it is",
    "after-round": "it is put right at the end of the round",
}
"""The remedies, by name."""

DECIDERS: Final = {
    "table": "nobody: it is done by itself",
    "dealer": "the dealer",
    "player": "the player",
    "supervisor": "the supervisor",
}
"""Who decides."""

OPTIONS: Final = {
    "return": "take the wagers that are not settled back and leave the round",
    "refuse": "refuse the card and take no more",
    "void-hand": "have more hands void that the error affects",
    "surrender": "surrender a hand that is not settled or split, stood or drawn though it be",
    "decline": "let the card go by taking none: it is burned",
    "until-card": "do so until a further card is dealt, whatever is decided meanwhile",
}
"""What players may choose directly after a remedy, by name. The right ends with the next decision
at the table, unless ``until-card`` says otherwise."""


Remedy: TypeAlias = Annotated[str, one_of(*REMEDIES)]


@dataclass(frozen=True, slots=True)
class Case:
    """One case: ``trigger`` under the conditions ``when``; one of the ``remedies`` is given ``by``
    the person named (by the table itself: the first, automatically); ``clause``, and in ``clauses``
    that of a remedy where it differs; the ``options`` that the players have afterwards, with
    ``options_clause``."""

    trigger: Annotated[str, one_of(*TRIGGERS)]
    remedies: Annotated[tuple[Remedy, ...], Several("a list of at least one remedy", 99, 1)]
    by: Annotated[str, one_of(*DECIDERS)]
    clause: Clause
    when: tuple[Annotated[str, one_of(*CONDITIONS)], ...] = ()
    options: tuple[Annotated[str, one_of(*OPTIONS)], ...] = ()
    options_clause: str = ""
    clauses: Mapping[str, Clause] = field(default_factory=dict)

    def clause_of(self, remedy: str) -> str:
        """The clause of one of its remedies."""
        return self.clauses.get(remedy, self.clause)
