"""What holds in every document, and is no key of rule files."""

from __future__ import annotations

from typing import Final

from controller.files.rules import load_rules, rule_files
from pages.generated import ROOT
from pages.sources import Listed, read_source

NEEDS: Final = {
    "betting.side_wager_without_main": "side_wagers",
    "compare.dealer_pontoon_split_doubled": "double",
}
"""The section without which a document cannot say it, where it is not the constant's own."""


def test_each_is_accounted_for_with_its_clauses() -> None:
    documents = {name: load_rules(name) for name in rule_files()}
    for one in read_source(Listed, ROOT / "config/clauses/constants.toml").constants:
        needs = NEEDS.get(one.name, one.name.partition(".")[0])
        assert set(one.clauses) == {n for n, rules in documents.items() if getattr(rules, needs)}
        assert one.carried_by
