"""What is done about something that a document has a clause for: a remedy by chance of those that
are permitted, and what it makes of the truth.

And the closed table of exceptions from the law: ``config/clauses/exceptions.toml``. A case that was
met in a run belongs to the exception of its document, trigger and remedy.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from controller.game.commands.values import Option, Seat
from controller.game.round import remedies
from controller.game.round.irregular.cases import remedy_steps
from controller.game.round.state import Irregularity
from controller.game.round.steps import Absent, Stand, Surrender
from proof.put_right.table import NotComparable, Table
from proof.put_right.truth import DEALER, OFFERS, OUT, WAITS, Place

NOT_ASKED: Final = "not-asked"
"""The trigger by which a hand is told that was never asked."""

_WEIGHTS: Final[dict[str, float]] = {
    "void": 0.3,
    "void-hand": 0.6,
    "discard": 1.0,
    "use": 4.0,
    "reconstruct": 4.0,
    "continue": 2.0,
    "choose": 2.0,
    "return": 0.7,
    "refuse": 1.5,
}
MOST: Final = 12


def name_of(step: remedies.PutsRight) -> str:
    """The remedy or option by its name in the rule files."""
    return str(step.option) if isinstance(step, remedies.ChooseOption) else step.verb


def put_right(table: Table, chance: Random, *, options: bool = False) -> None:
    """Give remedies until nothing is wrong any more; with ``options`` a player seldom chooses what
    he may behind the last one."""
    for _ in range(MOST):
        found = table.rnd.irregular.irregularity
        if found is None:
            break
        steps = remedy_steps(table.rnd)
        if found.trigger == "over-maximum" and found.box in table.apart.most:  # as it was decided
            steps = [step for step in steps if step.verb in ("cap", "pro-rata")] or steps
        weights = [_WEIGHTS.get(name_of(step), 1.0) for step in steps]
        _give_remedy(table, found, chance.choices(steps, weights)[0])
    table.find_waiting()
    if options:
        _choose_option(table, chance)


def _choose_option(table: Table, chance: Random) -> None:
    if table.rnd.irregular.irregularity or table.rnd.irregular.options is None:
        return
    steps = [step for step in remedy_steps(table.rnd) if not isinstance(step, remedies.Continue)]
    if steps and chance.random() < 0.2:
        case = table.rnd.irregular.options
        step = chance.choice(steps)
        option = "option return" if name_of(step) == Option.RETURN else name_of(step)
        table.note_met(case.trigger, option)
        _apply_remedy(table, step, 0)
        table.find_waiting()


def _give_remedy(table: Table, found: Irregularity, step: remedies.PutsRight) -> None:
    table.note_met(found.trigger, name_of(step))
    if found.trigger == NOT_ASKED:
        _answer(table, step, found.box)
        return
    if found.trigger == "dealer-no-card" and isinstance(step, remedies.Use | remedies.Continue):
        _without_dealers_card(table)
    got = {"no-card": 0, "one-card": 1}.get(found.trigger)
    lacks = got is not None or found.trigger == "dealer-no-card"
    lies = lacks and _was_said_to_lie(table, found.trigger)
    if lies and isinstance(step, remedies.Reconstruct):
        table.lay_back()
    plays = lies and isinstance(step, remedies.VoidHand) and step.seat.box != found.box
    if got is not None and (plays or isinstance(step, remedies.ChooseOption | remedies.Continue)):
        _undealt(table, found.box, got)
    if found.trigger == "over-maximum" and isinstance(step, remedies.Cap | remedies.ProRata):
        table.apart.most[found.box] = found.amount or 0
    _apply_remedy(table, step, found.box)


def _apply_remedy(table: Table, step: remedies.PutsRight, box: int) -> None:
    rnd = table.rnd
    match step:
        case remedies.Void():
            table.voided = True
        case remedies.VoidHand(seat=seat):
            table.takes_back(seat.box, None)
        case remedies.ChooseOption(option=Option.RETURN, seat=seat):
            table.takes_back(seat.box, seat.bettor or "a")
        case remedies.ChooseOption(option=Option.REFUSE):
            hand = rnd.offered_to
            assert hand
            if len(hand.cards) < 2:
                raise NotComparable("a split hand with one card takes no more")
            place = table.place_of(hand.box, hand.number)
            table.play_step(step)
            table.truth.note_decision(Stand(Seat(hand.box)), place, by_house=True)
            if table.rnd.next_hand is None:
                table.note_met(table.met[-1][0], "refused by all")
            return
    table.play_step(step)


def _answer(table: Table, step: remedies.PutsRight, box: int) -> None:
    """The supervisor has said what becomes of a hand that was never asked."""
    hand = table.rnd.next_hand
    assert hand
    place = table.place_of(hand.box, hand.number)
    if isinstance(step, remedies.Continue):
        table.play_step(step)
        table.truth.note_decision(Stand(Seat(box)), place, by_house=True)
    elif isinstance(step, remedies.Reconstruct):
        for dealt in [one for one in table.truth.cards if one.place == DEALER][1:]:
            dealt.place = WAITS
        table.play_step(step)
        table.find_waiting()
    else:
        _apply_remedy(table, step, box)


def _was_said_to_lie(table: Table, trigger: str) -> bool:
    """Whether cards lack because others were said to lie elsewhere, and not by a report."""
    said = (
        step for step in reversed(table.steps) if step.startswith(("lies ", f"report {trigger}"))
    )
    return next(said, "").startswith("lies ")


def _without_dealers_card(table: Table) -> None:
    """The dealer did not get his first card: nothing was offered on it."""
    table.taken_out = True
    for dealt in [one for one in table.truth.cards if one.place == DEALER][:1]:
        dealt.place = OUT
    table.truth.said = [one for one in table.truth.said if one.place != OFFERS]


def _undealt(table: Table, box: int, got: int) -> None:
    """The box got only so many cards: it is acted upon in its turn."""
    table.taken_out = True
    place: Place = (box, ())
    cards = sorted((c for c in table.truth.cards if c.place == place), key=lambda c: c.when)
    for dealt in cards[got:]:
        dealt.place = OUT
    table.truth.said = [
        one
        for one in table.truth.said
        if one.place != place or isinstance(one.step, Surrender | Absent)
    ]
    table.apart.short.add(box)


# ---- exceptions ------------------------------------------------------------------------------

FILE: Final = Path(__file__).resolve().parents[2] / "config" / "clauses" / "exceptions.toml"


class Exempt(NamedTuple):
    """An exception: what meets it, and what its wagers come to."""

    document: str
    clause: str
    triggers: frozenset[str]
    remedies: frozenset[str]
    ends: str


@cache
def exceptions() -> tuple[Exempt, ...]:
    """Every one, in the order of the file."""
    with FILE.open("rb") as file:
        entries = tomllib.load(file)["exceptions"]
    return tuple(
        Exempt(
            entry["document"],
            entry["clause"],
            frozenset(entry["trigger"].split(", ")),
            frozenset(entry["remedies"]),
            entry["ends"],
        )
        for entry in entries
    )


def met(document: str, cases: Iterable[tuple[str, str]]) -> list[str]:
    """The clauses of the exceptions that were met by these triggers and remedies."""
    of_document = [one for one in exceptions() if one.document == document]
    return [
        one.clause
        for trigger, remedy in cases
        for one in of_document
        if trigger in one.triggers and remedy in one.remedies
    ]


def clauses_of(document: str) -> list[str]:
    """The clauses of all exceptions of the document."""
    return [one.clause for one in exceptions() if one.document == document]
