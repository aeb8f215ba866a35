"""The table from above, in the middle of a round: the same that the pictures of ``watch`` show.

Boxes count clockwise from the dealer's left (rules matrix, 1), as on his screen.
"""

from __future__ import annotations

import math
from typing import Final

from controller.game.rules.cards import suited
from controller.table.showing.status_fields import ShownBox
from pages.drawn.svg import AMBER, EDGE, FAINT, FELT, INK, PAPER, RED, Drawing
from pages.watch.moments import full

CENTRE: Final = (450, 470)
RADIUS: Final = (348, 325)
LIGHT: Final = "#ffffff"


def drawn() -> str:
    """The picture."""
    state = full().state
    boxes, turn = state["boxes"], state["turn"] or {}
    picture = Drawing(900, 600, "The table from above")
    picture.path("M30 500 A420 440 0 0 1 870 500 Z", fill=FELT, edge=INK, wide=4)
    picture.path("M170 480 A290 290 0 0 1 730 480", edge="#8fd3ae", wide=1.5)
    count = len(boxes)
    for number in range(1, count + 1):
        angle = math.pi * (1 - (number - 0.5) / count)
        x = CENTRE[0] + RADIUS[0] * math.cos(angle)
        y = CENTRE[1] - RADIUS[1] * math.sin(angle) + 30
        _box(picture, round(x), round(y), number, boxes[str(number)], turn.get("box") == number)
    dealer = state["dealer"]
    picture.words(450, 440, suited(dealer["cards"]), size=22, colour=LIGHT, bold=True, at="middle")
    meter = state["meter"] or {}
    picture.box(380, 340, 140, 56, fill=INK, edge=AMBER)
    picture.words(450, 376, f"{meter.get('multiplier')}x", size=26, colour="#ffd75f", at="middle")
    picture.words(450, 330, "jackpot meter and button", size=12, colour=LIGHT, at="middle")
    for x, name in ((190, "shoe"), (710, "keypad"), (800, "shuffler")):
        picture.box(x - 38, 508, 76, 40, fill=FAINT)
        picture.words(x, 533, name, size=13, at="middle")
    picture.circle(450, 540, 32, fill=PAPER)
    picture.words(450, 545, "dealer", size=13, bold=True, at="middle")
    picture.path("M221 348 A265 265 0 0 1 310 255 l-14 1 m14 -1 l-5 13", edge=LIGHT, wide=2)
    picture.words(
        450, 592, "Boxes count clockwise from the dealer's left, and are dealt to in that order.",
        size=13, colour=EDGE, at="middle",
    )  # fmt: skip
    return picture.svg()


def _box(picture: Drawing, x: int, y: int, number: int, box: ShownBox, turn: bool) -> None:
    picture.circle(x, y, 58, fill="#2a8a59", edge="#ffd75f" if turn else LIGHT)
    picture.words(x, y - 36, f"box {number}", size=12, colour=LIGHT, bold=turn, at="middle")
    for down, hand in enumerate(box["hands"]):
        cards = hand["cards"].split()
        top = y - 28 + 23 * down
        picture.box(x - 54, top, 108, 21, round_px=3)
        apart = min(25, 108 / (len(cards) + 1))
        for across, one in enumerate(cards):
            red = one.endswith(("D", "H"))
            picture.words(
                x - 52 + apart * across, top + 15, suited(one), size=12, colour=RED if red else INK
            )
        picture.words(x + 50, top + 15, str(hand["total"]), size=12, bold=True, at="end")
