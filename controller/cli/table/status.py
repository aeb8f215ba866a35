"""``status``: the committed state of a table as a person reads it, all of it, or as much as one
screen has room for.

In full a hand has a row, a settlement a line with its clause, a device one with its serial number.
Where a screen has no room for that, a box has one line, then sums stand for wagers, long texts are
cut (``…``) and links that are well share a line; the last line then says where all of it is. What
keeps the table from playing is never left out. Each line has a look, for a screen that can show it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from controller.cli.connection import connect
from controller.cli.group import Group
from controller.cli.output import DONE, print_json, print_line
from controller.control.client import LOOK_S
from controller.forms.json_values import JsonObject, checked
from controller.game.round.results import owed_lines, totals
from controller.plain_text import ago, columns
from controller.table.showing.layout import at_box, hand_rows, shown_hands, sums
from controller.table.showing.status_fields import ShownBox, Status, status_of


def register(top: Group) -> None:
    """Add the command."""
    top.command("status", show_status)


def show_status(options: argparse.Namespace) -> int:
    """Print the state once."""
    with connect(options, LOOK_S) as client:
        state = client.status()
    if options.json:
        print_json(state)
    else:
        print_line(in_words(state))
    return DONE


def in_words(state: JsonObject) -> str:
    """The state on one screen of this terminal, 80 by 24 at least; all of it where there is none:
    a pipe and a file have room, and who reads them cannot ask for more."""
    if not sys.stdout.isatty():
        return "\n".join(every_line(state))
    width, height = shutil.get_terminal_size((80, 24))
    return "\n".join(lines(state, max(80, width), max(24, height)))


Look = Literal["", "strong", "alarm", "warning", "cards", "turn", "owed", "pay", "meter"]
"""What a line is: what is asked; what keeps the table from playing; a link that is not well; cards,
those in turn; what is owed, by wager and in sum; the multiplier."""
LookedLine = tuple[Look, str]

ELSEWHERE: Final = "  (in brief, for one screen; all: tablectl status | less, or status --json)"
_NO_LIMIT: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class _Form:
    """How briefly it is told: ``text`` lines for a text, ``step`` for the next step; ``brief``:
    hands side by side, what is owed by box, a line for a link; ``sums`` in place of wagers, a line
    for a box; links that are well ``together``."""

    text: int = _NO_LIMIT
    step: int = _NO_LIMIT
    brief: bool = True
    sums: bool = False
    together: bool = False


_FULLEST: Final = _Form(brief=False)
"""The one form in which nothing is left out."""
_FORMS: Final = (
    _FULLEST,
    _Form(),
    _Form(2, 5),
    _Form(2, 5, sums=True),
    _Form(2, 3, sums=True),
    _Form(1, 2, sums=True),
    _Form(1, 2, sums=True, together=True),
)


def every_line(answer: JsonObject, now: datetime | None = None) -> list[str]:
    """All of the state, however long and wide, times as ages at ``now``; raises ``WrongForm``."""
    return [text for _, text in _status_lines(status_of(answer), _FULLEST, _NO_LIMIT, now)]


def lines(
    answer: JsonObject, width: int = 80, height: int = 24, now: datetime | None = None
) -> list[str]:
    """The state within ``width`` columns and one line less than ``height``, for the shell's prompt;
    times are told as ages at ``now``. Raises ``WrongForm``, as :func:`every_line` does."""
    return [text for _, text in looked_lines(status_of(answer), width, height - 1, now)]


def looked_lines(
    state: Status, width: int, height: int, now: datetime | None = None
) -> list[LookedLine]:
    """The state within ``width`` columns and ``height`` lines, each with its look."""
    for form in _FORMS:
        told = list(_status_lines(state, form, width, now))
        told += [] if form is _FULLEST else [("", ELSEWHERE)]
        if len(told) <= height and all(len(text) <= width for _, text in told):
            return told
    return [(look, text[:width]) for look, text in (*told[: height - 1], ("", ELSEWHERE))]


def _status_lines(
    state: Status, form: _Form, width: int, now: datetime | None
) -> Iterator[LookedLine]:
    table = f"Table {state.get('table')}, {state.get('rules')}"
    yield "", f"{table}, round {state.get('round')}: {state.get('state')}"
    yield from _cut(str(state.get("prompt") or "-"), width, form.text, "strong")
    if held := state.get("held"):
        reason = f"HELD, {held.get('fault')}: {held.get('reason')}"
        yield from _cut(reason, width, form.text, "alarm")
        if held.get("next_step"):
            yield from _cut(f"next step: {held['next_step']}", width, form.step, "alarm")
        may = ", ".join(held.get("remedies", ())) or "nothing yet"
        yield from _cut(f"supervisor may: {may}", width, form.text, "alarm")
    if state.get("awaiting"):
        yield "", f"  awaiting {state['awaiting']}"
    if permitted := state.get("permitted"):
        yield from _cut(f"dealer may: {', '.join(permitted)}", width, form.text)
    apart: list[LookedLine] = [] if form.brief else [("", "")]
    if form.brief:
        for number, box in state.get("boxes", {}).items():
            yield from _box(state, number, box, form, width)
        if (dealer := state.get("dealer")) and dealer["cards"]:
            yield "cards", f"  dealer  {dealer['cards']} {dealer['total'] or ''}".rstrip()
    elif rows := list(_rows(state)):
        yield "", ""
        for text in columns(rows, right=(2,)).splitlines():
            yield "turn" if text.startswith("  >") else "cards", text
    if owed := state.get("owed"):
        yield from apart
        if form.brief:
            said = "; ".join(f"box {box}: {total}" for box, total in totals(owed))
            yield from _cut(f"owed now: {said}", width, form.text, "pay")
        else:
            told = owed_lines(owed, state.get("account", []), *shown_hands(state))
            for line in told:
                yield "pay" if " now: " in line else "owed", f"  owed: {line}"
    if meter := state.get("meter"):
        yield "meter", f"  meter: {meter.get('multiplier')}x for box {meter.get('box')}"
    if shoe := state.get("shoe"):
        yield from _cut(f"shoe: {', '.join(_shoe(shoe))}", width, form.text)
    if devices := state.get("devices"):
        yield from apart
        if form.brief:
            yield from _links(devices, form, width, now)
        else:
            yield from (("", line) for line in device_table(devices, now).splitlines())


def _cut(text: str, width: int, most: int, look: Look = "") -> list[LookedLine]:
    told = textwrap.wrap(text, width - 1, initial_indent="  ", subsequent_indent="    ")
    if len(told) > most:
        told = [*told[: most - 1], f"{told[most - 1][: width - 2]} …"]
    return [(look, line) for line in told]


def _rows(state: Status) -> Iterator[tuple[str, str, str, str]]:
    for name, mine, hand, lies in hand_rows(state.get("boxes", {}), state.get("turn")):
        yield f"{'>' if mine else ' '} {name}", hand["cards"] or "-", str(hand["total"] or ""), lies
    if (dealer := state.get("dealer")) and dealer["cards"]:
        yield "  dealer", dealer["cards"], str(dealer["total"] or ""), ""


def _box(state: Status, number: str, box: ShownBox, form: _Form, width: int) -> list[LookedLine]:
    """A box, its hands side by side, the one in turn behind ``>``; in one line with sums."""
    turn = state.get("turn") or {"box": 0, "hand": 0}
    here = turn.get("box") == int(number)
    hands = []
    for index, hand in enumerate(box.get("hands", []), 1):
        mark = ">" if here and turn.get("hand") == index else ""
        hands.append(f"{mark}{hand['cards']} {hand['total'] or ''}".rstrip())
    look: Look = "turn" if here else "cards"
    told = f"{'>' if here else ' '} box {number}  {' | '.join(hands) or '-'}  "
    if not form.sums:
        wrapped = textwrap.wrap(told + at_box(box), width, subsequent_indent=" " * 9)
        return [(look, line) for line in wrapped]
    line = told + _sums(box)
    return [(look, line if len(line) <= width else f"{line[: width - 2]} …")]


def _sums(box: ShownBox) -> str:
    away = [f"not there: {', '.join(box['absent'])}"] if box.get("absent") else []
    return "; ".join([*sums(box), *away])


def _shoe(shoe: JsonObject) -> Iterator[str]:
    if shoe.get("set"):
        yield f"set {shoe['set']}"
    left = shoe.get("remaining")
    yield "not counted" if left is None else f"{left} cards remain"
    if shoe.get("burned"):
        yield f"burned {shoe['burned']}"
    if shoe.get("burn_due"):
        yield "its first card is to be burned"
    if shoe.get("shuffle_due"):
        yield "a shuffle is due"
    for number, why in checked(dict[str, str], shoe.get("blocked") or {}).items():
        yield f"set {number} may not be played: {why}"


def _links(
    devices: Mapping[str, JsonObject], form: _Form, width: int, now: datetime | None
) -> Iterator[LookedLine]:
    well = []
    for name, device in devices.items():
        said = _remarks(device)
        since = ago(device.get("since") or "-", now)
        if device.get("link") == "up" and not said and form.together:
            well.append(f"{name} {since}")
        else:
            told = f"link {name}: {device.get('link') or '?'} since {since}"
            look: Look = "warning" if said or device.get("link") != "up" else ""
            text = f"{told}; {said}" if said else told
            yield from _cut(text, width, 1 if form.together else 2, look)
    if well:
        yield from _cut(f"links up since: {', '.join(well)}", width, 2)


def _remarks(device: JsonObject) -> str:
    said = [str(device[key]) for key in ("trouble", "reason") if device.get(key)]
    step = f": {device['next_step']}" if said and device.get("next_step") else ""
    return "; ".join(filter(None, ("; ".join(said) + step, str(device.get("faults") or ""))))


def device_table(devices: Mapping[str, JsonObject], now: datetime | None = None) -> str:
    """Every device's link in columns."""
    rows: list[tuple[object, ...]] = [("device", "link", "serial", "since", "last event", "")]
    for name, device in devices.items():
        rows.append(
            (
                name if device.get("kind") in (None, name) else f"{name} ({device['kind']})",
                device.get("link") or "?",
                device.get("serial") or "-",
                ago(device.get("since") or "-", now),
                device.get("last_event") if device.get("last_event") is not None else "-",
                _remarks(device),
            )
        )
    return columns(rows)
