"""The drawn pictures: as the code draws them, and true."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from controller.table.entering.keys import AT_ONCE, COLLECTING, PUT_RIGHT
from controller.table.showing.status import status
from pages import drawn as pictures
from pages.generated import DOCS
from pages.table.keypad import at_state
from pages.table.played_tables import card, order

SVG = "{http://www.w3.org/2000/svg}"
LETTER_PX = {False: 0.56, True: 0.605}
"""Width of a letter in sizes of it: of words on the average of DejaVu Sans, of mono exactly."""
USED = {
    "drawn-table": {"docs/README.md", "docs/dealer.md"},
    "drawn-keypad": {"docs/dealer.md"},
    "drawn-hold": {"docs/README.md", "docs/dealer.md"},
    "drawn-cables": {"docs/technician.md", "docs/replacing-a-box.md"},
}


@pytest.mark.parametrize("name", pictures.DRAWN)
def test_words_stay_within_the_picture(name: str) -> None:
    drawing = ET.fromstring((DOCS / "pictures" / f"{name}.svg").read_text(encoding="utf-8"))
    _, _, width, height = map(float, drawing.attrib["viewBox"].split())
    assert drawing.findtext(f"{SVG}title")
    for words in drawing.iter(f"{SVG}text"):
        size, text = float(words.attrib["font-size"]), words.text or ""
        long = len(text) * size * LETTER_PX["Mono" in words.attrib["font-family"]]
        before = {"start": 0.0, "middle": long / 2, "end": long}[words.attrib["text-anchor"]]
        left = float(words.attrib["x"]) - before
        assert 0 <= left <= left + long <= width, text
        assert size <= float(words.attrib["y"]) <= height, text


@pytest.mark.parametrize("name", pictures.DRAWN)
def test_each_is_shown_where_people_look(name: str) -> None:
    root = DOCS.parent
    pages = [root / "README.md", *DOCS.glob("*.md")]
    showing = {
        path.relative_to(root).as_posix()
        for path in pages
        if re.search(rf"!\[[^\]]+\]\([^)]*{name}\.svg\)", path.read_text(encoding="utf-8"))
    }
    assert showing == USED[name]


def test_every_key_of_the_grammar_has_a_word_on_the_keypad() -> None:
    drawn = ET.fromstring(pictures.draw_keypad())
    words = {words.text for words in drawn.iter(f"{SVG}text")}
    for key in AT_ONCE | COLLECTING | PUT_RIGHT:
        assert pictures.word_of(key) in words - {""}, key


def test_the_keypad_shows_what_a_table_says_then() -> None:
    rows = status(at_state("turn").table)["keypad"]
    drawn = [words.text for words in ET.fromstring(pictures.draw_keypad()).iter(f"{SVG}text")]
    assert drawn[: len(rows)] == [row or None for row in rows]


@pytest.mark.parametrize("verb", pictures.KEYED)
def test_the_keys_of_a_remedy_end_the_hold_as_its_command_does(verb: str) -> None:
    keyed = at_state("turn")
    keyed.apply(card(keyed.table, 0, 0))
    told = keyed.copy()
    for key in pictures.KEYED[verb].replace(" ", ""):
        keyed.press_key(key, supervisor=True)
    told.apply(order({"card": "card 9D", "void": "void"}[verb]))
    assert status(told.table)["held"] is None
    assert status(keyed.table)["held"] is None
    assert status(keyed.table)["state"] == status(told.table)["state"]
