"""Rule sets in the form in which side wagers had no description: read as those of today."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller.files.rules import load_rules, rule_files
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
    for section, keys in AS_THEY_WERE[name].items():
        data.setdefault(section, {}).update(keys)
    return data


@pytest.mark.parametrize("name", AS_THEY_WERE)
def test_it_is_played_as_today(name: str) -> None:
    now, read = load_rules(name), build_rules(_as_it_was(name), "a journal")
    for field in dataclasses.fields(now):
        if field.name != "side_wagers":
            assert getattr(read, field.name) == getattr(now, field.name)
    assert list(read.side_wagers) == list(now.side_wagers)
    for kind, side_wager in now.side_wagers.items():
        values: dict[str, Any] = {
            key: Rule(getattr(side_wager, key).value, getattr(read.side_wagers[kind], key).clause)
            for key in NEW_CLAUSES
        }
        assert read.side_wagers[kind] == dataclasses.replace(side_wager, **values)
        assert list(read.side_wagers[kind].pays) == list(side_wager.pays)


def test_a_house_that_pays_no_two_aces_is_read_so() -> None:
    data = _as_it_was("rws-pontoon-plus-v5")
    data["pair"]["aces"]["value"] = False
    pair = build_rules(data, "a journal").side_wagers["pair"]
    assert pair.wins.value == tuple(pair.pays) == ("pair_but_aces",)


def test_what_it_lacks_is_a_fault() -> None:
    data = _as_it_was("rws-pontoon-plus-v5")
    del data["pays"]["bonus_aces"]
    with pytest.raises(RulesError, match="lacks 'bonus_aces'"):
        build_rules(data, "a journal")
