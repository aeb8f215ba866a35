"""What is said of what is awaited: a sentence for screens, 20 capitals for the keypad, boxes to
light, and the same for programs. Of the hand in turn it is found here, of all else in
:mod:`~.words`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command
from controller.game.commands.verbs import VERBS, Fact, Family
from controller.game.round import looks
from controller.game.round.hands import controller_of
from controller.game.round.model import Hand
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.table.state.entering import ROW_LENGTH

OFF, GREEN, AMBER, RED = 0, 1, 2, 3
"""Colours of the shoe's signal lamp (protocol section 5, SIGNAL)."""

HOLD_LAMP = 1 << 16

_CHOICES: Final = [
    row
    for row in VERBS.values()
    if row.part is Family.PLAY and row.slots and row.key and Fact.UNTOLD not in row.facts
]
"""What a player in turn may choose, where it has a key."""


def say_hand(rnd: Round, hand: Hand, commands: list[Command], waits: str) -> PromptText:
    """What the hand in turn is to do; ``waits`` is the card that was put back, where it may be
    named."""
    box = rnd.boxes[hand.box]
    split = len(box.hands) > 1
    where = f"Box {hand.box}, hand {hand.number}" if split else f"Box {hand.box}"
    name = f"B{hand.box}/{hand.number}" if split else f"BOX {hand.box}"
    if box.absent:  # else nothing would show that `absent` was accepted
        away = " and ".join(f"{hand.box}{bettor}" for bettor in sorted(box.absent))
        where += f" (without {away})"
        if not looks.house_plays(rnd, hand):
            name += controller_of(rnd, box).upper()
    lit = lamp(hand.box)
    verbs = dict.fromkeys(command.verb for command in commands)
    values: JsonObject = {
        "box": hand.box,
        "hand": hand.number,
        "hands": len(box.hands),
        "absent": sorted(box.absent),
    }
    with_total: JsonObject = {**values, "total": hand.total}
    match rnd.state:
        case State.PLAY_DECIDE:
            keys = [row.key[0] for row in _CHOICES if row.name in verbs]
            card = "X" if rnd.irregular.waiting else "CARD"  # what was put back is in the list
            # Whose the card would be now counts for more than the total.
            first = f"{name}: {waits}? " if waits else f"{name} {hand.total}: "
            short = f"{first}{card} {' '.join(keys)}".rstrip()
            if len(short) > ROW_LENGTH:
                short = f"{first}{card} {''.join(keys)}"
            more = f" {waits} waits to be taken." if waits else ""
            choices = _choices(list(verbs))
            words = ", ".join(choices[:-1]) + (" or " if len(choices) > 1 else "") + choices[-1]
            text = f"{where} has {hand.total}: {words}.{more}"
            told = {**with_total, "choices": choices, "waits": waits or None}
            return PromptText("decide", text, short, lit, told)
        case State.PLAY_SPLIT_CARD:
            adds, offered_on = bool(rnd.may_follow), looks.is_offered_on(rnd)
            more = " (a standing bettor may add first)" if adds else ""
            more += "; the card that waits is for the next box" if offered_on else ""
            text, short = f"{where}: its second card{more}.", f"{name}: SECOND CARD"
            values = {**values, "may_add": adds, "waits_for_next": offered_on}
            return PromptText("second-card", text, short, lit, values)
        case State.PLAY_FORCED_CARD:
            text, short = f"{where} has {hand.total} and must draw.", f"{name} {hand.total}: CARD"
            return PromptText("must-draw", text, short, lit, with_total)
        case State.PLAY_BOUGHT_CARD:
            text, short = f"{where} has bought: one card.", f"{name}: BOUGHT CARD"
            return PromptText("bought-card", text, short, lit, values)
        case State.PLAY_DOUBLE_CARD:
            adds = "double" in verbs
            may = " (a standing bettor may double first)" if adds else ""
            text, short = f"{where} doubled: one card{may}.", f"{name}: DOUBLE CARD"
            return PromptText("double-card", text, short, lit, {**values, "may_double": adds})
    text = f"{where} doubled and has {hand.total}: withdraw, keep, or go on."
    return PromptText("withdraw", text, f"{name} {hand.total}: W OR E", lit, with_total)


def _choices(verbs: list[str]) -> list[str]:
    """What the player in turn may choose, as words; a card first."""
    words = [v for v in verbs if not VERBS[v].facts & Fact.UNTOLD and v not in ("hit", "free")]
    return ["free card" if "free" in verbs else "card", *words]


Code = Literal[
    "bets-above-maximum",
    "bets-open",
    "bought-card",
    "burn-card",
    "button",
    "card-to-box",
    "card-to-dealer",
    "check-cards",
    "correcting",
    "correction-refused",
    "dealer-draws",
    "decide",
    "device-not-ready",
    "double-card",
    "draw-or-done",
    "first-card-to-dealer",
    "held",
    "in-service",
    "insure",
    "insure-or-surrender",
    "late-offer",
    "load-shoe",
    "must-draw",
    "open-bets",
    "pay-multiplier",
    "reveal",
    "round-over",
    "round-void",
    "second-card",
    "spinning",
    "surrender",
    "wait-shoe",
    "wait-shoe-void",
    "withdraw",
]
"""What can be awaited, one meaning each; docs/codes.md has an example of every one."""


@dataclass(frozen=True, slots=True)
class PromptText:
    """``code`` is what is meant, one meaning each, and ``values`` what its sentence varies by: who
    draws screens of his own, in another language, says the same from them and the status. ``text``
    is for a screen, ``short`` for the keypad's first row, ``lit`` its lamps."""

    code: Code
    text: str
    short: str
    lit: int = 0
    values: JsonObject = field(default_factory=dict)


def lamp(box: int) -> int:
    """The keypad's lamp of a box."""
    return 1 << (box - 1)
