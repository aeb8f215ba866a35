"""Whether the parts of a rule file are consistent: values that need others, odds that pay whole
cents, and a clause for every decision that its sections need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from controller.rules.cards import Card
from controller.rules.combinations import combination_of
from controller.rules.schema import DECISIONS, PAYS, UNPLAYED, SideWager
from controller.rules.side_wagers import DECISIONS as SIDE_DECISIONS
from controller.rules.side_wagers import KIND

MOST_TO_WITHDRAW = 22
"""Above 21 a hand has bust; at 21 it is paid."""

OTHER_KINDS = frozenset(
    ("main", "split", "double", "buy", "insurance", "super_bonus", "super_bonus_share", "box")
)
"""Names that settlements and round scripts have already."""

AT_BUTTON = "pontoon"
"""The combination that wins at the button."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9 -]{0,19}")
SHORT = re.compile(r"[A-Z0-9]{1,5}")
SHORT_IS = "1 to 5 capitals or digits in the row of a keypad"

ONE_CENT = frozenset({"regular", "insurance"})
"""Results of wagers that may be any number of cents; the others are even."""


def together(sections: Mapping[str, Any]) -> list[str]:
    """The faults of values that are inconsistent."""
    return [
        *_numbers(sections),
        *_side_wagers(sections),
        *_multipliers(sections),
        *_compared(sections),
        *_named("pays", sections["pays"], PAYS, sections, "its odds"),
        *_named(
            "settled_by",
            sections["settled_by"],
            DECISIONS,
            sections,
            "name the clause that decides it",
        ),
        *_not_played(sections),
        *_whole_cents(sections),
    ]


def _brings(what: str, sections: Mapping[str, Any]) -> bool:
    """Whether the sections lead to the results, decisions or steps kept under that name."""
    match what:
        case "":
            return True
        case "twenty_one":
            return bool(sections["twenty_one"].lines.value)
        case "surrender":
            return bool(sections["surrender"].settled.value != "at_once")
        case "one_original":
            return bool(sections["compare"].dealer_pontoon_split.value == "one_original")
        case "add_or_choose":
            return bool(sections["split"].others.value == "add_or_choose")
        case "overdraw":
            return any(case.trigger == "overdraw" for case in sections["irregularities"])
    return sections[what] is not None


def _named(
    name: str,
    given: Mapping[str, Any],
    known: Mapping[str, tuple[str, ...]],
    sections: Mapping[str, Any],
    expected: str,
) -> Iterator[str]:
    needed = [key for what, keys in known.items() if _brings(what, sections) for key in keys]
    for key in needed:
        if key not in given:
            yield f'{name}."{key}" is missing: {expected}'
    for key in given:
        if key not in needed:
            played = any(key in keys for keys in known.values())
            why = "belongs to what these rules do not play" if played else "is unknown"
            yield f'{name}."{key}" {why}; expected {", ".join(needed)}'


def _not_played(sections: Mapping[str, Any]) -> Iterator[str]:
    verbs = [
        verb for what, steps in UNPLAYED.items() if not _brings(what, sections) for verb in steps
    ]
    given = sections["not_played"]
    for verb in verbs:
        if verb not in given:
            yield f"not_played.{verb} is missing: the clause that says what is played instead"
    for verb in given:
        if verb not in verbs:
            yield f"not_played.{verb}: these rules play it; expected {', '.join(verbs) or 'none'}"


def _numbers(sections: Mapping[str, Any]) -> Iterator[str]:
    cards = sections["cards"]
    if not 1 <= cards.decks_min.value <= cards.decks_max.value:
        yield (
            f"cards.decks_min = {cards.decks_min.value}, decks_max = {cards.decks_max.value}: "
            "expected 1 <= decks_min <= decks_max"
        )
    if sections["stand"].minimum.value >= sections["hit"].below.value:
        yield "stand.minimum: expected less than hit.below, else a hand could get stuck"
    if not 1 <= sections["betting"].boxes_max.value <= 9:
        yield "betting.boxes_max: expected 1 to 9"
    if sections["split"].hands_max.value < 1:
        yield "split.hands_max: expected at least 1"
    bonus = sections["super_bonus"]
    if bonus is not None:
        wagers = [wager for wager, _ in bonus.brackets.value]
        if wagers != sorted(set(wagers)) or not wagers:
            yield "super_bonus.brackets: expected rising wagers, as in [[10, 1000], [100, 5000]]"
    if cards.tens.value and sections["twenty_one"].lines.value:
        yield "cards.tens = True: expected false, a Pontoon here is an ace and a picture"
    if sections["pontoon"].after_split.value and sections["pontoon"].paid.value == "at_once":
        yield "pontoon.after_split = True: expected false where a Pontoon is paid as it is dealt"
    double = sections["double"]
    if double is not None and double.withdraw_below.value > MOST_TO_WITHDRAW:
        yield f"double.withdraw_below = {double.withdraw_below.value}: expected 22 at most"
    for name in ("insurance", "surrender"):
        if sections[name] is not None and not sections[name].dealer_first.value:
            yield f"{name}.dealer_first = []: expected at least one card"


