"""What was a key of rule files until 0.2.0 and said nothing: it has one value in every document, or
follows from other keys.

``config/clauses/constants.toml`` accounts for each with its clauses and the module that carries it.
Rule sets that 0.2.0 stored have these keys: one with the value that holds is left out, any other
is a fault. In a rule file none may stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from controller.game.rules.schema import RuleSet

FIXED: Final[Mapping[str, object]] = MappingProxyType(
    {
        "cards.player_ace": "best_total",
        "cards.dealer_ace": "best_total",
        "betting.side_wager_without_main": "refused",
        "betting.void": "reversed_by_supervisor",
        "deal.dealer_cards": 1,
        "pandemonium.odds": "net_to_one",
        "pandemonium.press_scope": "box",
        "pandemonium.no_press": "stays_armed",
        "pandemonium.before_offers": True,
        "pandemonium.after_failure": "drawn_once_shown_and_paid",
        "insurance.others_limit": "half_of_that_wager",
        "insurance.with_surrender": True,
        "insurance.order": "either",
        "hit.below": 21,
        "trick.against_trick": "dealer_wins",
        "trick.royal": "paid_at_once",
        "split.new_hand": "right_of_the_split_one",
        "split.bust": "its_own_wagers",
        "double.split_aces": False,
        "double.withdraw_until": "next_card",
        "double.at_21": "paid_at_once",
        "super_bonus.with_pays": "in_addition",
        "super_bonus.share_times": "once_a_round",
    }
)
"""By section and key: the value that holds in every document."""

OF_SIDE_WAGERS: Final[Mapping[str, object]] = MappingProxyType(
    {"placed": "bets_open", "beaten_by": "nothing"}
)
"""The same for keys of every ``[side_wagers.KIND]``."""


def _split_doubled(rules: RuleSet) -> str:
    if rules.double is None:
        return "not_applicable"
    original = rules.compare.dealer_pontoon_split.value == "one_original"
    return "one_original" if original else "original_of_each"


def _others_again(rules: RuleSet) -> str:
    return "chooses_again" if rules.split.others.value == "add_or_choose" else "first_of_the_two"


FOLLOWING: Final[Mapping[str, Callable[[RuleSet], object]]] = MappingProxyType(
    {
        "compare.ranks": lambda rules: "pontoon_trick_total" if rules.trick else "totals",
        "compare.dealer_pontoon_split_doubled": _split_doubled,
        "split.aces_once": lambda rules: rules.split.aces_one_card.value,
        "split.others_again": _others_again,
    }
)
"""By section and key: the value that follows from the other keys of a set."""

Given = dict[str, object]
"""What a set says of constants, by section and key (``side_wagers.pair.placed``)."""


def parted(data: Mapping[str, Any]) -> tuple[dict[str, Any], Given]:
    """The parsed set without constants, and what it says of them."""
    given: Given = {}
    left: dict[str, Any] = {}
    for name, table in data.items():
        if name == "side_wagers" and isinstance(table, Mapping):
            left[name] = {
                kind: _parted(f"{name}.{kind}", described, given)
                for kind, described in table.items()
            }
        else:
            left[name] = _parted(name, table, given)
    return left, given


def said_in_a_file(given: Given) -> Iterator[str]:
    """A fault for each constant that a rule file says."""
    for name in given:
        yield f"{name} is no key of rule files any more, {_why(name)}: leave it out"


def said_otherwise(given: Given, rules: RuleSet) -> Iterator[str]:
    """A fault for each constant that a stored set says, and that does not hold in it."""
    for name, rule in given.items():
        follows = FOLLOWING.get(name)
        holds = _fixed(name) if follows is None else follows(rules)
        value = rule.get("value") if isinstance(rule, Mapping) else None
        if type(value) is not type(holds) or value != holds:
            yield f"{name} = {value!r}: this version plays {holds!r} alone, {_why(name)}"


def _parted(name: str, table: Any, given: Given) -> Any:
    if not isinstance(table, Mapping):
        return table
    gone = {key: f"{name}.{key}" for key in table if _is_one(f"{name}.{key}")}
    given.update({where: table[key] for key, where in gone.items()})
    return {key: value for key, value in table.items() if key not in gone}


def _is_one(name: str) -> bool:
    return name in FOLLOWING or _fixed(name) is not None


def _fixed(name: str) -> object:
    section, _, key = name.rpartition(".")
    return OF_SIDE_WAGERS.get(key) if section.startswith("side_wagers.") else FIXED.get(name)


def _why(name: str) -> str:
    if name in FOLLOWING:
        return "it follows from the other keys"
    return f"it is {_fixed(name)!r} in every document"
