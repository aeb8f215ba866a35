"""Every screen of a table fits, is whole, and can be used by everybody: the walk of
``make console-pictures``, here in one language, and but for its width at one size and with letters
of one size a screen, in turn. The dealer's manual shows some, in pictures that are there and
small."""

from __future__ import annotations

import re
from itertools import cycle, product

import pytest
from playwright.sync_api import Page

from console.configuration import LANGUAGES
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SCREENS, too_wide
from hil_tests.console.pictures import sections
from hil_tests.console.pictures.camera import TEXT_SIZES, Walk, seen_at, wrong_with
from hil_tests.console.pictures.sections import NAMES, SECTIONS, table_to_walk

pytestmark = pytest.mark.needs("chromium")

MOST_BYTES = 60_000
MOST_IN_ALL = 1_000_000
WEBP = re.compile(rb"RIFF....WEBP", re.DOTALL)


def test_it_shows_screens_of_the_walk_each_once() -> None:
    shown = sections.names()
    assert shown
    assert len(set(shown)) == len(shown)
    assert set(shown) <= set(NAMES)


def test_its_pictures_are_there_and_no_others() -> None:
    files = {path.name: path.read_bytes() for path in sections.PICTURES.glob("screen-*.webp")}
    assert set(files) == {f"screen-{name}.webp" for name in sections.names()}
    assert all(WEBP.match(data) for data in files.values())
    assert max(map(len, files.values())) < MOST_BYTES
    assert sum(map(len, files.values())) < MOST_IN_ALL


STILL_MS = {"mistakes": 30, "around": 30}
"""Of sections whose pages are hurried. In a round a finger may be faster than a state that is on
its way, and is refused: there the page stands still as long as at a table."""


def test_each_screen_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(
    ("section", "language"), list(zip(SECTIONS, cycle(reversed(LANGUAGES)), strict=False))
)
def test_every_screen(visits: Visits, section: str, language: str) -> None:
    looks = cycle(product(TEXT_SIZES, SCREENS))
    found: list[str] = []

    def look(page: Page, name: str, _: str) -> None:
        for screen in SCREENS:
            with seen_at(page, screen):
                found.extend(f"{name}, {screen.name}: {words}" for words in too_wide(page))
        text, screen = next(looks)
        with seen_at(page, screen, text):
            where = f"{name}, {screen.name}, {text} %, {language}"
            found.extend(f"{where}: {words}" for words in wrong_with(page))

    with table_to_walk(LANGUAGES) as table:
        walk = Walk(table, visits, language, look, STILL_MS.get(section))
        SECTIONS[section].go(walk)
    assert tuple(walk.seen) == SECTIONS[section].screens
    assert found == []
