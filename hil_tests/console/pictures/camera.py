"""Looks at each screen at every size, and takes its picture.

What is wrong with a screen that somebody stands at is said in words: what does not fit, is cut off
or covered, what not everybody can use, keys that a finger misses, and what is left in English where
the page speaks another language.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SMALL, Screen, not_accessible, too_wide
from hil_tests.console.beside_table import ConsoleBesideTable
from hil_tests.console.touching import TouchingDealer, hurry

Look = Callable[[Page, str, str], None]
"""What is done at each screen: the page, the screen's name, and what of the page is to be seen (a
selector; "": its beginning)."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the walk that begins and ends between rounds, and the screens that it comes to."""

    screens: tuple[str, ...]
    go: Callable[[Walk], None]


@dataclass(slots=True)
class Walk:
    """A walk in ``language``; ``look`` is done at each screen, in the order of :attr:`seen`."""

    table: ConsoleBesideTable
    visits: Visits
    language: str
    look: Look
    still_ms: int | None = None
    """The page need not stand still for longer than that before its keys count."""
    seen: list[str] = field(default_factory=list)

    def note_screen(self, page: Page, name: str, show: str = "") -> None:
        """Here is the screen of that name."""
        self.seen.append(name)
        self.look(page, name, show)

    @contextmanager
    def page(self, path: str = "", screen: Screen = SMALL) -> Iterator[Page]:
        """A page at that path, closed behind the block."""
        kept = {"language": self.language}
        still_ms = self.still_ms
        hurried = None if still_ms is None else partial(hurry, still_ms=still_ms)
        page = self.visits.open(f"{self.table.url}{path}", screen, kept=kept, prepare=hurried)
        yield page
        self.visits.leave(page)

    @contextmanager
    def dealing(self) -> Iterator[TouchingDealer]:
        """The dealer at a page that acts."""
        with self.page() as page:
            expect(page.locator(".keys")).to_be_visible()
            expect(page.locator(".overlay, .another")).to_have_count(0)
            yield TouchingDealer(self.table, page)


_SAID: Final = """() => {
  const { lang } = document.documentElement;
  const others = (one) => one.closest("[lang]").lang !== lang || one.closest(".house");
  return lang === "en" ? [] : [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !others(one))
    .flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3)
      .map((node) => node.data).concat(one.getAttribute("aria-label") ?? []));
}"""
"""What is to be read on the page, and heard, but for what it says to be of another language and the
house's own lines on the sign."""

_NAMES: Final = re.compile(
    r"P12|Pontoon|Pandemonium|Bahasa Melayu|English|PIN|QR|SHA-256|Novak|Ida|root"
    r"|\b[a-h]\b|^[AJQKT2-9]0?[CDHS]$|\b[0-9a-f]{8,}\b"
)
_ENGLISH: Final = re.compile(
    r"\b(the|and|is|are|not|no|of|or|to|with|this|card|wager|dealer|round|hand|box|shoe|table|more"
    r"|done|undo|stand|double|split|close|main|pair)\b"
)
_LETTERS: Final = re.compile(r"[A-Za-z]{2,}")


def left_in_english(page: Page) -> list[str]:
    """What of it is not in the page's language, in words."""
    language = page.locator("html").get_attribute("lang") or ""
    left = _LETTERS if language.startswith("zh") else _ENGLISH
    texts = [_NAMES.sub("", text) for text in page.evaluate(_SAID)]
    return [f"English: {text.strip()}" for text in texts if left.search(text.lower())]


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


QUALITY: Final = 55
"""Of a picture of the manual, of a hundred."""

_STILL: Final = """(show) => new Promise((done) => {
  const waits = "body:not(.stale) [data-command][aria-disabled=true]:not([inert] *)";
  let since = performance.now();
  const look = (now) => {
    if (document.querySelector(waits)) since = now;
    if (now - since < 350) return requestAnimationFrame(look);
    if (show) document.querySelector(show).scrollIntoView();
    else scrollTo(0, 0);
    requestAnimationFrame(() => requestAnimationFrame(done));
  };
  requestAnimationFrame(look);
})"""
"""Wait until every key of the page counts and no new state comes for a moment; see to what is
wanted."""


class Camera:
    """Pictures of ``sizes``, with letters of each of ``texts`` (percent), go to ``folder`` as
    ``NAME-SIZE-LANGUAGE.png``, those with larger letters with the percent behind it; what is wrong
    with a screen is added to :attr:`wrong`. Those of the small screen that ``manual`` names go to
    its folder too, as WebP."""

    def __init__(
        self, folder: Path, sizes: Sequence[Screen], language: str, texts: Sequence[int] = (100,)
    ) -> None:
        self._folder, self._language = folder, language
        self._looks = list(product(sizes, texts))
        self.manual: tuple[Path, Collection[str]] = (folder, ())
        self.wrong: list[str] = []
        self.taken = 0

    def take_pictures(self, page: Page, name: str, show: str) -> None:
        """At that screen."""
        for size, text in self._looks:
            with seen_at(page, size, text):
                page.evaluate(_STILL, show)
                where = f"{name}-{size.name}-{self._language}" + (f"-{text}" if text != 100 else "")
                self.wrong += [f"{where}: {words}" for words in wrong_with(page)]
                (self._folder / f"{where}.png").write_bytes(page.screenshot())
                self.taken += 1
                if size == SMALL and text == 100 and name in self.manual[1]:
                    self._small(page, self.manual[0] / f"screen-{name}.webp")

    @staticmethod
    def _small(page: Page, path: Path) -> None:
        session = page.context.new_cdp_session(page)
        given = {"format": "webp", "quality": QUALITY, "optimizeForSpeed": False}
        path.write_bytes(base64.b64decode(session.send("Page.captureScreenshot", given)["data"]))
        session.detach()
