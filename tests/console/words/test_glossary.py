"""The words of the console say each of the game's terms by the words of the glossary."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from pages.languages import TERMS, Term

WORDS: Final = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in (Path(__file__).parents[3] / "console" / "words").glob("*.json")
}


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.english)
def test_a_term_is_said_by_its_words(term: Term) -> None:
    said = term.texts_with_it(WORDS["en"])
    assert said, "no text has this term: the glossary need not"
    assert term.elsewhere <= set(said)
    assert term.missing(WORDS["en"], WORDS["zh"], term.zh) == []
    assert term.missing(WORDS["en"], WORDS["ms"], term.ms) == []


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.english)
def test_each_word_of_a_term_is_used(term: Term) -> None:
    for language, words in (("zh", term.zh), ("ms", term.ms)):
        texts = " ".join(WORDS[language].values()).lower()
        assert [word for word in words if word not in texts] == []
