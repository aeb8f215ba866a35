"""The full screen: what ``status`` shows, in colour, drawn again while it changes, and three keys.

What keeps the table from playing, the multiplier and what is to be paid go across the whole screen;
where there is room the hands lie as on the table, with the signs of their suits (what is typed has
letters), and the last changes stand below. A look is only ever added to words that say the same
without it.
"""

from __future__ import annotations

import asyncio
import os
import sys
import termios
import textwrap
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from signal import SIGHUP, SIGINT, SIGTERM
from typing import Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from controller.cli.live.feed import Feed
from controller.cli.table.status import Look, looked_lines
from controller.game.rules.cards import SIGNS, suited
from controller.local_time import local
from controller.plain_text import spell
from controller.table.showing.layout import closing
from controller.table.showing.status_fields import ShownBox, Status
from drivers.printable import printable

STYLES: Final[Mapping[Look, str]] = {
    "": "",
    "strong": "bold",
    "alarm": "bold reverse red",
    "warning": "bold yellow",
    "cards": "",
    "turn": "bold",
    "owed": "green",
    "pay": "bold reverse green",
    "meter": "bold reverse yellow",
}
ACROSS: Final = ("alarm", "pay", "meter")
"""Looks that fill the screen from edge to edge."""
KEYS: Final = " r round  d devices  q quit"
BACK: Final = " Esc back  up/down scroll  q quit"
SCROLLS: Final = {b"\x1b[B": 1, b"\x1b[A": -1, b"\x1b[6~": 10, b"\x1b[5~": -10, b" ": 10}
LOOK_EVERY_S: Final = 0.25
ENDED_BY: Final = (SIGTERM, SIGHUP, SIGINT)
ROOMY: Final = 30
"""Rows from which on the hands lie as on the table."""
NARROWEST: Final = 9
"""Columns of a place: two cards and a total, or three cards."""
WIDEST: Final = 18
DEEP: Final = 2
"""Lines by which the outermost boxes lie nearer to the dealer than the middle one."""

LETTERS: Final = str.maketrans({sign: letter for letter, sign in SIGNS.items()})
Page = Callable[[], Awaitable[list[str]]]


def table_lines(feed: Feed, width: int, height: int, now: datetime | None = None) -> list[Text]:
    """The table in so many columns and exactly ``height`` lines; times are ages at ``now``."""
    state, now = feed.state, now or local(datetime.now(UTC))
    top = [*_across("alarm", _unanswered(feed, now), width)]
    pulse = f"{'NOT LIVE' if feed.frozen else 'live'}, changed {spell(feed.quiet_s)} ago "
    clock = f"{now.strftime('%H:%M:%S')} {pulse}".rjust(width - len(KEYS))
    foot = [Text.assemble((KEYS, "dim"), (clock, STYLES["alarm" if feed.frozen else ""]))]
    if conditions := state.get("conditions"):
        foot.insert(0, Text(printable(f"! also: {', '.join(conditions)}"), STYLES["warning"]))
    closed = [*_across("pay", "; ".join(closing(state)), width)]
    room = height - len(top) - len(closed) - len(foot)
    felt = felt_lines(state, width) if height >= ROOMY else []
    told = looked_lines(state, width, room - len(felt), now)
    at = next((at for at, (look, _) in enumerate(told) if look in ("cards", "turn")), len(told))
    lines = [line for look, text in told for line in _painted(look, text, width)]
    shown = [*top, *lines[:at], *felt, *lines[at:], *closed][: height - len(foot)]
    if (left := height - len(shown) - len(foot) - 1) > 0:
        events = [*feed.events][-left:]
        shown.append(Text("changes" if events else "", "bold"))
        shown += [_line("warning" if one.alarm else "", f"  {suited(str(one))}") for one in events]
    return [*shown, *[Text()] * (height - len(shown) - len(foot)), *foot]


def _unanswered(feed: Feed, now: datetime) -> str:
    """That nothing answers; empty where something does."""
    at = (now - timedelta(seconds=feed.answered_s)).strftime("%H:%M:%S")
    since = f"since {at} ({spell(feed.answered_s)})"
    if feed.trouble:
        return f"NO CONTROLLER ANSWERS {since}: {feed.trouble}. Last seen:"
    return f"FROZEN: the controller has not answered {since}. Last seen:" if feed.frozen else ""


def _across(look: Look, text: str, width: int) -> Iterator[Text]:
    for line in textwrap.wrap(printable(text), width - 2):
        yield from _painted(look, f" {line}", width)


def _painted(look: Look, text: str, width: int) -> Iterator[Text]:
    cards = look in ("cards", "turn")
    yield _line(look, (suited(text) if cards else text).ljust(width if look in ACROSS else 0))


def _line(look: Look, text: str) -> Text:
    return Text(printable(text), STYLES[look])


