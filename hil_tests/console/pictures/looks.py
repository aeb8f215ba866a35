"""A page as it is on another screen, with letters of another size."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from playwright.sync_api import Page

from hil_tests.browser.screens import Screen

TEXT_SIZES: Final = (100, 125, 150)
"""Percent, as the page's settings offer them (console/static/common/settings.js)."""

_TEXT: Final = """(size) => {
  document.documentElement.style.setProperty("--size", size);
  dispatchEvent(new Event("resize"));
}"""
"""What the settings do, without the touches that would close what is open."""


@contextmanager
def seen_at(page: Page, screen: Screen, text: int = 100) -> Iterator[None]:
    """The page on that screen, with letters of so many percent."""
    before = page.viewport_size
    assert before is not None
    page.set_viewport_size({"width": screen.width, "height": screen.height})
    page.evaluate(_TEXT, text / 100)
    yield
    page.evaluate(_TEXT, 1)
    page.set_viewport_size(before)
