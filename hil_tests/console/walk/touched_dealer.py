"""A dealer, and supervisors with their PINs, who work at the dealer's page alone, by touch.

Whatever is said is tapped as docs/console.md has it: decisions on the keys, wagers by box, kind and
number, what goes wrong by the questions that the page asks.

A correction is given by touching the cards and saying what they are and where they lay; all of it
is confirmed at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.control.client import RefusedByController
from controller.game.commands.command import Command, read_dealers, read_supervisors
from controller.game.commands.values import brief_amount
from controller.game.commands.verbs import CORRECTIONS, VERBS, Family
from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.steps import step
from hil_tests.console.walk.questions import (
    CANCEL,
    CONFIRM,
    FIRST,
    LISTED,
    MOST_QUESTIONS,
    NEVER,
    PIN,
    SECOND,
    TRIES,
    WHO,
    Finger,
    NotOnPage,
    PageQuestions,
    meaning,
)
from hil_tests.people.dealer import Dealer

ASKS_WHO: Final = ".fixing [data-sign-in=ask]"
ASKS_WHY: Final = ".fixing [data-why]"
NOT_DONE: Final = ".fixing .refused"
LEAVE: Final = ".fixing .quiet-key:not([data-why])"
STEPS: Final = ".fixing .steps li"


def give_correction(questions: PageQuestions, steps: list[str]) -> None:
    """Give these steps, by whoever may.

    Raises:
        NotOnPage: the page has no place for them. RefusedByController: it does not let them be
            given, and why.
    """
    finger = questions.finger
    if not any(_open_correction(finger, place) for place in (".held", ".dialog.wrong")):
        raise NotOnPage(f"no correction is offered for {steps}")
    for one in steps:
        said = read_supervisors(one)
        number = f"[data-card='{said.number}']"
        finger.tap(f".felt {number}, .elsewhere {number}")
        if said.card:
            what = str(said.card)
            finger.tap(f".fixing [data-rank='{what[0]}']")
            finger.tap(f".fixing [data-suit='{what[1]}']")
        else:
            finger.tap(f".fixing [data-place='{said.place}'][data-say]")
    if not finger.has(STEPS):  # said and unsaid: nothing is to be corrected
        finger.tap(LEAVE)
        return
    for _ in range(MOST_QUESTIONS):
        told = finger.first(NEVER, PIN, WHO, ASKS_WHY, ASKS_WHO, CONFIRM, NOT_DONE)["is"]
        if told in (PIN, WHO):
            questions.sign_in()
        elif told == ASKS_WHO:
            finger.tap(ASKS_WHO)
            finger.first(NEVER, PIN, WHO)
        elif told == ASKS_WHY:
            finger.tap('.fixing [data-why="card misread"]')
            finger.gone(ASKS_WHY)
        elif told == CONFIRM:
            finger.tap(CONFIRM)
            if finger.first(NEVER, "body:not(:has(.fixing))", NOT_DONE)["is"] == NOT_DONE:
                _leave(finger)
            return
        else:
            _leave(finger)
    raise NotOnPage(f"{steps}: the page goes on asking")


def _open_correction(finger: Finger, place: str) -> bool:
    if place != ".held":
        finger.tap(".wrong-key")
        finger.first(NEVER, LISTED)
    for verb in ("correct", "lies"):
        if finger.has(f"{place} [data-choice^='{verb} ']"):
            finger.tap(f"{place} [data-choice^='{verb} ']")
            return True
    if place != ".held":
        finger.tap(CANCEL)
    return False


def _leave(finger: Finger) -> None:
    words = " ".join(finger.texts(NOT_DONE))
    finger.tap(LEAVE)
    raise RefusedByController({"kind": "refused", "reason": words})


ABOUT: Final = {v for v, row in VERBS.items() if row.part in (Family.WRONG, Family.HOUSE)}
"""Said by the questions of the page; all else stands on keys."""


class TouchedDealer(Dealer):
    """The people at a bench's table, at its page; ``finger`` is theirs."""

    def __init__(self, bench: Bench, finger: Finger) -> None:
        super().__init__(bench)
        self.finger = finger
        self._questions = PageQuestions(finger)
        self._steps: list[str] = []
        self.untold: list[str] = []
        """What the page has no words for, and was said elsewhere."""

    @step
    def enter(self, command: str) -> Json:
        """Any command of the dealer.

        Raises:
            RefusedByController: it is refused, or the page does not offer it to him.
            NotOnPage: the page has no such key.
        """
        self._while_live(lambda: self._tap_command(command))
        self.record.note_command(command)
        return self.status

    def _tap_command(self, command: str) -> None:
        self._wait_until_shown()
        said = read_dealers(command)
        if said.verb == "wager":
            self._wager(said)
        elif said.verb in ABOUT:
            if not self._questions.touch_question(command, "dealer"):
                raise RefusedByController({"kind": "refused", "reason": "it is not offered"})
            self._questions.answer(command, as_supervisor=False)
        else:
            self._key(command)

    @step
    def supervisor(self, command: str, why: str = "dealer's mistake") -> Json:
        """A supervisor's command; steps of a correction are given together
        (:meth:`give_correction`)."""
        said = read_supervisors(command)
        if said.verb in CORRECTIONS:
            self._steps.append(command)
            return {}
        self._while_live(lambda: self._supervise(command, why))
        return self.status

    def _supervise(self, command: str, why: str) -> None:
        self._wait_until_shown()
        if self._questions.touch_question(command, "supervisor"):
            self._questions.answer(command, as_supervisor=True)
        elif read_supervisors(command).verb == "report":
            # What the house's document has no case for is reported as "other", at the page as at
            # the keypad; the daemon hears it from a program.
            self.untold.append(command)
            self.bench.control.supervisor(command, by=FIRST, why=why)
        else:
            raise NotOnPage(f"{command!r} is not among {self._questions.offered}")

    def second_person(self) -> None:
        """Another one agrees that the round is void."""
        self._wait_until_shown()
        assert self._questions.touch_question("confirm void", "")
        self._questions.answer("confirm void", as_supervisor=True, who=SECOND)

    def give_correction(self) -> None:
        """Give the steps that were told, by whoever may."""
        steps, self._steps = self._steps, []
        self._wait_until_shown()
        give_correction(self._questions, steps)

    def _while_live(self, tapping: Callable[[], None]) -> None:
        """Tap, and again where the table had just not answered: nothing was done."""
        for last in (False, False, True):
            try:
                tapping()
                return
            except RefusedByController as error:
                if last or error.code != "not-live":
                    raise

    def _wait_until_shown(self) -> None:
        status = self.wait_until(lambda state: state["awaiting"] != "device", "a ready table")
        self.finger.until_shown(status["at"])

    # ---- keys -----------------------------------------------------------------------------------

    def _key(self, command: str) -> None:
        for _ in range(TRIES):
            if self._touched_key(command):
                return
            self._wait_until_shown()  # while something waits for the gate there are no keys
            self.finger.first(NEVER, ".keys [data-command]", "[data-more]")
        [keys] = self.finger.all("command", "[data-command]")
        raise NotOnPage(f"no key for {command!r}: {keys}; permitted: {self.status['permitted']}")

    def _touched_key(self, command: str) -> bool:
        for choose in (None, self._choose_box, self._more):
            if choose is not None and not choose(command):
                continue
            places = (".dialog", ".keys")
            offered = self.finger.all("command", *(f"{place} [data-command]" for place in places))
            for place, keys in zip(places, offered, strict=True):
                if (key := meaning(command, keys)) is not None:
                    number = self.finger.sent
                    self.finger.tap(f'{place} [data-command="{key}"]')
                    self._questions.fill(key, command)
                    self._questions.sent(number)
                    return True
        if self.finger.has(CANCEL):
            self.finger.tap(CANCEL)
        return False

    def _choose_box(self, command: str) -> bool:
        said = read_dealers(command)
        seat = said.owner or said.seat
        return seat is not None and self._choose(f'[data-box="{seat.box}"]')

    def _choose(self, *selectors: str) -> bool:
        """Touch those that are there and are not chosen, one after the other: each may bring the
        next; whether any was."""
        off = {f"{selector}[aria-pressed=false]": selector for selector in selectors}
        touched: set[str] = set()
        while seen := [one for one in self.finger.visible_of(*off) if one not in touched]:
            self.finger.tap(off[seen[0]])
            self.finger.first(NEVER, f"{off[seen[0]]}[aria-pressed=true]")
            touched.add(seen[0])
        return bool(touched)

    def _more(self, _: str) -> bool:
        if not self.finger.has("[data-more]"):
            return False
        self.finger.tap("[data-more]")
        self.finger.first(NEVER, ".dialog [data-command]")
        return True

    def _wager(self, said: Command) -> None:
        assert said.seat
        assert said.amount is not None
        finger, bettor = self.finger, said.seat.bettor or "a"
        names = [f'.wagers [data-choice="{name}"]' for name in (said.kind, bettor)]
        self._choose(f'[data-box="{said.box}"]', *names)
        number = finger.sent
        if said.amount == 0:
            finger.tap("[data-chip=out]")
        else:
            finger.tap("[data-chip=pad]")
            self._questions.value("AMOUNT", brief_amount(said.amount))
        self._questions.sent(number)
