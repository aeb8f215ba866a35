"""What can be seen of a round when it has ended, on both sides under the same names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from controller.game.round.model import Box, Hand
from controller.game.round.state import Round
from controller.game.rules.hands import BUST_ABOVE, is_pontoon, line_for_21, ranks_are
from figures.kernel import felt, tallies
from figures.kernel.words import LINES, word_of
from proof.agreement.engine import Open
from proof.agreement.tables import BETTOR, Subject

Outcome = dict[str, Any]
OF_MAIN: Final = ("main", "split", "double", "buy")
BY_BOX: Final = {
    "net of the main wager": felt.NET,
    "wagered": felt.WAGERED,
    "insurance": felt.INSURED,
    "net of insurance": felt.INSURED_NET,
    "net at the button": felt.BUTTON_NET,
    "Super Bonus": felt.BONUS,
    "share": felt.SHARED,
    "multiplier": felt.DRAWN,
}
NETS: Final = {
    **dict.fromkeys(OF_MAIN, "net of the main wager"),
    "insurance": "net of insurance",
    "super_bonus": "Super Bonus",
    "super_bonus_share": "share",
}
"""What a settlement counts for, by its kind."""


def of_kernel(row: Sequence[int], subject: Subject, boxes: int, *, waiting: bool) -> Outcome:
    """What the kernel's row says; ``waiting``: of the hands that waited for the dealer, too."""

    def numbers(at: int, count: int = boxes) -> list[int]:
        return [int(number) for number in row[at : at + count]]

    found: Outcome = {name: numbers(at) for name, at in BY_BOX.items()}
    for side, kind in enumerate(subject.sides):
        found[f"net of {kind}"] = numbers(felt.SIDE_NET + side * felt.BOXES_MAX)
    found["dealer's hand"] = int(row[felt.DEALER])
    found["happenings"] = numbers(felt.SEEN, felt.SEEN_MAX)
    if waiting:
        columns = (
            felt.OPEN_BOX,
            felt.OPEN_TOTAL,
            felt.OPEN_STAKE,
            felt.OPEN_DOUBLE,
            felt.OPEN_BOUGHT,
        )
        found["hands that wait"] = list(
            zip(*(numbers(at, int(row[felt.OPEN])) for at in columns), strict=True)
        )
    return found


def of_engine(rnd: Round, subject: Subject, waiting: list[Open] | None) -> Outcome:
    """What the engine's round says."""
    places = {number: place for place, number in enumerate(rnd.boxes)}
    nets = {**NETS, **{kind: f"net of {kind}" for kind in subject.sides}}
    if kind := subject.rules.button_wager:
        nets[kind] = "net at the button"
    found: Outcome = {name: [0] * len(places) for name in [*BY_BOX, *nets.values()]}
    for settlement in rnd.settlements:
        place = places[settlement.box]
        found[nets[settlement.kind]][place] += settlement.net
        if settlement.kind in OF_MAIN:
            found["wagered"][place] += settlement.stake
    for (_, (number, _)), amount in rnd.insurance.items():
        found["insurance"][places[number]] += amount
    for number, multiplier in rnd.draws.items():
        found["multiplier"][places[number]] = multiplier
    found["dealer's hand"] = sum(map(word_of, rnd.dealer))
    happenings = Counter(_happenings(rnd))
    found["happenings"] = [happenings[place] for place in range(felt.SEEN_MAX)]
    if waiting is not None:
        found["hands that wait"] = [(places[number], *rest) for number, *rest in waiting]
    return found


def _happenings(rnd: Round) -> list[int]:
    """What has happened in a round, by the kernel's numbers, once for each time."""
    found = [place for box in rnd.boxes.values() for place in _at_box(rnd, box)]
    multipliers = rnd.rules.pandemonium.multipliers.value if rnd.rules.pandemonium else ()
    found += [tallies.DRAWN + multipliers.index(drawn) for drawn in rnd.draws.values()]
    found += [tallies.BOUGHT for settlement in rnd.settlements if settlement.kind == "buy"]
    return [*found, tallies.DEALER + _dealer(rnd)]


def _dealer(rnd: Round) -> int:
    """What the dealer has come to, by the kernel's numbers."""
    if len(rnd.dealer) == 1:
        return tallies.DEALER_IDLE
    if is_pontoon(rnd.dealer):
        return tallies.DEALER_PONTOON
    tricks, total = rnd.rules.trick, rnd.dealer_total
    if tricks and len(rnd.dealer) == tricks.cards.value and total <= BUST_ABOVE:
        return tallies.DEALER_TRICK
    return total


def _at_box(rnd: Round, box: Box) -> list[int]:
    tricks, before_play = rnd.rules.trick, rnd.rules.surrender.offered.value == "before_play"
    found = [tallies.PONTOON] * is_pontoon(box.first_two) + [tallies.SPLIT] * (len(box.hands) - 1)
    surrendered = any(bet.surrendered for bet in box.bets)
    found += [tallies.SURRENDERED] * surrendered
    if (surrendered and before_play) or (found[:1] == [tallies.PONTOON] and not tricks):
        return found
    for hand in box.hands:
        found.append(tallies.HAND)
        found += [tallies.DOUBLED] * hand.doubled
        found += [tallies.WITHDRAWN] * hand.bets[BETTOR].withdrawn
        if hand.total > BUST_ABOVE:
            found.append(tallies.BUST)
        elif tricks:
            found += [tallies.ROYAL] * ranks_are(hand.cards, (7, 7, 7))
        elif hand.total == BUST_ABOVE and not hand.doubled:
            found.append(tallies.LINE + LINES.index(line_for_21(hand.cards)))
            found += [tallies.SUPER_BONUS] * _brings_bonus(rnd, hand)
    return found


def _brings_bonus(rnd: Round, hand: Hand) -> bool:
    """Whether a hand of 21 brings a Super Bonus, if only the wager is large enough."""
    barred = hand.split and rnd.rules.split.pays.value == "as_unsplit_without_super_bonus"
    sevens = line_for_21(hand.cards) in ("777_suited", "777_spades") and rnd.dealer[0].rank == 7
    return sevens and rnd.rules.super_bonus is not None and not barred
