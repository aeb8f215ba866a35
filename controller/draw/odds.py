"""What a Pandemonium wager returns, in exact fractions.

The rules:

- The wager wins when the first two cards of a box are a Pontoon: an ace with a jack, queen or
  king. A deck has 48 cards, the tens being out (Pontoon Pandemonium 2.1): 4 aces, 12 pictures.
- The games multiplier N pays N to 1: the stake comes back and N stakes are paid (4.2; the reading
  of "100 to 1 (100x)" as net odds is the controller's default where the document leaves it open).
- Chances are those of a shoe freshly shuffled, for any box: whatever was dealt to others unseen,
  every pair of places in the shoe has the same chance. What somebody who counts cards may find
  deep in a shoe is *not* considered: in a shoe rich in aces and pictures the chance is higher,
  and with it the return. Who sets the weights leaves room for that.
- Weights that favour the player are refused at start-up: no operator means them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from controller.draw.weights import FavoursPlayer, Weights

CARDS_PER_DECK = 48
ACES_PER_DECK = 4
PICTURES_PER_DECK = 12


def pontoon_chance(decks: int) -> Fraction:
    """Return the chance that two cards of a fresh shoe are a Pontoon: with 8 decks 16 in 383."""
    if decks < 1:
        raise ValueError(f"{decks} decks make no shoe")
    cards = decks * CARDS_PER_DECK
    # Either card may be the ace: twice the chance of ace first, picture second.
    return Fraction(2 * decks * ACES_PER_DECK * decks * PICTURES_PER_DECK, cards * (cards - 1))


@dataclass(frozen=True, slots=True)
class Odds:
    """The return of a wager of 1 from a fresh shoe of ``decks``.

    ``chance`` is that of winning, ``mean`` the mean multiplier, ``break_even`` the mean at which
    neither side has an advantage, ``player_return`` what comes back on average (stakes of wagers
    won included), ``edge`` what the house keeps on average: 1 - ``player_return``.
    """

    weights: Weights
    decks: int
    chance: Fraction
    mean: Fraction
    break_even: Fraction
    player_return: Fraction
    edge: Fraction


def odds(weights: Weights, decks: int) -> Odds:
    """Return the exact figures of a table's weights."""
    chance = pontoon_chance(decks)
    mean = Fraction(sum(n * weight for n, weight in weights.pairs), weights.total)
    player_return = chance * (mean + 1)
    return Odds(
        weights, decks, chance, mean, (1 - chance) / chance, player_return, 1 - player_return
    )


def check(weights: Weights, decks: int) -> Odds:
    """Return the figures; raise :class:`FavoursPlayer`, with them, when the player has the edge."""
    figures = odds(weights, decks)
    if figures.edge < 0:
        raise FavoursPlayer(
            f"[multiplier] weights: the mean multiplier is {_both(figures.mean)}, but with "
            f"{decks} decks a Pontoon has a chance of {_both(figures.chance)} and the wager "
            f"favours the player above a mean of {_both(figures.break_even)}: the player would "
            f"win {percent(-figures.edge)} of every wager; give the high multipliers less weight",
            figures.edge,
        )
    return figures


def describe(weights: Weights, decks: int) -> dict[str, object]:
    """Return the figures as JSON values: fractions as text, and rounded beside it.

    ``multipliers`` is in the order of the weights: ``weight``; ``probability`` of the multiplier
    once the button is pressed, also as ``one_in``; ``contribution``, what it adds to the return
    of a wager of 1, stake included. The contributions add up to ``return``. ``reckoned_by`` says
    that nothing is played for it.
    """
    figures = odds(weights, decks)
    rows = []
    for multiplier, weight in weights.pairs:
        probability = Fraction(weight, weights.total)
        contribution = figures.chance * probability * (multiplier + 1)
        rows.append(
            {
                "multiplier": multiplier,
                "weight": weight,
                "probability": str(probability),
                "one_in": decimal(1 / probability, 2),
                "contribution": str(contribution),
                "contribution_percent": percent(contribution),
            }
        )
    return {
        "reckoned_by": "closed_form",
        "decks": decks,
        "weights_id": weights.identity,
        "total": weights.total,
        "multipliers": rows,
        "chance": str(figures.chance),
        "chance_one_in": decimal(1 / figures.chance, 2),
        "mean": str(figures.mean),
        "mean_decimal": decimal(figures.mean, 4),
        "break_even": str(figures.break_even),
        "break_even_decimal": decimal(figures.break_even, 4),
        "return": str(figures.player_return),
        "return_percent": percent(figures.player_return),
        "house_edge": str(figures.edge),
        "house_edge_percent": percent(figures.edge),
        "favours_player": figures.edge < 0,
    }


def decimal(value: Fraction, places: int) -> str:
    """A fraction rounded to ``places`` decimals (a half to even), without binary fractions."""
    scaled = round(value * 10**places)
    sign, digits = "-" if scaled < 0 else "", str(abs(scaled)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def percent(value: Fraction) -> str:
    """Return a fraction as a percentage with three places."""
    return f"{decimal(value * 100, 3)} %"


def _both(value: Fraction) -> str:
    return f"{value} ({decimal(value, 6)})"
