"""Who deals: at the page, who touches what is to be seen there, and at the keypad."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Locator, expect

from controller.game.commands.command import first_word
from controller.game.commands.verbs import VERBS, Family
from hil_tests.bench.interface import Bench
from hil_tests.console.touching import TouchingDealer, changed
from hil_tests.people.keying_dealer import KeyingDealer

RACK: Final = (500, 100, 50, 25, 10, 5, 2, 1)
OWED: Final = "OWED: KEY ."
LAST_PAGE: Final = re.compile(r"(\d+)/\1$")


class AtPage:
    """From the page alone; :attr:`count` is the touches, :attr:`commands` what they gave."""

    def __init__(self, touching: TouchingDealer) -> None:
        self._touching = touching
        self.people = touching.table.dealer
        self.commands = 0

    @property
    def count(self) -> int:
        """Touches so far."""
        return self._touching.touches

    def enter(self, command: str) -> None:
        """Give that, by the key or the question that says so."""
        self.commands += 1
        verb, *words = command.split()
        if verb == "wager":
            self._wager(words[0], words[1], float(words[2]))
        elif VERBS[verb].part is Family.WRONG:
            self._answer(verb, words)
        else:
            self._key(command)

    def read_payments(self) -> None:
        """What is to be paid: it is on the page."""

    def _key(self, command: str) -> None:
        words = [
            f"{word}.00" if word.isdecimal() and at else word
            for at, word in enumerate(command.split()[1:])
        ]
        key = self._touching.key(" ".join([command.split(maxsplit=1)[0], *words]))
        box = command.partition(" ")[2][:1]
        if box and not key.is_visible():
            chooses = self._touching.page.locator(f'[data-box="{box}"][aria-pressed=false]')
            expect(key.or_(chooses).first).to_be_visible()
            if not key.is_visible():
                self._touching.box(int(box))
        self._tap_and_wait(key, command)

    def _tap_and_wait(self, key: Locator, what: str) -> None:
        before = self.people.status["at"]
        self._tap(key)
        changed(self.people, before, what)

    def _tap(self, key: Locator) -> None:
        self._touching.touches += 1
        key.tap()

    def _wager(self, seat: str, kind: str, amount: float) -> None:
        page = self._touching.page
        expect(page.locator(".wagers")).to_be_visible()
        lies = self.people.status["boxes"].get(seat[0], {}).get("wagers", {})
        more = amount - float(lies.get(seat[1:] or "a", {}).get(kind, 0))
        for chooses in (
            f'[data-box="{seat[0]}"]',
            f'[data-choice="{kind}"]',
            f'[data-choice="{seat[1:] or "a"}"]',
        ):
            choice = page.locator(f"{chooses}[aria-pressed=false]")
            if choice.count():
                self._tap(choice)
        if more < 0:
            self._tap_and_wait(page.locator("[data-chip=out]"), "out")
            more = amount
        for chip in RACK:
            while more >= chip:
                self._touching.chip(chip)
                more -= chip

    def _answer(self, verb: str, words: list[str]) -> None:
        page = self._touching.page
        if verb != "report":
            self._tap_and_wait(page.locator(f".held [data-choice={verb}]"), verb)
            return
        self._tap(page.locator(".wrong-key"))
        asks = " ".join("BOX" if word.isdecimal() else word for word in words)
        self._tap(page.locator(f"[data-choice='report {asks}']"))
        box = next(word for word in words if word.isdecimal())
        self._tap_and_wait(page.locator(f".dialog [data-say='{box}']"), verb)


class AtKeypad:
    """From the keypad alone; :attr:`count` is the keys, :attr:`commands` what they gave."""

    def __init__(self, bench: Bench) -> None:
        self.people = _CountingDealer(bench)
        self.commands = 0

    @property
    def count(self) -> int:
        """Keys so far."""
        return self.people.keys

    def read_payments(self) -> None:
        """What is to be paid, page by page on the two rows."""
        if self.people.rows[1] == OWED:
            while not LAST_PAGE.search(self.people.rows[0]):
                self.people.turn_page()

    def enter(self, command: str) -> None:
        """Give that, by the keys of the dealer's card."""
        self.commands += 1
        if command == "undo":
            self.people.take_back()
        else:
            self.people.enter(command)


class _CountingDealer(KeyingDealer):
    """Who keys no box again that is chosen already (docs/dealer.md)."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.keys = 0
        self._chosen = ""

    def turn_page(self) -> None:
        """The next page of what is owed."""
        self._press(".")

    def take_back(self) -> None:
        """What was keyed last."""
        self._press("*")

    def _key_command(self, command: str) -> None:
        if first_word(command) != "wager":
            self._chosen = ""
        super()._key_command(command)

    def _press(self, keys: str) -> None:
        box = keys[: keys.index("M")] if keys[:1] == "B" and "M" in keys else keys[:2]
        if keys[:1] == "B" and box == self._chosen:
            keys = keys.removeprefix(box)
        elif keys[:1] == "B":
            self._chosen = box
        self.keys += len(keys)
        super()._press(keys)
