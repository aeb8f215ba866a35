"""Irregularities as a rule file lists them: cases, and the names used in them.

A rule file has a list ``[[irregularities]]``; for a trigger the first case whose conditions all
hold applies, and the last case of every trigger has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

TRIGGERS: Final = {
    "face-up": "a card lay face up in the shoe",
    "foreign": "a card that does not belong to the set",
    "together": "cards left the shoe together",
    "drawn": "a card was drawn in error",
    "empty-box": "a card went to a box without a wager",
    "overdraw": "a card went to the dealer's finished hand",
    "misdeal": "cards were dealt or placed incorrectly",
    "no-card": "a box with a wager got no card",
    "one-card": "a box with a wager got only one card",
    "dealer-no-card": "the dealer got no first card",
    "passed-over": "a player was passed over",
    "wrong-decision": "a decision was entered wrongly",
    "not-burned": "the first card was not burned",
    "missed-insurance": "insurance was not offered",
    "missed-surrender": "surrender was not offered",
    "over-maximum": "wagers above the maximum",
    "under-minimum": "a wager below the minimum",
    "late-bet": "a wager placed or raised after bets were closed",
    "bet-taken-back": "a wager withdrawn after bets were closed",
    "side-without-main": "a side wager without a main wager on the box",
    "overlooked": "a payment was overlooked",
    "squeeze-shown": "a card to be squeezed was dealt face up",
    "count": "cards are missing or too many",
    "unshuffled": "the cards were not shuffled",
    "shoe-empty": "the shoe has run out",
    "power": "a power cut or other technical interruption",
    "cutting-card-passed": "the cutting card showed and no shuffle followed",
    "cutting-card-missing": "the cutting card was not inserted",
    "damaged": "a card is damaged",
    "other": "something that no clause covers",
}
"""The triggers of irregularities, by their names in rule files and steps."""

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
}
"""The conditions of a case, by name."""

REMEDIES: Final = {
    "void": "the round is void",
    "void-hand": "the hand is void",
    "reconstruct": "the cards are put where they should be",
    "use": "the card is used as the next card",
    "use-one": "one of the cards is used, the others are discarded",
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
}
"""What players may choose directly after a remedy, by name."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: ``trigger`` under the conditions ``when``; one of the ``remedies`` is given ``by``
    the person named (by the table itself: the first, automatically); ``clause``, and in ``clauses``
    that of a remedy where it differs; the ``options`` that the players have afterwards, with
    ``options_clause``."""

    trigger: str
    remedies: tuple[str, ...]
    by: str
    clause: str
    when: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    options_clause: str = ""
    clauses: Mapping[str, str] = field(default_factory=dict)

    def clause_of(self, remedy: str) -> str:
        """The clause of one of its remedies."""
        return self.clauses.get(remedy, self.clause)
