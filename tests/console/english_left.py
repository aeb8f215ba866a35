"""What a page of the console shows in English where it speaks another language."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Page

SEEN: Final = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest("[lang=en]"))
  .flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3)
    .map((node) => node.data).concat(one.getAttribute("aria-label") ?? []))"""
"""What is to be read on a page, and heard, where it is not said to be English."""

NAMES: Final = re.compile(
    r"P12|Pontoon|Pandemonium|Bahasa Melayu|English|PIN|Novak|\b[a-h]\b|^[AJQKT2-9]0?[CDHS]$"
)
ENGLISH: Final = re.compile(
    r"\b(the|and|is|are|not|no|of|or|to|with|this|card|wager|dealer|round|hand|box|shoe|table|more"
    r"|done|undo|stand|double|split|close|main|pair)\b"
)


def english(page: Page, language: str, *given: str) -> list[str]:
    """What is left in English, but for what is ``given`` by the house."""
    texts = [NAMES.sub("", text) for text in page.evaluate(SEEN) if text not in given]
    left = re.compile(r"[A-Za-z]{2,}") if language == "zh" else ENGLISH
    return [f"English: {text}" for text in texts if left.search(text.lower())]
