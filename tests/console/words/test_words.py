"""The words of the console in each language: alike in keys and values, sorted, and said whole; by
the words of the glossary; every text is used by a page, and nothing that a page can say is without
one."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from console.configuration import LANGUAGES
from controller.table.entering.choices import REASONS
from pages.codes import met
from pages.generated import DOCS, cells
from tests.console.words.code_lists import CODES, ROOT, STATIC

SCRIPTS: Final = {path.name: path.read_text("utf-8") for path in sorted(STATIC.rglob("*.js"))}
LITERAL: Final = re.compile(r'["`]([a-z]+\.[a-z0-9][\w.-]*)["`]')
BUILT: Final = re.compile(r"`([a-z]+\.(?:[a-z]+[.-])*)\$\{")


def literals() -> set[str]:
    families = {key.partition(".")[0] for key in texts("en")}
    found = {key for script in SCRIPTS.values() for key in LITERAL.findall(script)}
    return {key for key in found if key.partition(".")[0] in families}


def test_each_beginning_of_a_key_has_its_codes() -> None:
    built = {begin for script in SCRIPTS.values() for begin in BUILT.findall(script)}
    assert built == CODES.keys()


def test_every_text_is_used_and_nothing_is_without_one() -> None:
    built = {f"{begin}{code}" for begin, codes in CODES.items() for code in codes}
    assert built | literals() == texts("en").keys()


def test_the_reasons_are_those_of_the_keypad() -> None:
    (listed,) = re.findall(r"const REASONS = (\[.*?\]);", SCRIPTS["errand.js"])
    assert json.loads(listed) == list(REASONS)


WORDS: Final = sorted((ROOT / "console" / "words").glob("*.json"))
OTHERS: Final = [language for language in LANGUAGES if language != "en"]
FAMILIES: Final = "key|part|kind|error|fault|report|trouble|device|role|card|none"
SAYING: Final = """
import { readFile } from "node:fs/promises";
const inline = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const values = inline(await readFile("console/static/common/values.js", "utf8"));
const source = await readFile("console/static/common/words.js", "utf8");
const { t, use } = await import(inline(source.replace('"./values.js"', JSON.stringify(values))));
use(JSON.parse(await readFile(process.argv[1], "utf8")));
const met = JSON.parse(await readFile("/dev/stdin", "utf8"));
console.log(JSON.stringify(met.map(([key, values]) => t(key, values))));
"""

NAMES: Final = (
    *("pontoon", "pandemonium", "plus", "english", "bahasa", "melayu", "pin", "sha", "super"),
    *("bonus", "jackpot", "meter", "unit", "set", "digit", "s"),
)
"""Words that stay as they are in every language, or that Malay has, too."""
ENGLISH: Final = re.compile(
    r"\b(a|an|the|is|are|was|were|be|not|no|of|and|or|to|with|that|this|it|its|for|by|on|at|card"
    r"|wager|dealer|round|hand|box|shoe|table|player|who|what|which)\b"
)


@cache
def texts(language: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(
        (ROOT / "console" / "words" / f"{language}.json").read_text("utf-8")
    )
    return found


def values_of(text: str) -> list[str]:
    return sorted(re.findall(r"\{([\w-]+)\}", text))


def test_each_language_that_is_offered_has_its_file() -> None:
    assert [path.stem for path in WORDS] == sorted(LANGUAGES)


@pytest.mark.parametrize("path", WORDS, ids=lambda path: path.stem)
def test_keys_are_sorted_one_a_line(path: Path) -> None:
    written = json.dumps(dict(sorted(texts(path.stem).items())), ensure_ascii=False, indent=2)
    assert path.read_text("utf-8") == written + "\n"


@pytest.mark.parametrize("language", OTHERS)
def test_it_has_the_same_keys_and_values(language: str) -> None:
    assert texts(language).keys() == texts("en").keys()
    differ = {
        key: text
        for key, text in texts(language).items()
        if not text or values_of(text) != values_of(texts("en")[key])
    }
    assert not differ


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left(language: str) -> None:
    left = {}
    for key, text in texts(language).items():
        words = re.findall(r"[a-z]+", re.sub(r"\{[\w-]+\}", "", text).lower())
        foreign = [word for word in words if word not in NAMES]
        if (language == "zh" and foreign) or ENGLISH.search(" ".join(foreign)):
            left[key] = text
    assert not left


@cache
def met_keys() -> list[tuple[str, dict[str, object]]]:
    """What is asked and noted at tables that were played, as keys with their values."""
    asked, told = met()
    keys = [(f"asks.{code}", dict(one.values)) for code, one in asked.items()]
    return keys + [(f"notice.{code}", dict(one.values)) for code, one in told.items()]


@cache
def said(language: str) -> list[str]:
    path = ROOT / "console" / "words" / f"{language}.json"
    done = subprocess.run(
        ["node", "--input-type=module", "-e", SAYING, str(path)],
        cwd=ROOT,
        input=json.dumps(met_keys()),
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.needs("node")
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_played_tables_ask_is_said_whole(language: str) -> None:
    for (key, _), text in zip(met_keys(), said(language), strict=True):
        assert key != text
        assert not re.search(rf"[{{}}]|undefined|\b({FAMILIES})\.[a-z]", text), (key, text)


@pytest.mark.needs("node")
@pytest.mark.parametrize("language", OTHERS)
def test_amounts_boxes_and_clauses_are_written_alike(language: str) -> None:
    figures = re.compile(r"\d+(?:\.\d+)*|[♣♦♥♠]")
    for (key, _), english, text in zip(met_keys(), said("en"), said(language), strict=True):
        assert sorted(figures.findall(text)) == sorted(figures.findall(english)), (key, text)


# ---- the glossary -------------------------------------------------------------------------------

TEXTS: Final = {
    language: {
        key: re.sub(r"\{[\w-]+\}", "{}", text.lower()) for key, text in texts(language).items()
    }
    for language in LANGUAGES
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
