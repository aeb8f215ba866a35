"""``rules diff``: what differs between two rule sets, and where either document says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.files.rules import load_rules, rule_files
from tests.cli.support import Tablectl

MBS = "mbs-pontoon-pandemonium-v5"
PLUS = "rws-pontoon-plus-v5"
RWS = "rws-pontoon-pandemonium-v4"

Variant = Callable[..., Path]


@pytest.fixture
def variant(tmp_path: Path) -> Variant:
    """Writes a house's variant of a rule set that comes with the controller."""

    def write(name: str, *changes: tuple[str, str]) -> Path:
        text = rule_files()[name].read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "variant.toml"
        path.write_text(text, "utf-8")
        return path

    return write


def _found(tablectl: Tablectl, a: object, b: object, *options: str) -> dict[str, Any]:
    ran = tablectl("rules", "diff", a, b, "--json", *options)
    assert (ran.code, ran.err) == (0, "")
    return {f"{one['section']}.{one['key']}": one for one in ran.json["differences"]}


def test_rules_diff_of_a_rule_set_and_itself(tablectl: Tablectl) -> None:
    ran = tablectl("rules", "diff", MBS, MBS)
    assert ran.code == 0
    assert "Both are played alike." in ran.out
    assert _found(tablectl, MBS, MBS, "--clauses") == {}


def test_rules_diff_tells_either_value_with_its_clause(tablectl: Tablectl) -> None:
    one = _found(tablectl, RWS, MBS)["betting.control"]
    assert one["kind"] == "value"
    assert one["what"] == "Who decides for a box without a seated player"
    assert one["a"] == {"value": "largest_wager", "clause": "A-24"}
    assert one["b"] == {"value": "nearest_dealer", "clause": "3.12"}
    told = " ".join(tablectl("rules", "diff", RWS, MBS).out.split())
    assert "the largest wager [house default A-24]" in told
    assert "betting.control" not in told
    assert "betting.control" in tablectl("rules", "diff", RWS, MBS, "--keys").out


def test_rules_diff_tells_what_only_one_plays(tablectl: Tablectl) -> None:
    found = _found(tablectl, PLUS, RWS)
    bonus, button = found["side_wagers.bonus."], found["pandemonium."]
    assert bonus["kind"] == button["kind"] == "section"
    assert bonus["b"] is button["a"] is None
    assert "4.3" in button["b"]["clause"]
    assert found["not_played.press"]["a"]["clause"]
    told = tablectl("rules", "diff", PLUS, RWS).out
    assert "Played by only one of the two" in told
    assert "not played" in told


def test_rules_diff_of_a_pay_line(tablectl: Tablectl, variant: Variant) -> None:
    path = variant(MBS, ("cards_6 = { value = [2, 1]", "cards_6 = { value = [5, 2]"))
    found = _found(tablectl, MBS, path, "--clauses")
    assert list(found) == ["pays.cards_6"]
    told = " ".join(tablectl("rules", "diff", MBS, path).out.split())
    assert "21 with six cards 2 to 1 [4.1] 5 to 2 [4.1]" in told
    assert f"({path})" in tablectl("rules", "diff", MBS, path).out


def test_rules_diff_of_an_irregularity(tablectl: Tablectl, variant: Variant) -> None:
    case = next(case for case in load_rules(MBS).irregularities if case.trigger == "foreign")
    assert case.remedies == ("void",)
    old = 'trigger = "foreign"\nremedies = ["void"]'
    path = variant(MBS, (old, old.replace('"void"', '"void", "discard"')))
    found = _found(tablectl, MBS, path, "--clauses")
    assert list(found) == ["irregularities.foreign"]
    sides = [found["irregularities.foreign"][side]["value"] for side in "ab"]
    assert [side[0]["remedies"] for side in sides] == [["void"], ["void", "discard"]]
    told = " ".join(tablectl("rules", "diff", MBS, path).out.split())
    assert "A card that does not belong to the set the round is void (the supervisor)" in told


def test_rules_diff_of_clauses_alone_only_when_asked(tablectl: Tablectl, variant: Variant) -> None:
    old = 'after_split = { value = false, clause = "3.20.1"'
    path = variant(MBS, (old, old.replace("3.20.1", "9.9")), ('"void" = "', '"void" = "9.9; '))
    assert _found(tablectl, MBS, path) == {}
    found = _found(tablectl, MBS, path, "--clauses")
    assert [one["kind"] for one in found.values()] == ["clause", "clause"]
    assert found["pontoon.after_split"]["b"] == {"value": False, "clause": "9.9"}
    told = tablectl("rules", "diff", MBS, path).out
    assert "In 2 places only the clause is another: --clauses" in told
    assert "[9.9]" in tablectl("rules", "diff", MBS, path, "--clauses").out


def test_rules_diff_of_every_pair_reads_as_words(tablectl: Tablectl) -> None:
    names = sorted(rule_files())
    for a in names:
        for b in names:
            told = tablectl("rules", "diff", a, b, "--clauses").out
            assert "_" not in told
            assert a == b or len(told.splitlines()) > 10


def test_rules_diff_names_the_faults_of_both_files(
    tablectl: Tablectl, variant: Variant, tmp_path: Path
) -> None:
    path = variant(MBS, ("[stand]", "[stnd]"))
    ran = tablectl("rules", "diff", path, tmp_path / "none.toml")
    assert ran.code == 2
    assert f"{path}: [stand] is missing" in ran.err
    assert f"{tmp_path / 'none.toml'}: no such rule set or file" in ran.err
    assert ran.out == ""
