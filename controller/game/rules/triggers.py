"""What may go wrong in a round, by the names in rule files and steps.

Rule files say what is done about a trigger (:mod:`~.cases`); what stands here follows from its
meaning, so that the code asks for a property and not for a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


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
