"""The words of the clauses, for those who show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.files.rules import clause_texts, load_rules, rule_files


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
