"""What is wrong with a screen that somebody stands at: what does not fit, is cut off or covered,
what not everybody can use, keys that a finger misses, and what is left in English."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Page

from hil_tests.browser.looking import not_accessible, too_wide
from hil_tests.console.english import left_in_english

_DRAWN: Final = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
)

_CUT: Final = (Path(__file__).parent / "cut.js").read_text(encoding="utf-8")

LEAST_KEY: Final = 32
"""Pixels of the smallest thing to touch: ticks, where seven boxes have three bettors each."""


READ: Final = ("/rounds",)
"""Pages to be read, which scroll; nobody works at a table by them."""


def wrong_with(page: Page) -> list[str]:
    """In words; none where all is well."""
    page.evaluate(_DRAWN)
    cut: list[str] = page.evaluate(_CUT, [LEAST_KEY, urlsplit(page.url).path in READ])
    return [*too_wide(page), *cut, *left_in_english(page), *not_accessible(page)]
