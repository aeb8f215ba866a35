"""A round step by step at a terminal: the table as it lay after each step, key by key.

Keys: space, Enter or right go on, ``b``, left or backspace go back, ``g`` and ``G`` (Home, End) are
the first and the last step, ``q``, Escape or Ctrl-C end it. The terminal is put back whatever
happens, also when the process is told to end.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import signal
import sys
import termios
import textwrap
import tty
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Final, NoReturn

from controller.game.round.result_fields import RoundResult
from controller.replay.course.steps import CourseStep, TableLayout
from controller.sheets.accounts import clock, day, details, headline, since, zone
from controller.table.showing.layout import hand_rows
from drivers.printable import printable

FIRST, BACK, NEXT, LAST, QUIT = range(5)

KEYS: Final = {
    **dict.fromkeys((" ", "\r", "\n", "\x1b[C", "\x1bOC", "n"), NEXT),
    **dict.fromkeys(("b", "\x1b[D", "\x1bOD", "\x7f", "\b", "p"), BACK),
    **dict.fromkeys(("g", "\x1b[H", "\x1bOH", "\x1b[1~"), FIRST),
    **dict.fromkeys(("G", "\x1b[F", "\x1bOF", "\x1b[4~"), LAST),
    **dict.fromkeys(("q", "Q", "\x1b", "\x03", ""), QUIT),
}
"""What the keys do, by what they send; the empty text: nobody is there any more."""

TABLE: Final = 10
"""Column of the hands on the table, below which a line of it goes on."""

HELP: Final = "space next   b back   g first   G last   q quit"
LOOK_S: Final = 0.5
"""How often the size of the terminal is looked at while no key comes."""
REST_S: Final = 0.05
"""How long the rest of a key that sends several characters may take: a line may split it."""

_BEGUN: Final = re.compile(rb"\x1b(?:\[[0-9;]*|O)?\Z")
"""A key that may go on."""

_ENDS: Final = (signal.SIGTERM, signal.SIGHUP)

_KEY: Final = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])?|.", re.DOTALL)
"""One key: those of a cursor send several characters at once."""

_ENTER: Final = "\x1b[?1049h\x1b[?25l"
_LEAVE: Final = "\x1b[?25h\x1b[?1049l"


def moved(at: int, key: str, count: int) -> int | None:
    """The step that a key leads to, of ``count``; None where it ends it."""
    deed = KEYS.get(key)
    if deed == QUIT:
        return None
    to = {FIRST: 0, BACK: at - 1, NEXT: at + 1, LAST: count - 1}.get(deed or 0, at)
    return at if deed is None else min(max(to, 0), count - 1)


def screen(title: str, course: Sequence[CourseStep], at: int, width: int, height: int) -> list[str]:
    """The lines that show a step, as many as the terminal has and no wider; text is printable."""
    step = course[at]
    lines = [
        _two(title, f"step {at + 1} of {len(course)}, entry {step.seq}", width),
        _two(f"{day(step)} {clock(step)} ({zone(step)})", since(step), width),
        "",
        *_wrapped(headline(step), width),
        *(line for told in details(step) for line in _wrapped(f"  {told}", width)),
        "",
        *(line for lies in table_lines(step.layout) for line in _wrapped(lies, width, TABLE)),
        "",
        *_wrapped(f"The dealer is told: {printable(step.prompt)}", width),
    ]
    room = max(1, height - 2)
    if len(lines) > room:
        lines = [*lines[: room - 1], "... (a larger window shows more)"[:width]]
    return [*lines, *[""] * (room - len(lines)), "", HELP[:width]]


def table_lines(layout: TableLayout) -> Iterator[str]:
    """The table as it lay: dealer, boxes with hands and wagers, button and meter."""
    dealer = layout["dealer"]
    yield f"  {'dealer':<8}{_hand(dealer['cards'], dealer['total'])}".rstrip()
    for name, mine, hand, lies in hand_rows(layout["boxes"], layout["turn"]):
        shown = _hand(hand["cards"], hand["total"])
        yield printable(f"{'> ' if mine else '  '}{name:<8}{shown:<26} {lies}".rstrip())
    if meter := layout["meter"]:
        yield f"  meter   {meter['multiplier']}x for box {meter['box']}, offer {meter['offer']}"
    elif offer := layout["offer"]:
        yield f"  button  offered to box {offer['box']}, offer {offer['offer']}"
    if layout["held"]:
        yield printable(f"  HELD    {layout['held']}")


def _hand(written: str, total: int) -> str:
    return f"{written or '-'}  ({total})" if total else written or "-"


def _two(left: str, right: str, width: int) -> str:
    gap = max(2, width - len(left) - len(right))
    return printable(f"{left}{' ' * gap}{right}")[:width]


def _wrapped(line: str, width: int, indent: int = 0) -> list[str]:
    """The line as often as it takes to be no wider; ``indent`` of what follows, 0: two more than
    its own."""
    behind = " " * (indent or len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(
        line, max(20, width), subsequent_indent=behind, drop_whitespace=indent > 0
    ) or [""]


def step_through(result: RoundResult, course: Sequence[CourseStep]) -> None:
    """Show the course at the terminal of this process until the person has seen enough."""
    title = result["title"]
    with _raw() as keyboard:
        at: int | None = 0
        shown: tuple[object, ...] = ()
        while at is not None:
            size = shutil.get_terminal_size()
            if shown != (at, size):
                shown = (at, size)
                _draw(screen(title, course, at, size.columns, size.lines))
            for key in _keys(keyboard):
                at = None if at is None else moved(at, key, len(course))


def _draw(lines: Sequence[str]) -> None:
    sys.stdout.write("\x1b[H\x1b[2J" + "\r\n".join(lines))
    sys.stdout.flush()


@contextlib.contextmanager
def _raw() -> Iterator[int]:
    """The keyboard of a terminal that gives every key at once; afterwards it is as it was."""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    with _ended_in_order():
        try:
            tty.setraw(keyboard, termios.TCSADRAIN)
            sys.stdout.write(_ENTER)
            yield keyboard
        finally:
            with contextlib.suppress(termios.error, OSError):  # the terminal was hung up
                termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
                sys.stdout.write(_LEAVE)
                sys.stdout.flush()


@contextlib.contextmanager
def _ended_in_order() -> Iterator[None]:
    """A signal that ends the process lets what was begun be put back first."""

    def exit_in_order(number: int, _: FrameType | None) -> NoReturn:
        for one in _ENDS:
            signal.signal(one, signal.SIG_IGN)  # not a second time while it is put back
        raise SystemExit(128 + number)

    before = {one: signal.signal(one, exit_in_order) for one in _ENDS}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _keys(keyboard: int) -> list[str]:
    """The keys pressed within :data:`LOOK_S`; the empty text when the terminal is gone."""
    if not select.select([keyboard], [], [], LOOK_S)[0]:
        return []
    try:
        sent = os.read(keyboard, 256)
        while _BEGUN.search(sent) and select.select([keyboard], [], [], REST_S)[0]:
            if not (rest := os.read(keyboard, 256)):
                break
            sent += rest
    except OSError:  # a terminal that was hung up
        sent = b""
    return _KEY.findall(sent.decode("utf-8", "replace")) or [""]
