"""What a page of the console says in English where it speaks another language."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Page

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
