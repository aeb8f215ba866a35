"""The words of the console: every code of the controller has a text, in a file that is sorted."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import get_args

import pytest

from controller.table.showing import notices, said
from pages.codes.describe import met
from pages.codes.meanings import SECTIONS

ROOT = Path(__file__).parents[2]
WORDS = sorted((ROOT / "console" / "words").glob("*.json"))
ENGLISH = ROOT / "console" / "words" / "en.json"
CODES = {
    "asks": frozenset(get_args(said.Code)),
    "notice": frozenset(get_args(notices.Code)),
    "error": frozenset(code for section in SECTIONS.values() for code in section)
    | {"another-page", "not-live"},
}
FAMILIES = "key|part|kind|error|trouble|device|role|card|none"
SAYING = """
import { readFile } from "node:fs/promises";
const inline = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const values = inline(await readFile("console/static/values.js", "utf8"));
const source = await readFile("console/static/words.js", "utf8");
const { t, use } = await import(inline(source.replace('"./values.js"', JSON.stringify(values))));
use(JSON.parse(await readFile(process.argv[1], "utf8")));
const met = JSON.parse(await readFile("/dev/stdin", "utf8"));
console.log(JSON.stringify(met.map(([key, values]) => t(key, values))));
"""


def _texts(path: Path) -> dict[str, str]:
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    return texts


@pytest.mark.parametrize("path", WORDS, ids=lambda path: path.stem)
def test_keys_are_sorted_one_a_line(path: Path) -> None:
    texts = _texts(path)
    written = json.dumps(dict(sorted(texts.items())), ensure_ascii=False, indent=2) + "\n"
    assert path.read_text("utf-8") == written


@pytest.mark.parametrize("family", CODES)
def test_every_code_has_a_text_and_every_text_a_code(family: str) -> None:
    has = {key.partition(".")[2] for key in _texts(ENGLISH) if key.startswith(f"{family}.")}
    assert has == CODES[family]


@pytest.mark.needs("node")
@pytest.mark.parametrize("path", WORDS, ids=lambda path: path.stem)
def test_what_played_tables_ask_is_said_whole(path: Path) -> None:
    asked, told = met()
    keys = [(f"asks.{code}", dict(one.values)) for code, one in asked.items()]
    keys += [(f"notice.{code}", dict(one.values)) for code, one in told.items()]
    done = subprocess.run(
        ["node", "--input-type=module", "-e", SAYING, str(path)],
        cwd=ROOT,
        input=json.dumps(keys),
        capture_output=True,
        text=True,
        check=True,
    )
    for (key, _), text in zip(keys, json.loads(done.stdout), strict=True):
        assert key != text
        assert not re.search(rf"[{{}}]|undefined|\b({FAMILIES})\.[a-z]", text), (key, text)
