"""What is wrong with a page that is open: nobody may have to scroll sideways, everybody can use it,
and all of it is reached by keyboard. Each function gives words, none where all is well.
The screens that pages are looked at with are here, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Page


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen, in CSS pixels; ``touch``: it is worked by fingers."""

    name: str
    width: int
    height: int
    touch: bool = False


SMALL: Final = Screen("1024x600", 1024, 600, touch=True)
"""A table's touch screen."""

LARGE: Final = Screen("1920x1080", 1920, 1080)
"""A desk's, or one on a wall."""

UPRIGHT: Final = Screen("800x1280", 800, 1280, touch=True)
"""A tablet on end."""

SCREENS: Final = (SMALL, LARGE, UPRIGHT)

PAPER: Final = Screen("paper", 703, 1017)
"""What is printed on of a sheet of A4, its margins left out (web/static/common.css)."""


_WIDER: Final = """() => {
  const most = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= most) return [];
  const scrolled = (one) => one !== null &&
    (getComputedStyle(one).overflowX !== "visible" || scrolled(one.parentElement));
  const wide = [...document.querySelectorAll("body *")].filter((one) =>
    one.getBoundingClientRect().right > most + 0.5 && !scrolled(one.parentElement));
  return [`the page is ${document.documentElement.scrollWidth} wide, its screen ${most}`,
    ...wide.map((one) => `too wide: ${one.outerHTML.slice(0, 160)}`)];
}"""

_NAMES: Final = """() => { window.nameOfElement = (one) => {
  const peers = [...document.querySelectorAll(one.tagName)];
  return `${one.tagName.toLowerCase()} ${peers.indexOf(one) + 1}: ` +
    (one.getAttribute("aria-label") || one.textContent || one.name || "").trim().slice(0, 60);
}; }"""

_WORKABLE: Final = """() => [
    ...document.querySelectorAll("a[href], button, input, select, [tabindex='0']")]
  .filter((one) => one.checkVisibility() && !one.disabled).map(nameOfElement)"""

_FOCUS: Final = """() => {
  const one = document.activeElement;
  if (one === null || one === document.body) return null;
  const style = getComputedStyle(one), place = one.getBoundingClientRect();
  return {name: nameOfElement(one),
    seen: place.bottom > 0 && place.top < innerHeight && place.right > 0 && place.left < innerWidth,
    ringed: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1};
}"""


def too_wide(page: Page) -> list[str]:
    """What makes the page wider than its screen; what an element scrolls in itself does not."""
    return list(page.evaluate(_WIDER))


def not_accessible(page: Page, *rules: str) -> list[str]:
    """What axe-core finds, rule by rule: contrast, names, order of headings, ... Of its ``rules``
    those that are named, or all that are usual."""
    only = {"runOnly": rules} if rules else {}
    if not page.evaluate("'axe' in window"):  # it is half a megabyte to read
        page.evaluate(AXE_SCRIPT)
    options = {"resultTypes": ["violations"], **only}
    found = AxeResults(page.evaluate("(options) => axe.run(options)", options))
    return [found.generate_report()] if found.violations_count else []


def not_by_keyboard(page: Page) -> list[str]:
    """What Tab does not come to, and where somebody who presses it does not see where he is. The
    page is to be as it was loaded."""
    page.evaluate(_NAMES)
    missed: list[str] = page.evaluate(_WORKABLE)
    wrong = []
    for _ in range(len(missed) + 1):
        page.keyboard.press("Tab")
        focus = page.evaluate(_FOCUS)
        if focus is None:
            break
        if focus["name"] in missed:
            missed.remove(focus["name"])
        if not focus["seen"]:
            wrong.append(f"out of sight when it is come to: {focus['name']}")
        if not focus["ringed"]:
            wrong.append(f"without a ring when it is come to: {focus['name']}")
    return [*wrong, *(f"not come to by Tab: {name}" for name in missed)]


@contextmanager
def on_paper(page: Page) -> Iterator[None]:
    """The page as it is printed."""
    before = page.viewport_size
    page.set_viewport_size({"width": PAPER.width, "height": PAPER.height})
    page.emulate_media(media="print")
    yield
    page.emulate_media(media="screen")
    if before is not None:
        page.set_viewport_size(before)
