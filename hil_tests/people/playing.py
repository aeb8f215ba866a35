"""Players, who decide by what the table shows and nothing else, and a round played by them to its
end: they are asked where there is a choice, all else is just done.

A player is a function from the status to what happens next: a command of the dealer, or
:data:`CARD` where a card is to be drawn.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal

from controller.control.client import RefusedByController
from controller.game.commands.command import read_open
from controller.game.commands.verbs import VERBS, Family
from controller.game.rules.cards import RANKS
from figures.rounds.strategies import HIT, Situation, simple
from hil_tests.bench.interface import Json
from hil_tests.people.dealer import Dealer

Player = Callable[[Json], str]

CARD = "card"
TAKES_CARD: Json = {"text": CARD, "verb": CARD, "slots": []}
"""As an action, to draw a card."""
DECISIONS = ("surrender", "split", "double", "stand")
BESIDE_PLAY = {name for name, row in VERBS.items() if row.part is Family.TABLE} - {"reveal"}


def choices(status: Json) -> list[Json]:
    """The actions that concern the round, :data:`TAKES_CARD` among them where one may be taken."""
    steps = [one for one in status["actions"] if one["verb"] not in BESIDE_PLAY]
    found = [one for one in steps if one["verb"] != "hit"]
    if any(one["verb"] == "reveal" for one in found):
        return found  # the card lies face down: it is turned before anything else
    takes_card = len(found) < len(steps) or status["state"] in (
        "play.split_card",
        "play.double_card",
    )
    return [*found, TAKES_CARD] if takes_card else found


def stake_of(status: Json, seat: str) -> Decimal:
    """The main wager of a seat such as ``3`` or ``3b``."""
    box, bettor = seat[0], seat[1:] or "a"
    wagers = status["boxes"][box]["wagers"]
    if bettor not in wagers or "main" not in wagers[bettor]:
        bettor = next(letter for letter, placed in wagers.items() if "main" in placed)
    return Decimal(wagers[bettor]["main"])


def basic(status: Json) -> str:
    """The player of the simulation's simple strategy, who never insures."""
    can = {one["verb"] for one in choices(status)}
    turn = status["turn"]
    if turn is None or status["state"] in ("jackpot.paying", "play.withdraw"):
        return "done" if "done" in can else CARD
    box = turn["box"]
    hand = status["boxes"][str(box)]["hands"][turn["hand"] - 1]
    seats = {one["verb"]: (one.get("box"), one.get("bettor")) for one in reversed(choices(status))}
    own = {verb for verb, seat in seats.items() if seat == (box, None)}
    verb = simple(
        Situation(
            ranks=tuple(RANKS.find(card[0]) + 1 for card in hand["cards"].split()),
            total=hand["total"],
            against=RANKS.find(status["dealer"]["cards"][:1] or "?") + 1,
            may=frozenset(own.intersection(DECISIONS)),
        )
    )
    if status["state"] == "offers.open" and verb in (HIT, "stand"):
        return "done"
    if verb == "double":
        return f"double {box} {stake_of(status, str(box)):f}"
    return CARD if verb == HIT else f"{verb} {box}"


class RandomPlayer:
    """A player who chooses at random among what is permitted."""

    def __init__(self, source: random.Random) -> None:
        self._random = source

    def __call__(self, status: Json) -> str:
        """One of the choices, with amounts that go with them."""
        chosen = self._random.choice(choices(status))
        text: str = chosen["text"]
        for slot in chosen["slots"]:
            if slot["kind"] == "bettor":
                text = text.replace(slot["name"], "staff")
            elif slot["kind"] == "amount":
                said = read_open(text)
                stake = stake_of(status, str(said.owner or said.seat))
                raises = chosen["verb"] == "double" and self._random.random() < 0.7
                amount = max(stake if raises else stake // 2, Decimal(1))
                text = text.replace(slot["name"], f"{amount:f}")
        return text


MOST_STEPS = 400
TRIES = 20
ENDED = ("settled", "void")


OnStep = Callable[[Json, str, str], None]
"""Called with the state before, what was done (``card``, ``press`` or an entry), and its result."""


def _ignore(_: Json, __: str, ___: str) -> None:
    """Do nothing."""


def play_to_end(dealer: Dealer, player: Player, on_step: OnStep = _ignore) -> Json:
    """Play until the round is over; the state then.

    Raises:
        AssertionError: nothing can happen, or the round does not end.
    """
    for _ in range(MOST_STEPS):
        state = dealer.status
        if state["state"] in ENDED:
            return state
        if state["awaiting"] == "card":
            on_step(state, CARD, dealer.card())
        elif state["awaiting"] == "press":
            on_step(state, "press", str(dealer.press()))
        elif state["awaiting"] == "dealer":
            _decide(dealer, player, state, on_step)
        else:
            raise AssertionError(f"nothing can happen: {state}")
    raise AssertionError(f"the round does not end: {dealer.status}")


def _decide(dealer: Dealer, player: Player, state: Json, on_step: OnStep) -> None:
    """Ask the player until an entry is accepted."""
    for _ in range(TRIES):
        said = player(state)
        if said == CARD:
            on_step(state, CARD, dealer.card())
            return
        try:
            dealer.enter(said)
        except RefusedByController as rejected:
            refusal = rejected
            continue
        on_step(state, said, "")
        return
    raise AssertionError(f"the player finds nothing permitted: {refusal}; {state}")
