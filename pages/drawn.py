"""Pictures of the table, its cables, its keypad and a hold, as SVG with nothing from elsewhere.

What they show is the code's: keys and words are those of the supervisor's page
(:mod:`pages.table.keypad`), rows, lamps and remedies those of a table that was played, devices
those of the example configuration. Where a maker puts the keys is his: the letters here stand in
the order of that page.
"""

from __future__ import annotations

import math
import textwrap
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from html import escape
from typing import Final

from controller.game.commands.command import read_open
from controller.game.rules.cards import suited
from controller.table.showing.prompt_text import HOLD_LAMP
from controller.table.showing.status import status
from controller.table.showing.status_fields import ShownBox
from controller.table.showing.wanted import wants
from pages.moments import full
from pages.table.keypad import GRAMMAR, KEYS, at_state
from pages.table.played_tables import card, filled, order
from pages.written_files import EXAMPLE

FONT: Final = "DejaVu Sans, Verdana, Arial, sans-serif"
MONO: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"
INK, PAPER, FELT, EDGE = "#1b1f24", "#ffffff", "#1f6b45", "#57606a"
RED, AMBER, BLUE, FAINT = "#b00020", "#b7791f", "#0b5cad", "#eef1f4"
SCREEN, GLOW, LIT = "#10281c", "#9ff5b8", "#ffd75f"
LINE_PX: Final = 1.35
"""Height of a line of words, in sizes of its letters."""


class Drawing:
    """A drawing of ``width`` by ``height`` pixels, with what it shows in words for who cannot see
    it. The same calls give the same bytes."""

    def __init__(self, width: int, height: int, about: str) -> None:
        view = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        paper = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
        self._parts = [f"<svg {view}><title>{escape(about)}</title>", paper]

    def box(
        self, x: float, y: float, width: float, height: float, *,
        fill: str = PAPER, edge: str = EDGE, round_px: float = 6,
    ) -> None:  # fmt: skip
        """A box with its upper left corner at (x, y)."""
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{round_px:g}" '
            f'fill="{fill}" stroke="{edge}" stroke-width="1.5"/>'
        )

    def circle(self, x: float, y: float, radius: float, *, fill: str, edge: str = EDGE) -> None:
        """A circle around (x, y)."""
        self._parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{edge}" '
            'stroke-width="1.5"/>'
        )

    def path(self, steps: str, *, edge: str = EDGE, fill: str = "none", wide: float = 2) -> None:
        """A line as SVG writes it."""
        self._parts.append(
            f'<path d="{steps}" fill="{fill}" stroke="{edge}" stroke-width="{wide:g}"/>'
        )

    def words(
        self, x: float, y: float, text: str, *,
        size: int = 14, colour: str = INK, bold: bool = False, mono: bool = False,
        at: str = "start", wide: int = 0,
    ) -> None:  # fmt: skip
        """Words from (x, y), their first line's foot; ``at``: start, middle or end; ``wide``:
        characters in a line."""
        weight = ' font-weight="bold"' if bold else ""
        for number, line in enumerate(textwrap.wrap(text, wide) if wide else [text]):
            self._parts.append(
                f'<text x="{x:g}" y="{y + number * size * LINE_PX:g}" font-size="{size}" '
                f'font-family="{MONO if mono else FONT}" fill="{colour}" text-anchor="{at}"'
                f'{weight} xml:space="preserve">{escape(line, quote=False)}</text>'
            )

    def rows(self, x: int, y: int, shown: Iterable[str], size: int) -> None:
        """The two rows of a keypad."""
        for number, row in enumerate(shown):
            self.words(x, y + 32 * number, row, size=size, colour=GLOW, mono=True)

    def svg(self) -> str:
        """The whole of it."""
        return "\n".join([*self._parts, "</svg>", ""])


OTHERWISE: Final = {"B": "box", "X": "list", ".": "owed", "#": "enter", "*": "undo"}
"""The words of keys that are no command by themselves."""
ACROSS, KEY_PX, GAP_PX = 6, 84, 8
LONG_WORD: Final = 11
"""Letters from which a word is written smaller, to fit its key."""


def word_of(key: str) -> str:
    """What a key is for, in a word."""
    if key in OTHERWISE:
        return OTHERWISE[key]
    for keys, command, _ in GRAMMAR:
        if keys.strip("`").split()[0] == key and command:
            words = command.split("`")[1].split()
            return words[2] if words[0] == "wager" else words[0]
    return ""


