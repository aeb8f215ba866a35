"""A hold and what ends it: a table is dealt a card that the shoe could not read, each of its
remedies is then given to a copy, and what it says is shown."""

from __future__ import annotations

from typing import Final

from controller.game.commands.command import read_open
from controller.game.rules.cards import suited
from controller.table.showing.status import status
from pages.drawn.svg import AMBER, BLUE, EDGE, FAINT, INK, RED, Drawing
from pages.table.keypad import STATES, brought
from pages.table.played_tables import card, filled, order

KEYED: Final = {"card": "X 9 . 2 #", "void": "V # 1 #"}
"""The keys that give it; the last number of ``void`` is the reason's in the list that is shown."""


def drawn() -> str:
    """The picture."""
    played = brought(STATES["turn"][1])
    played.apply(card(played.table, 0, 0))
    now = status(played.table)
    held = now["held"]
    assert held is not None
    remedies = held["remedies"]
    picture = Drawing(900, 258 + 112 * len(remedies), "A hold, and what ends it")
    picture.box(10, 10, 880, 84, fill=RED, edge=INK)
    picture.words(30, 46, f"HELD  {held['fault']}", size=22, colour="#ffffff", bold=True)
    picture.words(30, 76, held["reason"], size=15, colour="#ffffff", wide=100)
    picture.box(10, 106, 420, 92, fill="#10281c", edge=INK)
    for number, row in enumerate(now["keypad"]):
        picture.words(30, 142 + 32 * number, row, size=22, colour="#9ff5b8", mono=True)
    picture.box(450, 106, 440, 92, fill=FAINT)
    picture.words(466, 130, "next step", size=13, bold=True)
    picture.words(466, 151, held["next_step"].replace("`", ""), size=12, wide=62)
    picture.words(
        10, 230, "Nothing is lost: every card and every press counts. The supervisor ends it:",
        size=15, bold=True,
    )  # fmt: skip
    for number, remedy in enumerate(remedies):
        y = 246 + 112 * number
        said = read_open(remedy)
        verb, given = said.verb, filled(said)
        ended = played.copy()
        ended.apply(order(given))
        after = status(ended.table)
        picture.box(10, y, 420, 98, edge=BLUE)
        picture.words(26, y + 30, remedy, size=18, bold=True, mono=True)
        picture.words(
            26, y + 54, f'tablectl supervisor "{given}" --by NAME --why TEXT', size=12, mono=True
        )
        if verb in KEYED:
            picture.words(
                26, y + 76, f"or at the keypad, the key turned: {KEYED[verb]}", size=12, colour=EDGE
            )
        picture.path(f"M430 {y + 49} H478 l-10 -7 m10 7 l-10 7", edge=EDGE)
        picture.box(480, y, 410, 98, edge=AMBER)
        picture.words(496, y + 30, f"state {after['state']}", size=13, colour=EDGE)
        picture.words(496, y + 54, suited(after["prompt"]), size=14, wide=50)
    return picture.svg()
