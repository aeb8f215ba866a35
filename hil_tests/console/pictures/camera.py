"""Looks at each screen at every size, and takes its picture."""

from __future__ import annotations

import base64
from collections.abc import Collection, Sequence
from itertools import product
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from hil_tests.browser.screens import SMALL, Screen
from hil_tests.console.pictures.judging import wrong_with
from hil_tests.console.pictures.looks import seen_at

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

    def look(self, page: Page, name: str, show: str) -> None:
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
