"""Every text of the console is used by a page, and nothing that a page can say is without one."""

from __future__ import annotations

import json
import re
from typing import Final

from controller.table.entering.choices import REASONS
from tests.console.words.code_lists import CODES, ROOT, STATIC

ENGLISH: Final[dict[str, str]] = json.loads(
    (ROOT / "console" / "words" / "en.json").read_text("utf-8")
)
SCRIPTS: Final = {path.name: path.read_text("utf-8") for path in sorted(STATIC.rglob("*.js"))}
LITERAL: Final = re.compile(r'["`]([a-z]+\.[a-z0-9][\w.-]*)["`]')
BUILT: Final = re.compile(r"`([a-z]+\.(?:[a-z]+[.-])*)\$\{")


def literals() -> set[str]:
    """The keys that the scripts have as they are."""
    families = {key.partition(".")[0] for key in ENGLISH}
    found = {key for script in SCRIPTS.values() for key in LITERAL.findall(script)}
    return {key for key in found if key.partition(".")[0] in families}


def test_each_beginning_of_a_key_has_its_codes() -> None:
    built = {begin for script in SCRIPTS.values() for begin in BUILT.findall(script)}
    assert built == CODES.keys()


def test_every_text_is_used_and_nothing_is_without_one() -> None:
    built = {f"{begin}{code}" for begin, codes in CODES.items() for code in codes}
    assert built | literals() == ENGLISH.keys()


def test_the_reasons_are_those_of_the_keypad() -> None:
    (listed,) = re.findall(r"const REASONS = (\[.*?\]);", SCRIPTS["errand.js"])
    assert json.loads(listed) == list(REASONS)
