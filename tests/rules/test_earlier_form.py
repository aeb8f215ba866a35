"""Rule sets in the form in which side wagers had no description: read as those of today."""

from __future__ import annotations

import copy
import dataclasses
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller.files.rules import load_rules, rule_files
from controller.rules.earlier_form import button_kind
from controller.rules.engine import BEFORE, PRESENT
from controller.rules.loader import RulesError, build_rules
from controller.rules.sections import Rule

AS_THEY_WERE = json.loads(Path(__file__).with_name("earlier_form.json").read_text(encoding="utf-8"))
"""By document: those parts of the rule file that were written otherwise."""
NEW_CLAUSES = ("placed", "settled", "beaten_by", "wins")
"""Keys of a side wager that no file of that form has; they get clauses from near by."""


def _as_it_was(name: str) -> dict[str, Any]:
    data = tomllib.loads(rule_files()[name].read_text(encoding="utf-8"))
    data.pop("side_wagers", None)
    del data["betting"]["offers_need"]
    for state in ("interim.side_wagers", "interim.button"):
        data["states"].pop(state, None)
    for section, keys in copy.deepcopy(AS_THEY_WERE[name]).items():
        data.setdefault(section, {}).update(keys)
    return data


@pytest.mark.parametrize("name", AS_THEY_WERE)
def test_it_is_played_as_today(name: str) -> None:
    now, read = load_rules(name), build_rules(_as_it_was(name), "a journal")
    for field in dataclasses.fields(now):
        if field.name not in ("side_wagers", "engine"):
            assert getattr(read, field.name) == getattr(now, field.name)
    assert (read.engine, now.engine) == (BEFORE, PRESENT)
    assert list(read.side_wagers) == list(now.side_wagers)
    for kind, side_wager in now.side_wagers.items():
        values: dict[str, Any] = {
            key: Rule(getattr(side_wager, key).value, getattr(read.side_wagers[kind], key).clause)
            for key in NEW_CLAUSES
        }
        values["persons_max"] = Rule(0, side_wager.by.clause)  # a key that came later still
        assert read.side_wagers[kind] == dataclasses.replace(side_wager, **values)
        assert list(read.side_wagers[kind].pays) == list(side_wager.pays)


@pytest.mark.parametrize("name", [name for name in AS_THEY_WERE if load_rules(name).pandemonium])
def test_the_kind_that_the_button_settles_is_known_of_both_forms(name: str) -> None:
    today = tomllib.loads(rule_files()[name].read_text(encoding="utf-8"))
    assert button_kind(today) == button_kind(_as_it_was(name)) == load_rules(name).button_wager


def test_a_house_that_pays_no_two_aces_is_read_so() -> None:
    data = _as_it_was("rws-pontoon-plus-v5")
    data["pair"]["aces"]["value"] = False
    pair = build_rules(data, "a journal").side_wagers["pair"]
    assert pair.wins.value == tuple(pair.pays) == ("pair_but_aces",)


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("pays/bonus_aces", None, 'pays."bonus_aces" is missing: its odds'),
        ("pays/bonus_extra", {"value": [1, 1], "clause": "1"}, 'pays."bonus_extra" is unknown'),
        ("settled_by/bonus.win", None, 'settled_by."bonus.win" is missing'),
        ("settled_by/bonus.aces", "1", 'settled_by."bonus.aces" is unknown'),
        ("pair/aces", {"value": "false", "clause": "3.14"}, "pair.aces = 'false': permitted are"),
        ("pair/aces", {"value": 1, "clause": "3.14"}, "pair.aces = 1: permitted are True, False"),
        ("pair/aces", {"value": True, "clause": ""}, "pair.aces: its clause is ''"),
        ("pair/typo", {}, "pair.typo is unknown; expected aces"),
        ("pair", None, "betting.side_wagers = ['pair', 'bonus'] and section [pair]"),
        ("bonus", 5, "is of the form without [side_wagers], and has not what that needs"),
        ("states/interim.pair", 3, 'states."interim.pair" = 3: expected the clause as text'),
        ("betting/side_wager_by", {"value": "x", "clause": "1"}, "betting.side_wager_by = 'x'"),
        ("side_wagers", {}, "side_wagers does not go with betting.side_wager_by"),
    ],
)
def test_a_fault_of_that_form_is_named(where: str, value: Any, said: str) -> None:
    data = _as_it_was("rws-pontoon-plus-v5")
    *path, last = where.split("/")
    table = data
    for name in path:
        table = table[name]
    if value is None:
        del table[last]
    else:
        table[last] = value
    with pytest.raises(RulesError) as error:
        build_rules(data, "a journal")
    assert any(fault.startswith(said) for fault in error.value.faults), error.value.faults


def test_bonus_has_the_key_before_pandemonium_and_a_kind_named_twice_is_one() -> None:
    """As the keypad had it; kinds were settled in one order, whatever that of the list."""
    data = _as_it_was("mbs-pontoon-pandemonium-v5")
    plus = _as_it_was("rws-pontoon-plus-v5")
    data["bonus"] = plus["bonus"]
    for section in ("pays", "settled_by"):
        more = {key: said for key, said in plus[section].items() if key.startswith("bonus")}
        data[section].update(more)
    data["betting"]["side_wagers"]["value"] = ["pandemonium", "bonus", "pair", "bonus"]
    read = build_rules(data, "a journal")
    keys = {kind: side_wager.keypad for kind, side_wager in read.side_wagers.items()}
    assert keys == {"pair": "P", "bonus": "J", "pandemonium": "none"}
    assert list(read.side_wagers) == ["pair", "bonus", "pandemonium"]


@pytest.mark.parametrize("name", AS_THEY_WERE)
def test_a_journal_that_sorts_its_keys_gives_the_same(name: str) -> None:
    data = _as_it_was(name)
    sorted_keys = json.loads(json.dumps(data, sort_keys=True))
    assert build_rules(sorted_keys, "a journal") == build_rules(data, "a file")
