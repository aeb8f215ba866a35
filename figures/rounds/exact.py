"""What wagers on the first two cards of a box return exactly, from a full shoe.

The rules:

- Every ordered pair of cards of a full shoe has the same chance, whatever else is dealt or burned
  unseen. All of them are gone through, and settled by the very functions that settle at the table.
- A wager of the button wins its multiplier to 1 by chances in the ratio of the weights.
- A shoe that is played on until the cutting card comes is not a full one in each round; rounds
  rich in high cards take fewer cards. The edge of a simulation may differ by some hundredths of a
  percent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from controller.draw.weights import Weights
from controller.game.rules.cards import Card
from controller.game.rules.schema import RuleSet, SideWager
from figures.rounds.shoe import full_shoe


@dataclass(frozen=True, slots=True)
class Exactly:
    """``chance`` that the wager wins, what the house keeps of it on average (``edge``), and the
    mean ``square`` of what a wager of 1 brings."""

    chance: Fraction
    edge: Fraction
    square: Fraction


def exact(rules: RuleSet, decks: int, weights: Weights | None) -> dict[str, Exactly]:
    """The side wagers of the document by kind; without ``weights`` not that of the button."""
    found = {}
    for kind, rule in rules.side_wagers.items():
        if rule.at_button and weights is None:
            continue
        chance = edge = square = Fraction(0)
        for cards, share in _deals(rules, decks):
            wins = _wins(rule, weights, cards)
            if wins is None:
                edge += share
                square += share
            else:
                chance += share
                for win, part in wins:
                    edge -= share * part * win
                    square += share * part * win * win
        found[kind] = Exactly(chance, edge, square)
    return found


def _deals(rules: RuleSet, decks: int) -> Iterator[tuple[tuple[Card, Card], Fraction]]:
    """Every first and second card with its chance."""
    counts = Counter(full_shoe(rules, decks))
    cards = counts.total()
    for first, several in counts.items():
        for second, others in counts.items():
            left = others - (first == second)
            yield (first, second), Fraction(several * left, cards * (cards - 1))


def _wins(
    rule: SideWager, weights: Weights | None, cards: tuple[Card, Card]
) -> Sequence[tuple[Fraction, Fraction]] | None:
    """What a stake of 1 wins with these cards, each win with its chance; None: it is lost."""
    combination = rule.combination(cards)
    if combination is None:
        return None
    if rule.at_button:
        assert weights
        return [(Fraction(n), Fraction(weight, weights.total)) for n, weight in weights.pairs]
    return [(Fraction(*rule.pays[combination].value), Fraction(1))]
