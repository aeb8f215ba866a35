"""The values of a rule set as the numbers that the kernel plays by.

Nothing is decided here: each field says which value of which section it is. Words of a rule file
become 0 and 1, sets of cards become masks, dollars become cents. Odds, and what side wagers win,
are in :mod:`~.tables`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from controller.game.round.wagers import Limits
from controller.game.rules.cards import BUST_ABOVE, RANKS
from controller.game.rules.schema import RuleSet
from figures.kernel.tables import CENTS


class Values(NamedTuple):
    """A rule set and a table's limits as numbers; named by section and key. ``1``: it is so."""

    # [shoe]
    burn: int
    shuffle_at_once: int
    goes_on: int
    # [pontoon], [trick], [hit], [stand]; a document with tricks compares what others pay at once
    pontoon_after_split: int
    trick_cards: int
    soft_21: int
    stand_minimum: int
    # [split]
    split_by_rank: int
    hands_max: int
    cards_at_once: int
    aces_one_card: int
    bonus_after_split: int
    # [double]; the least in cents
    doubles: int
    double_any: int
    double_least: int
    double_initial_aces: int
    withdraw_below: int
    # [buy]
    buys: int
    free_below: int
    # [insurance], [surrender]: masks of ranks, bit 0 the ace
    insurance_first: int
    surrender_first: int
    surrender_in_turn: int
    # [dealer]
    dealer_draws_soft_17: int
    dealer_cards_max: int
    moot_forbidden: int
    # [compare]
    equal_loses: int
    pontoon_takes_original: int
    pontoon_returns_double: int
    gone_obbo: int
    gone_plus_one: int
    paid_each: int
    # [super_bonus]: cents
    has_super_bonus: int
    share: int
    share_by_cards: int
    # [pandemonium]
    ascending: int
    # the table's limits: cents
    increment: int
    # what no document of ours changes, for the rules of others (figures.strangers)
    hole_card: int = 0
    """The dealer's second card lies there before play: his Pontoon ends the round."""
    double_totals: int = (1 << BUST_ABOVE) - 1
    """A mask of the hard totals that may be doubled."""
    double_soft: int = 0
    """No ace of a doubled hand has to count 1."""
    redoubles: int = 0
    """How often a doubled hand may be doubled again."""
    aces_again: int = 0
    """Split aces that get another one are split again."""
    # what a player chooses: cents
    little: int = 0
    """The smallest buy, where players choose between it and the stake; 0: they buy for that."""


def values_of(rules: RuleSet, limits: Limits) -> Values:
    """The numbers of a rule set at a table with these limits."""
    double, buy, bonus, compare = rules.double, rules.buy, rules.super_bonus, rules.compare
    button = rules.pandemonium
    least = 0
    if double is not None:
        at_table = double.minimum.value == "table_minimum"
        least = limits.min if at_table else limits.increment
    said = Values(
        burn=rules.shoe.burn.value != "never",
        shuffle_at_once=rules.shoe.cutting_card_first.value == "shuffle_at_once",
        goes_on=rules.shoe.after_reshuffle.value != "shuffle_after_round",
        pontoon_after_split=int(rules.pontoon.after_split.value),
        trick_cards=rules.trick.cards.value if rules.trick else 0,
        soft_21=int(rules.hit.soft_21.value),
        stand_minimum=rules.stand.minimum.value,
        split_by_rank=rules.split.match.value == "rank",
        hands_max=rules.split.hands_max.value,
        cards_at_once=rules.split.cards.value == "at_once",
        aces_one_card=int(rules.split.aces_one_card.value),
        bonus_after_split=rules.split.pays.value == "as_unsplit",
        doubles=int(double is not None),
        double_any=int(double is not None and double.cards.value == "any"),
        double_least=least,
        double_initial_aces=int(double is not None and double.aces.value == "initial_deal"),
        withdraw_below=double.withdraw_below.value if double else 0,
        buys=int(buy is not None),
        free_below=buy.free_below.value if buy else 0,
        insurance_first=_mask(rules.insurance.dealer_first.value) if rules.insurance else 0,
        surrender_first=_mask(rules.surrender.dealer_first.value),
        surrender_in_turn=rules.surrender.offered.value == "in_turn",
        dealer_draws_soft_17=rules.dealer.soft17.value == "draw",
        dealer_cards_max=rules.dealer.cards_max.value,
        moot_forbidden=rules.dealer.moot_draw.value == "forbidden",
        equal_loses=compare.equal.value == "dealer_wins",
        pontoon_takes_original=compare.dealer_pontoon_split.value == "one_original",
        pontoon_returns_double=compare.dealer_pontoon_doubled.value == "original",
        gone_obbo=compare.original_gone.value == "obbo",
        gone_plus_one=compare.original_gone.value == "bust_plus_one",
        paid_each=compare.original_paid.value == "each_hand_loses",
        has_super_bonus=int(bonus is not None),
        share=bonus.share.value * CENTS if bonus else 0,
        share_by_cards=int(bonus is not None and bonus.share_when.value == "cards"),
        ascending=int(button is not None and button.order.value == "ascending"),
        increment=limits.increment,
    )
    return Values._make(map(int, said))


def _mask(ranks: Sequence[str]) -> int:
    return sum(1 << RANKS.index(rank) for rank in ranks)
