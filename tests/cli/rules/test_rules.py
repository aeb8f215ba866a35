"""``rules``: pages of the rule documents that a person can read, and what ``--json`` gives."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from pytest_mock import MockerFixture

from controller.files.rule_words import OF_KEYS, PAYS, STEPS, VALUES, clause_words, value_words
from controller.files.rules import load_rules, rule_files
from controller.game.rules import schema
from controller.game.rules.loader import dump_rules
from controller.game.rules.side_wagers import COMBINATIONS
from tests.cli.support import Tablectl

MBS = "mbs-pontoon-pandemonium-v5"
RWS = "rws-pontoon-pandemonium-v4"
CLAUSES = ("settled_by", "not_played", "states")


def test_rules_list(tablectl: Tablectl) -> None:
    assert [row["id"] for row in tablectl("rules", "list", "--json").json] == list(rule_files())
    assert MBS in tablectl("rules", "list").out


@pytest.mark.parametrize("name", sorted(rule_files()))
def test_rules_show_every_value_with_its_clause(tablectl: Tablectl, name: str) -> None:
    data = dump_rules(load_rules(name))
    digest = hashlib.sha256(rule_files()[name].read_bytes()).hexdigest()
    whole = json.loads(json.dumps({**data, "digest": digest}))
    assert tablectl("rules", "show", name, "--json").json == whole
    told = " ".join(tablectl("rules", "show", name, "--keys").out.split())
    for section, entries in data.items():
        if section in ("document", "irregularities", "engine"):
            continue
        for where, key, entry in _entries(section, entries):
            clause = clause_words(entry["clause"] if isinstance(entry, dict) else entry)
            assert clause in told, (where, key)
            assert f"{where}.{key} = " in told or f"{clause} ({key})" in told, (where, key)


def _entries(where: str, table: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """The keys of a section that have a clause, and those of the tables in it."""
    for key, entry in table.items():
        if isinstance(entry, dict) and "clause" not in entry:
            yield from _entries(f"{where}.{key}", entry)
        elif isinstance(entry, dict) or where.rpartition(".")[2] in CLAUSES:
            yield where, key, entry


@pytest.mark.parametrize("name", sorted(rule_files()))
def test_rules_show_no_name_of_the_program_unless_asked_for(tablectl: Tablectl, name: str) -> None:
    told = tablectl("rules", "show", name).out
    assert "_" not in told
    assert "house default A-" in told
    assert "[A-" not in told
    assert "[[" not in told


def test_rules_show_lines_as_a_person_says_them(tablectl: Tablectl) -> None:
    told = tablectl("rules", "show", RWS).out.splitlines()
    who = "Who decides for a box without a seated player"
    assert f"  {who}: the largest wager [house default A-24]" in told
    keys = tablectl("rules", "show", RWS, "--keys").out
    assert f"{who}: the largest wager [house default A-24]  (betting.control = " in keys
    at = told.index("Pair wager: what it pays")
    assert told[at + 1].split() == ["Two", "aces", "11", "to", "1", "[4.1]"]


def test_rules_show_irregularities_as_a_table(
    tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    told = tablectl("rules", "show", RWS).out.splitlines()
    head = next(line for line in told if "What happened" in line)
    row = next(line for line in told if "A card that does not" in line)
    at = head.index("Clause")
    assert row[at:].split()[0] == "[5.1.1]"
    assert row[head.index("Who decides") :].startswith("the supervisor")
    assert row[head.index("What is done") :].startswith("the round is void")


def test_rules_show_fits_the_terminal(tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    told = tablectl("rules", "show", MBS).out.splitlines()
    start = next(i for i, line in enumerate(told) if "What happened" in line)
    end = told.index("", start)
    assert max(len(line) for line in told[start:end]) <= 100


def test_rules_show_what_is_not_played(tablectl: Tablectl) -> None:
    told = tablectl("rules", "show", RWS).out
    assert "Not part of these rules" in told
    assert "Buying a card" in told
    assert "The button and the meter of the side wager that is settled by them\n  Order" in told


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("cards.tens", False, "no"),
        ("stand.minimum", 0, "any total"),
        ("stand.minimum", 12, "12"),
        ("betting.side_wagers", ("pair", "pandemonium"), "pair, Pandemonium"),
        ("betting.side_wagers", (), "none"),
        ("surrender.dealer_first", tuple("A23456789TJQK"), "any card"),
        ("super_bonus.brackets", ((10, 1000), (100, 5000)), "from 10: 1,000; from 100: 5,000"),
        ("any.key", "without_words_yet", "without words yet"),
    ],
)
def test_rules_values_in_words(where: str, value: Any, said: str) -> None:
    assert value_words(where, value) == said


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("3.10", "[3.10]"),
        ("A-24", "[house default A-24]"),
        ("3.10; A-20b", "[3.10; house default A-20b]"),
        ("A-08; A-11; 3.9", "[house defaults A-08, A-11; 3.9]"),
        ("[Cards]; A-52", "[Cards; house default A-52]"),
        ("Appendix A", "[Appendix A]"),
    ],
)
def test_rules_clauses_in_words(clause: str, said: str) -> None:
    assert clause_words(clause) == said


def _permitted() -> dict[str, tuple[Any, ...]]:
    """Permitted values by ``section.key``, as the schema has them."""
    found: dict[str, tuple[Any, ...]] = {}
    for name, hint in get_type_hints(schema.RuleSet).items():
        kinds = [kind for kind in (hint, *get_args(hint)) if dataclasses.is_dataclass(kind)]
        for field in dataclasses.fields(kinds[0]) if kinds else ():
            expected = field.metadata.get("expected")
            found[f"{name}.{field.name}"] = expected.permitted if expected else ()
    return found


def test_rules_no_words_for_what_the_schema_does_not_know() -> None:
    permitted = _permitted()
    every = {value for values in permitted.values() for value in values}
    every |= {kind for name in rule_files() for kind in load_rules(name).side_wagers}
    assert set(VALUES) <= every
    for where, value in OF_KEYS:
        assert value in permitted[where] or (value == 0 and not permitted[where]), where
    lines = {line for lines in schema.PAYS.values() for line in lines}
    assert lines <= set(PAYS) <= {*lines, *COMBINATIONS}
    assert set(STEPS) == {step for steps in schema.UNPLAYED.values() for step in steps}


def test_rules_that_may_not_be_read(
    tablectl: Tablectl, tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch("os.open", side_effect=PermissionError(13, "Permission denied"))
    ran = tablectl("rules", "check", tmp_path / "rules.toml")
    assert ran.code == 2
    assert "rules.toml: cannot be read: user " in ran.err
    assert " may not use " in ran.err


def test_rules_that_are_not_there(tablectl: Tablectl) -> None:
    ran = tablectl("rules", "show", "whist")
    assert ran.code == 2
    assert MBS in ran.err
    assert tablectl("rules", "show", "x" * 5000).code == 2
    assert tablectl("rules", "show", "a\0b").code == 2
