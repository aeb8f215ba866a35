"""A journal that is played on beside its second copy, with the threads that look after both."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.upkeep.copier import Copier
from controller.upkeep.scrubber import Scrubber
from tests.journal.helpers import SESSION, WALL, card, opened

Told = list[tuple[str, str, bool]]


class Bench:
    """A journal that is open and played on, with its copier and scrubber."""

    def __init__(self, folder: Path) -> None:
        self.state, self.copy = folder / "state", folder / "copy"
        self.journal = opened(self.state, boot_id="boot")
        self.cards = self.journal.stored("shoe", SESSION)
        self.told: Told = []
        self.copier = Copier(self.state, self.copy, lambda: self.journal.head.seq, self.tell)
        self.scrubber = self.scrub()
        self.of_copy = Scrubber(self.copy, "copy-damaged", self.tell)

    def tell(self, fault: str, what: str, there: bool) -> None:
        self.told.append((fault, what, there))

    def scrub(self, state: Path | None = None, *, hurried: bool = False) -> Scrubber:
        return Scrubber(
            state or self.state,
            "journal-damaged",
            self.tell,
            lambda: self.journal.head,
            hurried=hurried,
        )

    def play(self, cards: int) -> None:
        drafts = [card(self.cards + number) for number in range(1, cards + 1)]
        self.cards += cards
        self.journal.append(drafts, self.cards, WALL)


def end(thread: Copier | Scrubber, within_s: float = 0) -> None:
    """Have it end; a copier copies on for that time."""
    if isinstance(thread, Copier):
        thread.stop(time.monotonic() + within_s)
    else:
        thread.stop()
    thread.join(time.monotonic() + 10)


@contextmanager
def bench(folder: Path, cards: int = 0) -> Iterator[Bench]:
    made = Bench(folder)
    try:
        if cards:
            made.play(cards)
        yield made
    finally:
        end(made.copier)
        end(made.scrubber)
        end(made.of_copy)
        made.journal.close()
