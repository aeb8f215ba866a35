"""Whether the parts of a rule file are consistent: values that need others, odds that pay whole
cents, a clause for every decision that its sections need, and side wagers that can win."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement

from controller.forms.faults import unknown
from controller.game.rules.cards import BUST_ABOVE, Card
from controller.game.rules.cases import REMEDIES, Case
from controller.game.rules.schema import DECISIONS, PAYS, UNPLAYED, RuleSet
from controller.game.rules.side_wagers import DECISIONS as OF_SIDE_WAGERS
from controller.game.rules.side_wagers import KIND, SideWager, combination_of

MOST_TO_WITHDRAW = 22
"""Above 21 a hand has bust; at 21 it is paid."""

ONE_CENT = frozenset({"regular", "insurance"})
"""Results of wagers that may be any number of cents; the others are even."""

OTHER_KINDS = frozenset(
    ("main", "split", "double", "buy", "insurance", "super_bonus", "super_bonus_share", "box")
)
"""Names that settlements and round scripts have already."""

AT_BUTTON = "pontoon"
"""The combination that wins at the button."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9 -]{0,19}")
SHORT = re.compile(r"[A-Z0-9]{1,5}")
SHORT_IS = "1 to 5 capitals or digits in the row of a keypad"


def together(rules: RuleSet) -> list[str]:
    """The faults of values that are inconsistent."""
    return [
        *_numbers(rules),
        *_side_wagers(rules),
        *_compared(rules),
        *_named("pays", rules.pays, PAYS, rules, "its odds"),
        *_named(
            "settled_by", rules.settled_by, DECISIONS, rules, "name the clause that decides it"
        ),
        *_not_played(rules),
        *_whole_cents(rules),
        *_cases(rules.irregularities),
    ]


def _cases(cases: Sequence[Case]) -> Iterator[str]:
    """Faults of the irregularities: one case of each trigger always applies."""
    last = {case.trigger: index for index, case in enumerate(cases)}
    if "other" not in last:
        yield "irregularities: a case with trigger = 'other' is missing"
    for index, case in enumerate(cases):
        where = f"irregularities[{index}]"
        if case.when and last[case.trigger] == index:
            why = "must have none, so that one case always applies"
            yield f"{where}.when: the last case of {case.trigger!r} {why}"
        if bool(case.options) != bool(case.options_clause):
            yield f"{where}: options and options_clause go together"
        for remedy in case.clauses.keys() - REMEDIES.keys():
            yield f"{where}.clauses.{unknown(remedy, REMEDIES)}"


def _brings(what: str, rules: RuleSet) -> bool:
    """Whether the sections lead to the results, decisions or steps kept under that name."""
    match what:
        case "":
            return True
        case "twenty_one":
            return rules.twenty_one.lines.value
        case "surrender":
            return rules.surrender.settled.value != "at_once"
        case "one_original":
            return rules.compare.dealer_pontoon_split.value == "one_original"
        case "add_or_choose":
            return rules.split.others.value == "add_or_choose"
        case "overdraw":
            return any(case.trigger == "overdraw" for case in rules.irregularities)
    return getattr(rules, what) is not None


def _named(
    name: str,
    given: Mapping[str, object],
    known: Mapping[str, tuple[str, ...]],
    rules: RuleSet,
    expected: str,
) -> Iterator[str]:
    needed = [key for what, keys in known.items() if _brings(what, rules) for key in keys]
    for key in needed:
        if key not in given:
            yield f'{name}."{key}" is missing: {expected}'
    for key in given:
        if key not in needed:
            if any(key in keys for keys in known.values()):
                yield f'{name}."{key}" belongs to what these rules do not play'
            else:
                yield f"{name}.{unknown(key, needed)}"


def _not_played(rules: RuleSet) -> Iterator[str]:
    verbs = [verb for what, steps in UNPLAYED.items() if not _brings(what, rules) for verb in steps]
    given = rules.not_played
    for verb in verbs:
        if verb not in given:
            yield f"not_played.{verb} is missing: the clause that says what is played instead"
    for verb in given:
        if verb not in verbs:
            yield f"not_played.{verb}: these rules play it; expected {', '.join(verbs) or 'none'}"