def draw_keypad() -> str:
    """The keypad: every key with its word, its two rows and lamps while a hand is in turn."""
    table = at_state("turn").table
    shown, lamps = status(table), wants(table).lamps
    picture = Drawing(900, 560, "The dealer's keypad while a hand is in turn")
    under = partial(picture.words, y=178, size=12, at="middle")
    picture.box(10, 10, 880, 540, fill="#d7dce1", round_px=18)
    picture.box(30, 30, 560, 84, fill=SCREEN, edge=INK)
    picture.rows(50, 66, shown["keypad"], 24)
    for box in range(table.settings.boxes):
        x = 74 + 66 * box
        picture.circle(x, 146, 12, fill=LIT if lamps & 1 << box else FAINT)
        under(x, text=f"box {box + 1}")
    picture.circle(560, 146, 12, fill=RED if lamps & HOLD_LAMP else FAINT)
    under(560, text="HOLD")
    step, down = KEY_PX + GAP_PX, KEY_PX - 2
    for number, key in enumerate(filter(str.isalpha, KEYS)):
        _key(picture, 30 + number % ACROSS * step, 200 + number // ACROSS * down, key)
    for number, key in enumerate("789456123.0#"):
        _key(picture, 606 + number % 3 * step, 200 + number // 3 * down, key)
    _key(picture, 606 + 2 * step, 118, "*")
    picture.circle(650, 72, 34, fill=PAPER)
    picture.path("M650 48 V96", edge=AMBER, wide=8)
    picture.words(700, 66, "key switch", size=14, bold=True)
    picture.words(700, 86, "turned: supervisor", size=13, colour=EDGE)
    return picture.svg()


def _key(picture: Drawing, x: float, y: float, key: str) -> None:
    word = word_of(key)
    picture.box(x, y, KEY_PX, KEY_PX - 12)
    picture.words(x + KEY_PX / 2, y + 34, key, size=26, bold=True, at="middle")
    small = 12 if len(word) < LONG_WORD else 10
    picture.words(x + KEY_PX / 2, y + 58, word, size=small, colour=EDGE, at="middle")


KEYED: Final = {"card": "X 9 . 2 #", "void": "V # 1 #"}
"""The keys that give it; the last number of ``void`` is the reason's in the list that is shown."""


def draw_hold() -> str:
    """A hold and what ends it: a table is dealt a card that the shoe could not read, each of its
    remedies is then given to a copy, and what it says is shown."""
    played = at_state("turn")
    played.apply(card(played.table, 0, 0))
    now = status(played.table)
    held = now["held"]
    assert held is not None
    remedies = held["remedies"]
    picture = Drawing(900, 258 + 112 * len(remedies), "A hold, and what ends it")
    picture.box(10, 10, 880, 84, fill=RED, edge=INK)
    picture.words(30, 46, f"HELD  {held['fault']}", size=22, colour=PAPER, bold=True)
    picture.words(30, 76, held["reason"], size=15, colour=PAPER, wide=100)
    picture.box(10, 106, 420, 92, fill=SCREEN, edge=INK)
    picture.rows(30, 142, now["keypad"], 22)
    picture.box(450, 106, 440, 92, fill=FAINT)
    picture.words(466, 130, "next step", size=13, bold=True)
    picture.words(466, 151, held["next_step"].replace("`", ""), size=12, wide=62)
    nothing = "Nothing is lost: every card and every press counts. The supervisor ends it:"
    picture.words(10, 230, nothing, size=15, bold=True)
    for number, remedy in enumerate(remedies):
        y = 246 + 112 * number
        said = read_open(remedy)
        verb, given = said.verb, filled(said)
        ended = played.copy()
        ended.apply(order(given))
        after = status(ended.table)
        picture.box(10, y, 420, 98, edge=BLUE)
        picture.words(26, y + 30, remedy, size=18, bold=True, mono=True)
        typed = f'tablectl supervisor "{given}" --by NAME --why TEXT'
        picture.words(26, y + 54, typed, size=12, mono=True)
        if verb in KEYED:
            keyed = f"or at the keypad, the key turned: {KEYED[verb]}"
            picture.words(26, y + 76, keyed, size=12, colour=EDGE)
        picture.path(f"M430 {y + 49} H478 l-10 -7 m10 7 l-10 7", edge=EDGE)
        picture.box(480, y, 410, 98, edge=AMBER)
        picture.words(496, y + 30, f"state {after['state']}", size=13, colour=EDGE)
        picture.words(496, y + 54, suited(after["prompt"]), size=14, wide=50)
    return picture.svg()


KNOWN: Final = {
    "shoe": "reads each card as it leaves",
    "shuffler": "shuffles the set that is not in play",
    "keypad": "the dealer's; key switch for the supervisor",
    "jackpot": "button for the player, and meter",
}
"""What each is for, by its name in the example; another name has no words."""
SOCKETS: Final = (
    "Any USB socket will do: a name follows the adapter's serial number, and an adapter stays with "
    "its device. Where setup named a socket instead, because an adapter has no number of its own, "
    "its cable stays in that socket."
)
STEP_PX, TOP_PX = 118, 96


def draw_cables() -> str:
    """Where each cable goes: the devices of the example configuration, each by what it names, the
    port or the USB unit."""
    devices = tomllib.loads(EXAMPLE.read_text(encoding="utf-8"))["devices"]
    height = TOP_PX + STEP_PX * len(devices) + 44
    picture = Drawing(900, height, "Where each cable goes")
    middle = partial(picture.words, at="middle")
    picture.words(30, 46, "Where each cable goes", size=20, bold=True)
    picture.box(640, TOP_PX, 230, STEP_PX * len(devices) - 34, fill=FAINT)
    middle(755, TOP_PX - 12, "the controller", size=16, bold=True)
    for number, (name, told) in enumerate(devices.items()):
        y = TOP_PX + 34 + STEP_PX * number
        picture.box(30, y - 34, 250, 84)
        middle(155, y - 8, name, size=16, bold=True)
        middle(155, y + 14, KNOWN.get(name, ""), size=12, colour=EDGE, wide=32)
        colour = BLUE if "port" in told else AMBER
        picture.path(f"M280 {y + 8} H640", edge=colour, wide=4)
        if "port" in told:
            picture.box(380, y - 16, 150, 48, edge=colour)
            middle(455, y + 5, "USB serial adapter", size=12, bold=True)
            middle(455, y + 23, "its serial number", size=11, colour=EDGE)
            middle(330, y, "RS-232", size=11, colour=colour)
            middle(585, y, "USB", size=11, colour=colour)
        else:
            middle(460, y, "USB, no adapter", size=12, colour=colour)
        picture.box(655, y - 14, 200, 44, edge=colour)
        middle(755, y + 13, told.get("port") or told["usb"], size=14, mono=True)
    picture.words(30, height - 30, SOCKETS, size=12, colour=EDGE, wide=118)
    return picture.svg()


CENTRE: Final = (450, 470)
RADIUS: Final = (348, 325)


def draw_table() -> str:
    """The table from above, in the middle of a round: the same that the pictures of ``watch`` show.
    Boxes count clockwise from the dealer's left (rules matrix, 1), as on his screen."""
    state = full()
    boxes, turn = state["boxes"], state["turn"] or {}
    picture = Drawing(900, 600, "The table from above")
    middle = partial(picture.words, at="middle")
    picture.path("M30 500 A420 440 0 0 1 870 500 Z", fill=FELT, edge=INK, wide=4)
    picture.path("M170 480 A290 290 0 0 1 730 480", edge="#8fd3ae", wide=1.5)
    for number in range(1, len(boxes) + 1):
        angle = math.pi * (1 - (number - 0.5) / len(boxes))
        x = CENTRE[0] + RADIUS[0] * math.cos(angle)
        y = CENTRE[1] - RADIUS[1] * math.sin(angle) + 30
        _box(picture, round(x), round(y), number, boxes[str(number)], turn.get("box") == number)
    middle(450, 440, suited(state["dealer"]["cards"]), size=22, colour=PAPER, bold=True)
    picture.box(380, 340, 140, 56, fill=INK, edge=AMBER)
    middle(450, 376, f"{(state['meter'] or {}).get('multiplier')}x", size=26, colour=LIT)
    middle(450, 330, "jackpot meter and button", size=12, colour=PAPER)
    for x, name in ((190, "shoe"), (710, "keypad"), (800, "shuffler")):
        picture.box(x - 38, 508, 76, 40, fill=FAINT)
        middle(x, 533, name, size=13)
    picture.circle(450, 540, 32, fill=PAPER)
    middle(450, 545, "dealer", size=13, bold=True)
    picture.path("M221 348 A265 265 0 0 1 310 255 l-14 1 m14 -1 l-5 13", edge=PAPER, wide=2)
    dealt = "Boxes count clockwise from the dealer's left, and are dealt to in that order."
    middle(450, 592, dealt, size=13, colour=EDGE)
    return picture.svg()


def _box(picture: Drawing, x: int, y: int, number: int, box: ShownBox, turn: bool) -> None:
    picture.circle(x, y, 58, fill="#2a8a59", edge=LIT if turn else PAPER)
    picture.words(x, y - 36, f"box {number}", size=12, colour=PAPER, bold=turn, at="middle")
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


DRAWN: Final[Mapping[str, Callable[[], str]]] = {
    "drawn-table": draw_table,
    "drawn-cables": draw_cables,
    "drawn-keypad": draw_keypad,
    "drawn-hold": draw_hold,
}


def pictures() -> dict[str, str]:
    """The pictures by their paths below ``docs``."""
    return {f"pictures/{name}.svg": draw() for name, draw in DRAWN.items()}