def felt_lines(state: Status, width: int) -> list[Text]:
    """The hands where they lie on the table, as the dealer sees them: box 1 at his left, the boxes
    on an arc, his own hand before him; a place at which nobody plays stays free. No lines where
    there are no hands, or no room for its places."""
    boxes = state.get("boxes", {})
    if not any(box.get("hands") for box in boxes.values()):
        return []
    places = max(state.get("places", 0), *map(int, boxes))
    wide = min(WIDEST, width // places)
    if wide < NARROWEST:
        return []
    turn = state.get("turn") or {}
    columns = []
    for number in range(1, places + 1):
        mine = turn.get("hand", 0) if turn.get("box") == number else 0
        place = _place(number, boxes.get(str(number)), wide - 1, mine)
        columns.append([*[Text()] * _depth(number, places), *place])
    left = " " * ((width - wide * places) // 2)
    lines = []
    for at in range(max(map(len, columns))):
        row = [column[at].copy() if at < len(column) else Text() for column in columns]
        for cell in row:
            cell.truncate(wide, pad=True)
        lines.append(Text.assemble(left, *row))
    dealer = state.get("dealer")
    hand = f"dealer {suited(dealer['cards']) or '-'} {dealer['total'] or ''}" if dealer else ""
    return [*lines, Text(printable(hand).rstrip().center(width).rstrip(), "bold")]


def _depth(number: int, places: int) -> int:
    middle = (places + 1) / 2
    return round(DEEP * ((number - middle) / (middle - 1)) ** 2) if places > 1 else 0


def _place(number: int, box: ShownBox | None, wide: int, mine: int) -> list[Text]:
    """``mine``: the hand in turn, 0 for none."""
    hands = (box or {}).get("hands", [])
    lines = [Text(f"{'>' if mine else ' '}{number}", "bold cyan" if hands else "dim")]
    for index, hand in enumerate(hands, 1):
        total = f" {hand['total']}" if hand["total"] else ""
        cards = printable(suited(hand["cards"]) or "-")
        for cut in textwrap.wrap(cards, wide - 1, initial_indent=" ", subsequent_indent=" "):
            lines.append(Text(cut, "bold" if index == mine else ""))
        if len(lines[-1]) + len(total) > wide:
            lines.append(Text(" "))
        lines[-1].append(total, "green")
    return lines


class FullScreen:
    """The table on a terminal until a key or a signal ends it; a key opens a page above it."""

    def __init__(self, feed: Feed, console: Console | None = None) -> None:
        self.feed = feed
        self._console = console or Console()
        self.touched = asyncio.Event()
        self._ended = False
        self._page: asyncio.Task[None] | None = None
        self._lines: list[str] = []
        self._first = 0

    async def show_table(self) -> None:
        """Show it; the terminal is left as it was."""
        loop, keys = asyncio.get_running_loop(), sys.stdin.fileno()
        for signal in ENDED_BY:
            loop.add_signal_handler(signal, self.press, b"q")
        live = Live(console=self._console, screen=True, auto_refresh=False)
        with _keys_at_once(keys), live:
            loop.add_reader(keys, lambda: self.press(os.read(keys, 16)))
            async with asyncio.TaskGroup() as self.tasks:
                feeding = self.tasks.create_task(self.feed.feed_view())
                shown = None
                while not self._ended:
                    self.feed.observe()
                    if (now := self.drawn()) != shown:
                        live.update(now[0], refresh=True)
                        shown = now
                    with suppress(TimeoutError):
                        async with asyncio.timeout(LOOK_EVERY_S):
                            await self.touched.wait()
                    self.touched.clear()
                feeding.cancel()
                self._close()

    def press(self, key: bytes) -> None:
        """What a key does; no bytes at all where there is no terminal any more."""
        self.touched.set()
        if key in (b"q", b"\x03", b""):
            self._ended = True
        elif key == b"r":
            self._open(self.feed.last_round)
        elif key == b"d":
            self._open(self.feed.devices)
        elif key == b"\x1b":
            self._close()
        elif key in SCROLLS:
            self._first = max(0, min(len(self._lines) - 1, self._first + SCROLLS[key]))

    def drawn(self) -> tuple[Text, tuple[int, int]]:
        """The screen, as this terminal can show it, and its size."""
        width, height = self._console.size
        lines = table_lines(self.feed, width, height)
        if self._page is not None:
            held = [line for line in lines if line.style == STYLES["alarm"]]
            room = height - len(held) - 1
            page = [_line("", suited(one)) for one in self._lines[self._first :][:room]]
            lines = [*held, *page, *[Text()] * (room - len(page)), Text(BACK, "dim")]
        text = Text("\n", no_wrap=True, overflow="crop", end="").join(lines)
        if not self._console.encoding.startswith("utf"):
            text.plain = text.plain.translate(LETTERS).encode("ascii", "replace").decode()
        return text, (width, height)

    def _open(self, page: Page) -> None:
        self._close()
        self._lines = ["asking the controller, which may take some seconds"]
        self._page = self.tasks.create_task(self._follow(page))

    def _close(self) -> None:
        if self._page is not None:
            self._page.cancel()
        self._page, self._first = None, 0

    async def _follow(self, page: Page) -> None:
        while True:
            self._lines = await page()
            self.touched.set()
            await asyncio.sleep(4 * LOOK_EVERY_S)


@contextmanager
def _keys_at_once(terminal: int) -> Iterator[None]:
    """Have keys come as they are pressed, Ctrl-C too, and not stand on the screen."""
    before, raw = termios.tcgetattr(terminal), termios.tcgetattr(terminal)
    raw[0] &= ~termios.IXON
    raw[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
    termios.tcsetattr(terminal, termios.TCSADRAIN, raw)
    try:
        yield
    finally:
        with suppress(termios.error):  # it is gone
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
