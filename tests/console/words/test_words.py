"""The words of the console in each language: alike in keys and values, sorted, and said whole."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from console.configuration import LANGUAGES
from pages.codes import met

ROOT: Final = Path(__file__).parents[3]
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
    """Those in words."""
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
