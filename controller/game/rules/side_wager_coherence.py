"""Whether the side wagers of a rule file are consistent: names, combinations that can win, odds and
the clause of each decision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

from controller.forms.faults import unknown
from controller.game.rules.cards import Card
from controller.game.rules.combinations import combination_of
from controller.game.rules.schema import RuleSet
from controller.game.rules.side_wagers import DECISIONS, KIND, SideWager

OTHER_KINDS = frozenset(
    ("main", "split", "double", "buy", "insurance", "super_bonus", "super_bonus_share", "box")
)
"""Names that settlements and round scripts have already."""

AT_BUTTON = "pontoon"
"""The combination that wins at the button."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9 -]{0,19}")
SHORT = re.compile(r"[A-Z0-9]{1,5}")
SHORT_IS = "1 to 5 capitals or digits in the row of a keypad"


def side_wager_faults(rules: RuleSet) -> Iterator[str]:
    """The faults of the side wagers of a rule file, each and beside the others."""
    made, described = rules.betting.side_wagers.value, rules.side_wagers
    if sorted(made) != sorted(described):
        yield (
            f"betting.side_wagers = {list(made)} and sections [side_wagers.KIND] of "
            f"{', '.join(described) or 'no kind'}: expected the same kinds, each once"
        )
    for kind in described:
        if not KIND.fullmatch(kind) or kind in OTHER_KINDS:
            yield (
                f"side_wagers.{kind}: expected another name, small letters, digits and underscores"
            )
    for given in ("keypad", "short"):
        each = [getattr(one, given) for one in described.values()]
        for word in {word for word in each if each.count(word) > 1 and word != "none"}:
            yield f"side_wagers: {given} = {word!r} stands twice, expected one of each"
    buttons = [kind for kind, one in described.items() if one.at_button]
    if len(buttons) > 1 or bool(buttons) != (rules.pandemonium is not None):
        yield (
            "side_wagers: expected section [pandemonium] and one side wager with settled = "
            "'button', or neither"
        )
    anyone = any(one.by.value == "anyone_on_wagered_box" for one in described.values())
    asked = rules.betting.outside.value == "side_wagers" and bool(made) == bool(described)
    if asked and not anyone:
        yield (
            "betting.outside = 'side_wagers': expected 'nothing' where no side wager is anyone's "
            "on a box with a wager"
        )
    if rules.insurance and rules.insurance.outside.value and not rules.insurance.others.value:
        yield "insurance.outside = True: expected false where nobody takes up another's insurance"
    for kind, one in described.items():
        yield from _faults_of(f"side_wagers.{kind}", one)


def _faults_of(where: str, one: SideWager) -> Iterator[str]:
    if not SHORT.fullmatch(one.short) or not NAME.fullmatch(one.name):
        yield f"{where}: name = {one.name!r}, short = {one.short!r}: expected words, and {SHORT_IS}"
    wins = one.wins.value
    if not wins:
        yield f"{where}.wins = []: expected at least one combination"
    for name in _never(wins, one.deciding):
        yield f"{where}.wins: {name} never wins behind the combinations before it"
    if one.at_button and wins != (AT_BUTTON,):
        yield f"{where}.wins = {list(wins)}: expected ['{AT_BUTTON}'] at the button"
    paid = () if one.at_button else wins
    if wins and set(paid) != set(one.pays):
        yield (
            f"{where}.pays: expected odds of {', '.join(paid) or 'nothing at the button'}, "
            "as of each combination in wins"
        )
    for name, rule in one.pays.items():
        if rule.value[1] != 1:
            yield f"{where}.pays.{name} = {list(rule.value)}: expected odds to 1"
    needed = DECISIONS[one.settled.value]
    for name in needed:
        if name not in one.settled_by:
            yield f"{where}.settled_by.{name} is missing: name the clause that decides it"
    for name in one.settled_by:
        if name not in (*needed, *one.pays):
            yield f"{where}.settled_by.{unknown(name, (*needed, *one.pays))}"


@cache
def _never(wins: tuple[str, ...], number: int) -> tuple[str, ...]:
    """The combinations that never count, because so many cards that are one are one before it,
    too."""
    cards = [Card(rank, suit) for rank in range(1, 14) for suit in range(1, 5)]
    each = combinations_with_replacement(cards, number)
    counting = {combination_of(several, wins) for several in each}
    return tuple(
        name for place, name in enumerate(wins) if name not in counting or name in wins[:place]
    )
