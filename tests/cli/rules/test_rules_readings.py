"""``rules readings``: what a house signs, its digest, and who has approved it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.files.readings import LAW, PROPOSED
from controller.files.rules import load_rules, rule_files
from tests.cli.rounds.test_round_course import outline
from tests.cli.support import Tablectl
from tests.configuration.test_configuration import write

MBS = "mbs-pontoon-pandemonium-v5"
DOCUMENTS = sorted(rule_files())
each_document = pytest.mark.parametrize("name", DOCUMENTS)


def _told(tablectl: Tablectl, document: object, *options: object) -> dict[str, Any]:
    ran = tablectl("rules", "readings", document, "--json", *options)
    assert (ran.code, ran.err) == (0, "")
    told: dict[str, Any] = ran.json
    return told


def _variant(folder: Path, old: str, new: str) -> Path:
    text = rule_files()[MBS].read_text("utf-8")
    assert old in text
    path = folder / "variant.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    return path


@each_document
def test_every_reading_is_told_in_all_three_forms(
    tablectl: Tablectl, tmp_path: Path, name: str
) -> None:
    html = tmp_path / "readings.html"
    told = _told(tablectl, name, "--html", html)
    page = outline(html.read_text("utf-8")).said
    lines = " ".join(tablectl("rules", "readings", name).out.split())
    assert told["readings"][0]["clause"] == LAW
    for one in told["readings"]:
        assert (one["by"], one["on"]) == ("", "")
        for part in ("clause", "reading", "others", "money"):
            assert one[part]
            assert " ".join(one[part].split()) in lines
            assert one[part] in page
        assert all(value in page for value in one["values"])
    assert told["digest"] in lines
    assert told["digest"] in page
    assert page.count("by:") == len(told["readings"]), "a line to sign on for each"


@each_document
def test_what_the_rule_file_cites_is_a_reading_with_the_value_that_carries_it(
    tablectl: Tablectl, name: str
) -> None:
    by_clause = {one["clause"]: one for one in _told(tablectl, name)["readings"]}
    rules = load_rules(name)
    assert "A-30" in rules.betting.fractions.clause
    value = f'betting.fractions = "{rules.betting.fractions.value}"'
    assert any(one.startswith(value) for one in by_clause["A-30"]["values"])
    assert {"A-74", "A-75"} <= by_clause.keys(), "though no rule file can change them"


def test_no_two_documents_have_the_same_sheet(tablectl: Tablectl) -> None:
    digests = {_told(tablectl, name)["digest"] for name in DOCUMENTS}
    assert len(digests) == len(DOCUMENTS)


def test_an_exception_is_a_reading_of_its_document_alone(tablectl: Tablectl) -> None:
    clauses = [one["clause"] for one in _told(tablectl, MBS)["readings"]]
    assert "5.7" in clauses
    assert "16.3" not in clauses


def test_the_law_is_a_proposal_where_the_document_leaves_it_to_a_person(
    tablectl: Tablectl,
) -> None:
    assert _told(tablectl, MBS)["readings"][0]["values"] == [f"{PROPOSED} [6.1]"]
    assert _told(tablectl, "division-15-pontoon")["readings"][0]["values"] == []


def test_a_value_that_a_reading_depends_on_makes_another_sheet(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    old = 'hard_minimum = { value = 12, clause = "5.22; A-34" }'
    changed = _told(tablectl, _variant(tmp_path, old, old.replace("12", "13")))
    published = _told(tablectl, MBS)
    differ = [
        (now, before)
        for now, before in zip(changed["readings"], published["readings"], strict=True)
        if now != before
    ]
    [(now, before)] = differ
    assert now["clause"] == "A-34"
    assert {value for value in now["values"] if value not in before["values"]} == {
        "absent.hard_minimum = 13 [5.22]"
    }
    assert changed["digest"] != published["digest"]


def test_a_value_that_no_reading_depends_on_leaves_the_sheet_as_it_is(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    pays = 'pontoon = { value = [3, 2], clause = "4.1" }'
    changed = _variant(tmp_path, pays, pays.replace("[3, 2]", "[2, 1]"))
    assert _told(tablectl, changed)["digest"] == _told(tablectl, MBS)["digest"]


def test_a_document_of_the_house_is_read_as_the_nearest_published_one(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    own = _variant(tmp_path, f'id = "{MBS}"', 'id = "houses-own"')
    told = _told(tablectl, own)
    assert (told["document"]["id"], told["like"]) == ("houses-own", MBS)
    assert told["digest"] == _told(tablectl, MBS)["digest"]
    assert f"{MBS}, the published document" in tablectl("rules", "readings", own).out


def test_who_approved_this_sheet_and_when(tablectl: Tablectl, tmp_path: Path) -> None:
    digest = _told(tablectl, MBS)["digest"]
    signed = {"readings": digest, "readings_by": "A. Tan", "readings_on": "2026-11-28"}
    config = write(tmp_path, **{f"approved__{key}": f'"{text}"' for key, text in signed.items()})
    html = tmp_path / "readings.html"
    told = _told(tablectl, MBS, "--config", config, "--html", html)
    assert {(one["by"], one["on"]) for one in told["readings"]} == {("A. Tan", "2026-11-28")}
    page = outline(html.read_text("utf-8")).said
    assert "by A. Tan, on 2026-11-28" in page
    assert "by:" not in page
    other = _told(tablectl, "division-15-pontoon", "--config", config)
    assert {one["by"] for one in other["readings"]} == {""}, "he approved another sheet"


def test_a_configuration_that_is_named_and_cannot_be_read(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    ran = tablectl("rules", "readings", MBS, "--config", tmp_path / "none.toml")
    assert ran.code == 2
    assert "none.toml" in ran.err


def test_no_such_document_and_a_page_that_is_there_already(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    assert tablectl("rules", "readings", "whist").code == 2
    there = tmp_path / "there.html"
    there.write_text("signed", "utf-8")
    assert tablectl("rules", "readings", MBS, "--html", there).code == 2
    assert there.read_text("utf-8") == "signed"
