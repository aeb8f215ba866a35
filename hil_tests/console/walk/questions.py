"""A finger on a page of the console, what the page showed and sent when it came down, and how it
answers what the page asks: the values of a command, who gives it and why, and whether what it
brings is meant.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NoReturn

from playwright.sync_api import BrowserContext, Page

from controller.control.client import RefusedByController
from controller.game.commands.command import Command, read_open
from hil_tests.bench.interface import Json
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import SMALL
from hil_tests.console.touching import hurry

WATCHING: Final = (Path(__file__).parent / "watching.js").read_text(encoding="utf-8")
TRIES: Final = 3
"""On a busy machine a touch may last so long that the browser takes it for none."""


class NotOnPage(AssertionError):
    """What was to be tapped is not there, or does not count; in words."""


class Finger:
    """A finger on that page; :attr:`touches` is how often it came down."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touches = 0
        self._session = page.context.new_cdp_session(page)

    @classmethod
    def at_page(cls, visits: Visits, url: str, still_ms: int | None = None) -> Finger:
        """On a touch screen with the page at ``url``; ``still_ms``: the page need not stand still
        for longer than that."""

        def prepare(context: BrowserContext) -> None:
            context.add_init_script(WATCHING)
            if still_ms is not None:
                hurry(context, still_ms)

        return cls(visits.open(url, SMALL, prepare=prepare))

    # ---- touching -------------------------------------------------------------------------------

    def down(self, x: float, y: float) -> None:
        """It comes down there."""
        self.touches += 1
        points = [{"x": round(x, 1), "y": round(y, 1)}]
        self._session.send(
            "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points}
        )

    def up(self) -> None:
        """It goes up."""
        self._session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def tap(self, selector: str, text: str | None = None) -> None:
        """Tap the first such thing that is to be seen, once it counts.

        Raises:
            NotOnPage: it is not there in time.
        """
        for _ in range(TRIES):
            place = self._page_answer("place", selector, text)
            self.touches += 1
            self.page.touchscreen.tap(round(place["x"], 1), round(place["y"], 1))
            if self.page.evaluate("(before) => walk.clicked(before)", place["clicks"]):
                return
        raise NotOnPage(f"{selector} {text or ''}: touches of it are none")

    # ---- what is to be seen ---------------------------------------------------------------------

    def page_state(self) -> Json:
        """``at`` that the page shows, whether it is live, its cards, keys and prompt."""
        return dict(self.page.evaluate("walk.look()"))

    def has(self, selector: str) -> bool:
        """Whether such a thing is to be seen now."""
        return bool(self.page.evaluate("(one) => walk.has(one)", selector))

    def all(self, key: str, *selectors: str) -> list[list[str]]:
        """What those that are to be seen say under ``data-KEY``, selector by selector."""
        given = [key, list(selectors)]
        return list(self.page.evaluate("([key, all]) => walk.all(key, all)", given))

    def visible_of(self, *selectors: str) -> list[str]:
        """Those of the selectors of which something is to be seen now."""
        return list(self.page.evaluate("(all) => all.filter(walk.has)", list(selectors)))

    def texts(self, selector: str) -> list[str]:
        """The words of those that are to be seen."""
        return list(self.page.evaluate("(one) => walk.texts(one)", selector))

    def until_shown(self, at: int) -> None:
        """Wait until the page shows the table as it is since that entry."""
        self._page_answer("shows", at)

    def first(self, number: int, *selectors: str) -> Json:
        """``is``: the first of these that is to be seen and counts, or "sent", with the commands
        from that number on, once the last one is answered."""
        return self._page_answer("first", number, list(selectors))

    def gone(self, selector: str) -> None:
        """Wait until no such thing is to be seen."""
        self._page_answer("gone", selector)

    @property
    def sent(self) -> int:
        """How many commands this page has sent."""
        return int(self.page.evaluate("walk.taken().sent"))

    def _page_answer(self, name: str, *given: object) -> Json:
        told = dict(self.page.evaluate(f"(given) => walk.{name}(...given)", list(given)))
        if "missing" in told:
            raise NotOnPage(told["missing"])
        return told


PINS: Final = {"Ida": "2718", "Bo": "31415"}
"""Supervisors by name: who decides, and the second person."""
FIRST, SECOND = PINS
MOST_QUESTIONS: Final = 40
NEVER: Final = 10**9
"""The number of a command that is never sent."""
WHO, PIN, WHY = ".dialog .letters, .dialog [data-name]", ".dialog .pin", "[data-why]"
CONFIRM, NOT_TAKEN = "[data-say=confirm]", ".errand .refused"
HANDS_OVER: Final = ".errand [data-sign-in=ask]"
CHANGED: Final = ".dialog[role=alertdialog]"
CANCEL: Final = f".dialog > .quiet-key, {CHANGED} > .key-done"
LISTED: Final = ".dialog.wrong [data-choice], .dialog.wrong > p:not(.waits)"
REFUSED: Final = (".dialog", ".saying.refused")