def _numbers(rules: RuleSet) -> Iterator[str]:
    cards = rules.cards
    if not 1 <= cards.decks_min.value <= cards.decks_max.value:
        yield (
            f"cards.decks_min = {cards.decks_min.value}, decks_max = {cards.decks_max.value}: "
            "expected 1 <= decks_min <= decks_max"
        )
    if rules.stand.minimum.value >= BUST_ABOVE:
        yield f"stand.minimum: expected less than {BUST_ABOVE}, else a hand could get stuck"
    if not 1 <= rules.betting.boxes_max.value <= 9:
        yield "betting.boxes_max: expected 1 to 9"
    if rules.split.hands_max.value < 1:
        yield "split.hands_max: expected at least 1"
    bonus = rules.super_bonus
    if bonus is not None:
        wagers = [wager for wager, _ in bonus.brackets.value]
        if wagers != sorted(set(wagers)) or not wagers:
            yield "super_bonus.brackets: expected rising wagers, as in [[10, 1000], [100, 5000]]"
    if cards.tens.value and rules.twenty_one.lines.value:
        yield "cards.tens = True: expected false, a Pontoon here is an ace and a picture"
    if rules.pontoon.after_split.value and rules.pontoon.paid.value == "at_once":
        yield "pontoon.after_split = True: expected false where a Pontoon is paid as it is dealt"
    double = rules.double
    if double is not None and double.withdraw_below.value > MOST_TO_WITHDRAW:
        yield f"double.withdraw_below = {double.withdraw_below.value}: expected 22 at most"
    for name, section in (("insurance", rules.insurance), ("surrender", rules.surrender)):
        if section is not None and not section.dealer_first.value:
            yield f"{name}.dealer_first = []: expected at least one card"
    multipliers = rules.pandemonium.multipliers.value if rules.pandemonium else (1,)
    if not multipliers or len(set(multipliers)) != len(multipliers) or min(multipliers) < 1:
        yield "pandemonium.multipliers: expected different positive numbers"


def _compared(rules: RuleSet) -> Iterator[str]:
    tricks = rules.trick is not None
    late = rules.pontoon.paid.value == "compared"
    if late != tricks or (rules.twenty_one.paid.value == "compared") != tricks:
        yield "pontoon.paid, twenty_one.paid: expected compared with section [trick], else at_once"
    if rules.twenty_one.lines.value == tricks:
        yield "twenty_one.lines: expected true where 21 is paid at once, else false"
    if rules.super_bonus is not None and not rules.twenty_one.lines.value:
        yield "super_bonus: needs the lines of twenty_one"
    if rules.hit.soft_21.value and not tricks:
        yield "hit.soft_21: a soft 21 is paid at once, it can take no card"
    if rules.buy is not None and not tricks:
        yield "section [buy]: the last card that may be bought is that of section [trick]"
    yield from _pairs(rules)
    original = rules.compare.dealer_pontoon_split.value == "one_original"
    for key in ("original_gone", "original_paid"):
        if (getattr(rules.compare, key).value == "not_applicable") == original:
            yield f"compare.{key}: expected not_applicable unless one original wager is taken"


def _pairs(rules: RuleSet) -> Iterator[str]:
    """Faults of pairs of values of which one determines the other."""
    surrender = rules.surrender
    wanted = {
        "equal": "dealer_wins" if rules.trick is not None else "stand_off",
        "dealer_pontoon_doubled": "original" if rules.double is not None else "not_applicable",
    }
    for key, value in wanted.items():
        given = getattr(rules.compare, key).value
        if given != value:
            yield (
                f"compare.{key} = {given!r}: expected {value!r} beside the other values of "
                "these rules"
            )
    if (surrender.settled.value == "at_once") != (surrender.offered.value == "in_turn"):
        yield "surrender.settled: expected at_once where it is offered in_turn, and only there"


def _whole_cents(rules: RuleSet) -> Iterator[str]:
    """Odds that could leave a fraction of a cent. Main wagers and bought cards are an even number
    of cents; insurance, and what is doubled (which pays as ``regular``), any. So are side wagers,
    which are paid to 1."""
    for key, rule in rules.pays.items():
        dividing = (1,) if key in ONE_CENT else (1, 2)
        if rule.value[1] not in dividing:
            yield (
                f"pays.{key} = {list(rule.value)}: expected odds that pay whole cents, to "
                f"{' or '.join(map(str, dividing))}"
            )


def _side_wagers(rules: RuleSet) -> Iterator[str]:
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
    needed = OF_SIDE_WAGERS[one.settled.value]
    for name in needed:
        if name not in one.settled_by:
            yield f"{where}.settled_by.{name} is missing: name the clause that decides it"
    for name in one.settled_by:
        if name not in (*needed, *one.pays):
            yield f"{where}.settled_by.{unknown(name, (*needed, *one.pays))}"


@cache
def _never(wins: tuple[str, ...], number: int) -> tuple[str, ...]:
    """The combinations that never count: cards that are one of them are one before it, too."""
    cards = [Card(rank, suit) for rank in range(1, 14) for suit in range(1, 5)]
    each = combinations_with_replacement(cards, number)
    counting = {combination_of(several, wins) for several in each}
    return tuple(
        name for place, name in enumerate(wins) if name not in counting or name in wins[:place]
    )
