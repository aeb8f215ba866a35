"""The words of the console say each of the game's terms by the words of the glossary."""

from __future__ import annotations

import json
import re
from typing import Final

import pytest

from pages.generated import DOCS, cells

FOLDER: Final = DOCS.parent / "console" / "words"
TEXTS: Final[dict[str, dict[str, str]]] = {
    path.stem: {
        key: re.sub(r"\{[\w-]+\}", "{}", text.lower())
        for key, text in json.loads(path.read_text("utf-8")).items()
    }
    for path in FOLDER.glob("*.json")
}
"""By language: the texts in small letters, without the names of their values."""
ROWS: Final = cells((DOCS / "glossary-languages.md").read_text("utf-8"))[2:]
TERMS: Final = {term: (zh.split(" / "), ms.split(" / ")) for term, zh, ms, _ in ROWS}
FORMS: Final = {
    "burn": "burned",
    "buy": "bought|buying",
    "double": "doubled",
    "insurance": "insured|insure",
    "shuffle": "shuffled",
    "squeeze": "squeezing|squeezed",
    "surrender": "surrendered",
    "void": "voided",
    "wager": "bet",
}
"""English forms beside the plural."""
ELSEWHERE: Final = {
    "card": {"asks.card-to-box"},
    "stand": {"error.after-the-seated", "outcome.stand_off"},
}
"""Texts that have a term in another meaning, or the other language has it in a value."""


@pytest.mark.parametrize("term", TERMS)
def test_a_term_is_said_by_its_words_and_each_is_used(term: str) -> None:
    spelt = "|".join([re.escape(term.lower()), *FORMS.get(term, "").split("|")]).rstrip("|")
    spells = re.compile(rf"\b(?:{spelt})(?:s|es)?\b")
    said = {key for key, text in TEXTS["en"].items() if spells.search(text)}
    assert said, "no text has this term: the glossary need not"
    assert ELSEWHERE.get(term, set()) <= said
    for language, words in zip(("zh", "ms"), TERMS[term], strict=True):
        there = TEXTS[language]
        keys = (said - ELSEWHERE.get(term, set())) & there.keys()
        assert [key for key in keys if not any(word in there[key] for word in words)] == []
        assert [word for word in words if not any(word in text for text in there.values())] == []


def test_terms_stand_once_in_their_order() -> None:
    names = [row[0].lower() for row in ROWS]
    assert names == sorted(set(names))
    assert FORMS.keys() | ELSEWHERE.keys() <= TERMS.keys()