class PageQuestions:
    """Answers them with ``finger``; :attr:`offered` is what was offered last, ``number`` that of
    the command which is waited for."""

    def __init__(self, finger: Finger) -> None:
        self.finger = finger
        self.offered: list[str] = []
        self.number = 0

    def fill(self, template: str, command: str) -> None:
        """Say the values of a template, one after the other."""
        wanted = read_open(command)
        for slot in wanted.slots:
            if slot.name in read_open(template).open:
                self.value(slot.name, wanted.word(slot).removesuffix(".00"))

    def value(self, what: str, value: str) -> None:
        """Say an ``AMOUNT``, a ``CARD``, or one of those that are listed."""
        match what:
            case "AMOUNT":
                for digit in value:
                    self.finger.tap(".dialog .pad .digit", digit)
                self.finger.tap(".dialog [data-say=enter]")
            case "CARD":
                self.finger.tap(f".dialog [data-rank='{value[0]}']")
                self.finger.tap(f".dialog [data-suit='{value[1]}']")
            case _:
                self.finger.tap(f".dialog [data-say='{value}']")

    def sent(self, number: int) -> None:
        """Wait for the answer to the page's command of that number."""
        told = self.finger.first(number)
        error = told["sent"][-1]["answer"].get("error")
        if error:
            self.refused(error)

    def refused(self, error: Json) -> NoReturn:
        """The page has said so, or asks who may; nobody says."""
        self.finger.first(NEVER, *REFUSED)
        if self.finger.has(CANCEL):
            self.finger.tap(CANCEL)
        raise RefusedByController(error)

    def touch_question(self, command: str, who: str) -> bool:
        """Touch the question for that command, of those that ``who`` is asked ("": of all); False:
        it is not there, and nothing is open."""
        by = f".by-{who}" if who else ""
        for place in (".held", ".dialog.wrong"):
            if place != ".held":
                self.finger.tap(".wrong-key")
                self.finger.first(NEVER, LISTED)
            rows = [f"{place} {one}" for one in ([by, ""] if who == "supervisor" else [by])]
            offered = self.finger.all("choice", *(f"{row}[data-choice]" for row in rows))
            for row, found in zip(rows, offered, strict=True):
                self.offered = found
                if (template := meaning(command, found)) is not None:
                    self.number = self.finger.sent
                    self.finger.tap(f'{row}[data-choice="{template}"]')
                    self.fill(template, command)
                    return True
        self.finger.tap(CANCEL)
        return False

    def answer(self, command: str, *, as_supervisor: bool, who: str = FIRST) -> None:
        """Answer what the page asks, until the command is done; the dealer knows no PIN."""
        finger = self.finger
        asked = (CHANGED, PIN, WHO, WHY, CONFIRM, HANDS_OVER, NOT_TAKEN)
        for _ in range(MOST_QUESTIONS):
            told = finger.first(self.number, *asked)
            match told["is"]:
                case "sent":
                    error = told["sent"][-1]["answer"].get("error")
                    if not error:
                        return
                    if not as_supervisor or finger.first(NEVER, *REFUSED)["is"] != REFUSED[0]:
                        self.refused(error)
                    self.number = finger.sent  # the page asks for whoever may
                case place if place in (PIN, WHO) and not as_supervisor:
                    finger.tap(CANCEL)
                    raise RefusedByController({"kind": "refused", "reason": "a supervisor's"})
                case place if place in (PIN, WHO):
                    self.sign_in(who)
                case place if place == WHY:
                    finger.tap('[data-why="dealer\'s mistake"]')
                    finger.gone(WHY)
                case place if place == CONFIRM:
                    finger.tap(CONFIRM)
                    finger.gone(CONFIRM)
                case place if place == HANDS_OVER and as_supervisor:
                    finger.tap(HANDS_OVER)
                    finger.gone(HANDS_OVER)
                case _:
                    words = finger.texts(".dialog")
                    finger.tap(CANCEL)
                    raise RefusedByController({"kind": "refused", "reason": f"{words}"})
        raise NotOnPage(f"{command}: the page goes on asking")

    def sign_in(self, who: str = FIRST) -> None:
        """Name and PIN, for one act."""
        finger = self.finger
        if finger.has(".dialog [data-name]"):
            known = finger.has(f".dialog [data-name='{who}']")
            finger.tap(f".dialog [data-name='{who if known else ''}']")
        if finger.first(NEVER, PIN, ".dialog .letters")["is"] != PIN:
            for letter in who.upper():
                finger.tap(".dialog .letter", letter)
            finger.tap(".dialog [data-say=name]")
        for digit in PINS[who]:
            finger.tap(f".dialog [data-digit='{digit}']")
        finger.tap(".dialog [data-sign-in=once], .dialog [data-sign-in=second]")
        finger.gone(".dialog .pin")


def meaning(text: str, templates: list[str]) -> str | None:
    """The one that is the command, or becomes it by its values; the one with fewest of them."""
    command = read_open(text)
    fitting = [one for one in templates if _becomes(read_open(one), command)]
    return min(fitting, key=lambda one: len(read_open(one).open), default=None)


def _becomes(template: Command, command: Command) -> bool:
    """Whether it is the command but for slots that are open, each for one word: not two cards."""
    if (template.verb, template.trigger) != (command.verb, command.trigger):
        return False
    return all(
        template.word(slot) in (said, said if " " in said else slot.name)
        for slot, said in zip(command.slots, map(command.word, command.slots), strict=True)
    )
