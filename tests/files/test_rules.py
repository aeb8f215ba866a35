"""Rule files and the words of their clauses: where they are found, and one that cannot be read."""

from __future__ import annotations

import codecs
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import pytest

from controller.files.rules import clause_texts, load_rules, read_rules, rule_files
from controller.game.rules.loader import RulesError
from pages.generated import ROOT
from pages.sources import Listed, read_source

MBS = "mbs-pontoon-pandemonium-v5"
AS_NOBODY = """
import os, sys
from controller.files.rules import load_rules
os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    load_rules(sys.argv[1])
except Exception as error:
    print(error)
"""


def test_an_unknown_rule_set_names_the_known_ones() -> None:
    with pytest.raises(RulesError, match="no such rule set or file") as error:
        load_rules("no-such-rules")
    assert MBS in str(error.value)


def test_a_name_that_no_file_can_have_is_no_rule_set() -> None:
    for name in ("x" * 5000, "a\0b", "", "."):
        with pytest.raises(RulesError, match="no such rule set or file"):
            load_rules(name)


def test_a_rule_file_is_found_beside_the_script(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(rule_files()[MBS].read_bytes())
    assert load_rules("mine.toml", tmp_path).id == MBS


def test_a_byte_order_mark_is_taken_off(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_bytes(codecs.BOM_UTF8 + rule_files()[MBS].read_bytes())
    assert load_rules("mine.toml", tmp_path).id == MBS


def test_what_is_no_rule_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text("stand = ", encoding="utf-8")
    with pytest.raises(RulesError, match="is not TOML"):
        read_rules(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RulesError, match="cannot be read: it is written in UTF-16"):
        read_rules(path)
    path.write_bytes(b"stand = \xff")
    with pytest.raises(RulesError, match="cannot be read: is not UTF-8: invalid start byte, byte"):
        read_rules(path)
    with pytest.raises(RulesError, match="cannot be read"):
        read_rules(tmp_path)


@pytest.mark.needs("root")
@pytest.mark.parametrize("what", ["the file", "its folder"])
def test_a_file_that_may_not_be_read_is_there_and_says_whose_it_is(what: str) -> None:
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    mine = folder / "mine.toml"
    mine.write_bytes(rule_files()[MBS].read_bytes())
    folder.chmod(0o755 if what == "the file" else 0o700)
    mine.chmod(0o600)
    told = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, mine], capture_output=True, text=True, check=True
    ).stdout
    shutil.rmtree(folder)
    may_not = f"may not read {mine}" if what == "the file" else f"may not enter {folder}"
    assert f"cannot be read: user nobody {may_not}, which belongs to root:root" in told


@pytest.mark.parametrize("rules", rule_files())
def test_every_clause_that_decides_a_wager_has_words(rules: str) -> None:
    words, known = clause_texts(rules), load_rules(rules)
    deciding = [*known.settled_by.values()]
    for side_wager in known.side_wagers.values():
        deciding += side_wager.settled_by.values()
    parts = {part for clause in deciding for part in clause.split("; ")}
    assert {part for part in parts if not part.startswith("matrix")} <= words.keys()
    assert "A-38" in words


def test_a_document_without_such_a_file_has_the_defaults_alone(tmp_path: Path) -> None:
    assert clause_texts("houses-own").keys() == clause_texts("../clauses/defaults").keys()
    (tmp_path / "odd.toml").write_text("clauses = 3\n")
    assert clause_texts("odd", tmp_path) == {}
    (tmp_path / "odd.toml").write_text("[[clauses]]\nnumber = 3\ntext = 'x'\n")
    assert clause_texts("odd", tmp_path) == {}


# What holds in every document, and is no key of rule files ---------------------------------------


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
