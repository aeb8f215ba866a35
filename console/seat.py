"""Which page may act. One at a time, at one table; every other one shows who does.

The rules:

- A page has a name that all may see and a secret that it alone sends: ``NAME.SECRET``.
- Who takes the seat from another page has been asked whether he means it; the other is told by the
  state, as everybody is.
- A page whose stream has ended is gone: its seat is free, and whoever signed in there is out.
- A free seat is the first page's that comes, by chance, as behind a start of the console. As long
  as nothing was done there, the page that acted before has it back when it comes again.
"""

from __future__ import annotations

import re
import secrets
from collections import Counter
from typing import Final

PAGE: Final = re.compile(r"([0-9a-f]{8})\.[0-9a-f]{32}")
"""What a page calls itself, chosen by chance when it is loaded."""


def name_of(page: str) -> str:
    """The part that all may see; empty where it is no page."""
    found = PAGE.fullmatch(page)
    return found[1] if found else ""


class Seat:
    """The page that may act, empty where none does."""

    def __init__(self) -> None:
        self._page = ""
        self._by_chance = False
        self._streams: Counter[str] = Counter()

    @property
    def name(self) -> str:
        """The name of the page that acts."""
        return name_of(self._page)

    def has(self, page: str) -> bool:
        """Whether that page acts."""
        return bool(page) and secrets.compare_digest(page.encode(), self._page.encode())

    def take_seat(self, page: str, *, over: bool) -> bool:
        """Let that page act, from another one only where ``over`` says that it is meant; whether
        it does now."""
        if not self._streams[page]:
            return False
        if not self._page or over:
            self._page, self._by_chance = page, False
        return self.has(page)

    def used(self) -> None:
        """Something is done by the page that acts: it keeps the seat."""
        self._by_chance = False

    def stream_began(self, page: str, *, acted: bool = False) -> None:
        """That page follows the state; the first that comes acts, or the one that ``acted`` when it
        was last told who does."""
        self._streams[page] += 1
        if not self._page or (acted and self._by_chance):
            self._page, self._by_chance = page, not acted

    def stream_ended(self, page: str) -> None:
        """A stream of that page has ended."""
        self._streams[page] -= 1
        if self._streams[page] <= 0:
            del self._streams[page]
            if self.has(page):
                self._page = ""