def _side_wagers(sections: Mapping[str, Any]) -> Iterator[str]:
    made: tuple[str, ...] = sections["betting"].side_wagers.value
    described: Mapping[str, SideWager] = sections["side_wagers"]
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
    if len(buttons) > 1 or bool(buttons) != (sections["pandemonium"] is not None):
        yield (
            "side_wagers: expected section [pandemonium] and one side wager with settled = "
            "'button', or neither"
        )
    for kind, one in described.items():
        yield from _side_wager(f"side_wagers.{kind}", one)


def _side_wager(where: str, one: SideWager) -> Iterator[str]:
    if not SHORT.fullmatch(one.short) or not NAME.fullmatch(one.name):
        yield f"{where}: name = {one.name!r}, short = {one.short!r}: expected words, and {SHORT_IS}"
    wins = one.wins.value
    if not wins:
        yield f"{where}.wins = []: expected at least one combination"
    for name in _never(wins):
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
    needed = SIDE_DECISIONS[one.settled.value]
    for name in needed:
        if name not in one.settled_by:
            yield f"{where}.settled_by.{name} is missing: name the clause that decides it"
    for name in one.settled_by:
        if name not in (*needed, *one.pays):
            known = ", ".join((*needed, *one.pays))
            yield f"{where}.settled_by.{name} is unknown; expected {known}"


@cache
def _never(wins: tuple[str, ...]) -> tuple[str, ...]:
    """The combinations that never count, because two cards that are one are one before it, too."""
    cards = [Card(rank, suit) for rank in range(1, 14) for suit in range(1, 5)]
    counting = {combination_of(two, wins) for two in combinations_with_replacement(cards, 2)}
    return tuple(
        name for place, name in enumerate(wins) if name not in counting or name in wins[:place]
    )


def _multipliers(sections: Mapping[str, Any]) -> Iterator[str]:
    if sections["pandemonium"] is None:
        return
    multipliers = sections["pandemonium"].multipliers.value
    if not multipliers or len(set(multipliers)) != len(multipliers) or min(multipliers) < 1:
        yield "pandemonium.multipliers: expected different positive numbers"


def _compared(sections: Mapping[str, Any]) -> Iterator[str]:
    tricks = sections["trick"] is not None
    if (sections["compare"].ranks.value == "pontoon_trick_total") != tricks:
        yield "compare.ranks and section [trick]: expected pontoon_trick_total with it, else totals"
    late = sections["pontoon"].paid.value == "compared"
    if late != tricks or (sections["twenty_one"].paid.value == "compared") != tricks:
        yield "pontoon.paid, twenty_one.paid: expected compared with section [trick], else at_once"
    if sections["twenty_one"].lines.value == tricks:
        yield "twenty_one.lines: expected true where 21 is paid at once, else false"
    if sections["super_bonus"] is not None and not sections["twenty_one"].lines.value:
        yield "super_bonus: needs the lines of twenty_one"
    if sections["hit"].soft_21.value and not tricks:
        yield "hit.soft_21: a soft 21 is paid at once, it can take no card"
    if sections["buy"] is not None and not tricks:
        yield "section [buy]: the last card that may be bought is that of section [trick]"
    yield from _pairs(sections)
    original = sections["compare"].dealer_pontoon_split.value == "one_original"
    for key in ("original_gone", "original_paid"):
        if (getattr(sections["compare"], key).value == "not_applicable") == original:
            yield f"compare.{key}: expected not_applicable unless one original wager is taken"


def _pairs(sections: Mapping[str, Any]) -> Iterator[str]:
    """Faults of pairs of values of which one determines the other."""
    compare, split, surrender = sections["compare"], sections["split"], sections["surrender"]
    doubles = sections["double"] is not None
    one = compare.dealer_pontoon_split.value == "one_original"
    choose = split.others.value == "add_or_choose"
    wanted = {
        "compare.equal": "dealer_wins" if sections["trick"] is not None else "stand_off",
        "compare.dealer_pontoon_doubled": "original" if doubles else "not_applicable",
        "compare.dealer_pontoon_split_doubled": (
            ("one_original" if one else "original_of_each") if doubles else "not_applicable"
        ),
        "split.aces_once": split.aces_one_card.value,
        "split.others_again": "chooses_again" if choose else "first_of_the_two",
    }
    for name, value in wanted.items():
        section, _, key = name.partition(".")
        given = getattr(sections[section], key).value
        if given != value:
            yield f"{name} = {given!r}: expected {value!r} beside the other values of these rules"
    if (surrender.settled.value == "at_once") != (surrender.offered.value == "in_turn"):
        yield "surrender.settled: expected at_once where it is offered in_turn, and only there"


def _whole_cents(sections: Mapping[str, Any]) -> Iterator[str]:
    """Odds that could leave a fraction of a cent. Main wagers and bought cards are an even number
    of cents; insurance, and what is doubled (which pays as ``regular``), any. So are side wagers,
    which are paid to 1."""
    for key, rule in sections["pays"].items():
        dividing = (1,) if key in ONE_CENT else (1, 2)
        if rule.value[1] not in dividing:
            yield (
                f"pays.{key} = {list(rule.value)}: expected odds that pay whole cents, to "
                f"{' or '.join(map(str, dividing))}"
            )
