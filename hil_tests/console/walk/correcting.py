"""A correction given at the dealer's page: cards are touched and told what they are and where they
lay, and all of it is confirmed at once."""

from __future__ import annotations

from typing import Final

from controller.control.client import RefusedByController
from controller.game.commands.command import read_supervisors
from hil_tests.console.walk.finger import Finger, NotOnPage
from hil_tests.console.walk.questions import (
    CANCEL,
    CONFIRM,
    LISTED,
    MOST_QUESTIONS,
    NEVER,
    PIN,
    WHO,
    PageQuestions,
)

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
    if not any(_begin(finger, place) for place in (".held", ".dialog.wrong")):
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


def _begin(finger: Finger, place: str) -> bool:
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
