"""What was a key of rule files and is none: read where 0.2.0 stored it, refused in a rule file."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

import pytest

from controller.files.rule_faults import explained
from controller.files.rules import load_rules, rule_files
from controller.game.rules.constants import FIXED, FOLLOWING, OF_SIDE_WAGERS
from controller.game.rules.loader import RulesError, build_rules, dump_rules, parse_rules
from controller.game.rules.schema import RuleSet
from pages.clauses.sources import read_constants
from pages.generated import ROOT

_rules: Final = cache(load_rules)

FOLLOWS: Final = {
    "division-15-pontoon": ("totals", "one_original", True, "chooses_again"),
    "mbs-pontoon-pandemonium-v5": ("totals", "original_of_each", True, "first_of_the_two"),
    "pontoon-five-card-trick": (
        "pontoon_trick_total",
        "not_applicable",
        False,
        "first_of_the_two",
    ),
    "rws-pontoon-pandemonium-v4": ("totals", "original_of_each", True, "first_of_the_two"),
    "rws-pontoon-plus-v5": ("totals", "original_of_each", True, "first_of_the_two"),
}
"""By document: the values that 0.2.0 stored for the keys of ``FOLLOWING``, in its order."""


def _held(document: str) -> dict[str, object]:
    """What the document's set of 0.2.0 said of constants, by section and key."""
    rules = _rules(document)
    held = {**FIXED, **dict(zip(FOLLOWING, FOLLOWS[document], strict=True))}
    kinds = {
        f"side_wagers.{kind}.{key}": OF_SIDE_WAGERS[key]
        for kind in rules.side_wagers
        for key in OF_SIDE_WAGERS
    }
    there = {
        name: value
        for name, value in held.items()
        if getattr(rules, name.partition(".")[0]) is not None
    }
    return there | kinds


CASES: Final = [
    pytest.param(document, name, value, id=f"{document}: {name}")
    for document in FOLLOWS
    for name, value in _held(document).items()
]


def _stored(rules: RuleSet, *constants: tuple[str, object]) -> dict[str, Any]:
    """The set as 0.2.0 stored it, with these constants."""
    data = dump_rules(rules)
    for name, value in constants:
        *path, key = name.split(".")
        table: Any = data
        for part in path:
            table = table[part]
        table[key] = {"value": value, "clause": "3.1"}
    return data


def _other(value: object) -> object:
    return not value if isinstance(value, bool) else 9 if isinstance(value, int) else "otherwise"


@pytest.mark.parametrize("document", FOLLOWS)
def test_a_set_that_0_2_0_stored_is_the_same_today(document: str) -> None:
    rules = _rules(document)
    assert build_rules(_stored(rules, *_held(document).items()), "journal") == rules


@pytest.mark.parametrize(("document", "name", "value"), CASES)
def test_a_stored_set_that_says_otherwise_is_refused(
    document: str, name: str, value: object
) -> None:
    other = _other(value)
    with pytest.raises(RulesError) as error:
        build_rules(_stored(_rules(document), (name, other)), "journal")
    [fault] = error.value.faults
    assert fault.startswith(f"{name} = {other!r}: this version plays {value!r} alone, it ")


@pytest.mark.parametrize(("document", "name", "value"), CASES)
def test_in_a_rule_file_it_is_an_error_that_names_it(
    document: str, name: str, value: object
) -> None:
    section, _, key = name.rpartition(".")
    toml = f'"{value}"' if isinstance(value, str) else str(value).lower()
    line = f'{key} = {{ value = {toml}, clause = "3.1" }}'
    text = rule_files()[document].read_text(encoding="utf-8")
    assert f"[{section}]\n" in text
    text = text.replace(f"[{section}]\n", f"[{section}]\n{line}\n")
    with pytest.raises(RulesError) as error:
        parse_rules(text, "mine")
    [fault] = explained(text, error.value.faults)
    assert re.match(
        rf"{re.escape(name)} is no key of rule files any more, it .*: leave it out$", fault.said
    )
    assert fault.key == name
    assert fault.line is not None
    assert text.splitlines()[fault.line - 1] == line


@pytest.mark.parametrize("rule", ["best_total", {"value": 1, "clause": "3.1"}, None])
def test_what_is_no_such_rule_is_refused(rule: object) -> None:
    stored = dump_rules(_rules("mbs-pontoon-pandemonium-v5"))
    stored["cards"]["player_ace"] = rule
    with pytest.raises(RulesError, match=r"cards\.player_ace = .*: this version plays"):
        build_rules(stored, "journal")


def test_other_faults_are_told_beside_it() -> None:
    text = rule_files()["pontoon-five-card-trick"].read_text(encoding="utf-8")
    text = text.replace("[stand]\n", "[stand]\nleast = 3\n")
    text = text.replace("[hit]\n", '[hit]\nbelow = { value = 21, clause = "3.1" }\n')
    with pytest.raises(RulesError) as error:
        parse_rules(text, "mine")
    assert [fault.partition(" ")[0] for fault in error.value.faults] == ["hit.below", "stand.least"]


NEEDS: Final = {
    "betting.side_wager_without_main": "side_wagers",
    "compare.dealer_pontoon_split_doubled": "double",
}
"""The section without which a document cannot say it, where it is not the constant's own."""


def test_each_is_accounted_for_with_its_clauses() -> None:
    constants = read_constants(ROOT / "config/clauses/constants.toml")
    kept = {*FIXED, *FOLLOWING, *(f"side_wagers.*.{key}" for key in OF_SIDE_WAGERS)}
    assert sorted(one.name for one in constants) == sorted(kept)
    for one in constants:
        needs = NEEDS.get(one.name, one.name.partition(".")[0])
        assert set(one.clauses) == {name for name in rule_files() if getattr(_rules(name), needs)}
        assert one.carried_by
