"""Keys that came later: a set without them is read with the meaning of before."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from controller.files.rules import load_rules, rule_files
from controller.rules.earlier_keys import LIKE, SIDE_WAGER
from controller.rules.loader import RulesError, build_rules
from controller.rules.schema import Rule

MBS, PLUS = "mbs-pontoon-pandemonium-v5", "rws-pontoon-plus-v5"


def _as_it_was(name: str) -> dict[str, Any]:
    data = tomllib.loads(rule_files()[name].read_text(encoding="utf-8"))
    tables = [(data.get(section, {}), later) for section, later in LIKE.items()]
    tables += [(table, SIDE_WAGER) for table in data.get("side_wagers", {}).values()]
    for table, later in tables:
        for key in later:
            table.pop(key, None)
    return data


@pytest.mark.parametrize("name", rule_files())
def test_a_set_without_them_is_played_as_before(name: str) -> None:
    read, now = build_rules(_as_it_was(name), "a journal"), load_rules(name)
    clause = now.betting.outside_limits.clause
    assert read.betting.below_minimum == Rule("refused", clause)
    assert read.betting.box_max == Rule("none", clause)
    assert read.betting.outside == Rule("nothing", now.betting.bettors_max.clause)
    for one in read.side_wagers.values():
        assert one.persons_max == Rule(0, one.by.clause)
    if read.insurance is not None:
        assert read.insurance.outside == Rule(False, read.insurance.others.clause)


def test_a_key_that_is_there_stays() -> None:
    data = _as_it_was(PLUS)
    data["betting"]["box_max"] = {"value": "table_maximum", "clause": "5.1"}
    assert build_rules(data, "a file").betting.box_max == Rule("table_maximum", "5.1")


@pytest.mark.parametrize("spoilt", [None, 5, {"value": "refused"}])
def test_where_the_other_key_is_missing_both_are_faults(spoilt: object) -> None:
    data = _as_it_was(MBS)
    data["betting"].pop("outside_limits")
    if spoilt is not None:
        data["betting"]["outside_limits"] = spoilt
    with pytest.raises(RulesError) as error:
        build_rules(data, "a file")
    faults = "\n".join(error.value.faults)
    assert "betting.outside_limits" in faults
    assert "betting.box_max is missing" in faults


def test_side_wagers_that_are_no_tables_are_their_own_fault() -> None:
    data = _as_it_was(MBS)
    data["side_wagers"]["pair"] = 5
    with pytest.raises(RulesError, match=re.escape("side_wagers.pair = 5: expected a table")):
        build_rules(data, "a file")


@pytest.mark.parametrize("name", ["rws-pontoon-pandemonium-v4", "division-15-pontoon"])
def test_nobody_outside_the_box_where_no_side_wager_is_anyones(name: str) -> None:
    data = _as_it_was(name)
    data["betting"]["outside"] = {"value": "side_wagers", "clause": "x"}
    with pytest.raises(
        RulesError, match=re.escape("betting.outside = 'side_wagers': expected 'nothing'")
    ):
        build_rules(data, "a file")


def test_people_outside_insure_only_where_others_may() -> None:
    data = _as_it_was(PLUS)
    data["insurance"]["outside"] = {"value": True, "clause": "x"}
    with pytest.raises(RulesError, match=re.escape("insurance.outside = True: expected false")):
        build_rules(data, "a file")
