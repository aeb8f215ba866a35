"""Irregularities as a rule file lists them: cases, and the names used in them. Their triggers are
in :mod:`~.triggers`.

A rule file has a list ``[[irregularities]]``; for a trigger the first case whose conditions all
hold applies, and the last case of every trigger has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, TypeAlias

from controller.forms.expected import Several, one_of
from controller.game.rules.sections import Clause
from controller.game.rules.triggers import TRIGGERS

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
