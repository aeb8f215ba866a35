"""The words of the console say each of the game's terms by the words of the glossary."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from pages.generated import DOCS, cells

WORDS: Final = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in (Path(__file__).parents[3] / "console" / "words").glob("*.json")
}
ROWS: Final = cells((DOCS / "glossary-languages.md").read_text("utf-8"))[2:]
TERMS: Final = {term: (zh.split(" / "), ms.split(" / ")) for term, zh, ms, _ in ROWS}
FORMS: Final = {
    "burn": ("burned",),
    "buy": ("bought", "buying"),
    "double": ("doubled",),
    "insurance": ("insured", "insure"),
    "shuffle": ("shuffled",),
    "squeeze": ("squeezing", "squeezed"),
    "surrender": ("surrendered",),
    "void": ("voided",),
    "wager": ("bet",),
}
"""English forms beside the plural."""
ELSEWHERE: Final = {
    "card": {"asks.card-to-box"},
    "stand": {"error.after-the-seated", "outcome.stand_off"},
}
"""Texts that have a term in another meaning, or the other language has it in a value."""


def _own(text: str) -> str:
    """The text in small letters, without the names of its values."""
    return re.sub(r"\{[\w-]+\}", "{}", text.lower())


def _texts_with(term: str) -> set[str]:
    """Keys of the English texts that have it."""
    spelt = "|".join(map(re.escape, (term.lower(), *FORMS.get(term, ()))))
    spells = re.compile(rf"\b(?:{spelt})(?:s|es)?\b")
    return {key for key, text in WORDS["en"].items() if spells.search(_own(text))}


def _lacking(keys: set[str], other: Mapping[str, str], words: list[str]) -> set[str]:
    """The texts in another language that have none of the words."""
    texts = {key: _own(other[key]) for key in keys if key in other}
    return {key for key, text in texts.items() if not any(word in text for word in words)}


@pytest.mark.parametrize("term", TERMS)
def test_a_term_is_said_by_its_words(term: str) -> None:
    said, elsewhere = _texts_with(term), ELSEWHERE.get(term, set())
    assert said, "no text has this term: the glossary need not"
    assert elsewhere <= said
    zh, ms = TERMS[term]
    assert _lacking(said - elsewhere, WORDS["zh"], zh) == set()
    assert _lacking(said - elsewhere, WORDS["ms"], ms) == set()


@pytest.mark.parametrize("term", TERMS)
def test_each_word_of_a_term_is_used(term: str) -> None:
    for language, words in zip(("zh", "ms"), TERMS[term], strict=True):
        texts = " ".join(WORDS[language].values()).lower()
        assert [word for word in words if word not in texts] == []


def test_terms_stand_once_in_their_order() -> None:
    names = [row[0].lower() for row in ROWS]
    assert names == sorted(set(names))
    assert FORMS.keys() | ELSEWHERE.keys() <= TERMS.keys()
