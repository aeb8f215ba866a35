"""The whole screen of ``watch`` as lines, for any size; no terminal is needed.

From the top: what keeps the table from playing, in red and in words; the table, what it asks, what
is permitted; the multiplier; the dealer's hand and the shoe; the table from above where there is
room; the boxes; what is owed and the tail of events; at the foot, always, every link and the keys.
Where there is too little room the events give way first, then boxes go on pages.

What the dealer waits for goes across the whole screen: the multiplier, what is to be paid and taken
now, and what the round has come to once nothing lies any more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from controller.cli.live.cells import PageOfBoxes, page_of_boxes
from controller.cli.live.felt import felt
from controller.cli.live.known_table import SeenChange, SeenTable
from controller.cli.live.links import link_lines
from controller.cli.live.spans import (
    EMPTY,
    GAP,
    Line,
    Look,
    Span,
    apart,
    beside,
    clipped,
    half,
    line,
    padded,
    rule,
    span,
    wrapped,
)
from controller.game.round.results.owed import owed_lines, totals
from controller.game.rules.cards import suited
from controller.plain_text import spell
from controller.table.showing.layout import closing, shown_hands
from controller.table.showing.status_fields import Status


def banner(text: str, width: int, look: Look, *, most: int = 2) -> list[Line]:
    """The text in lines that fill the screen from edge to edge."""
    told = wrapped(text, width - 1, look, first=" ", indent="   ", most=most)
    return [tuple(Span(piece.text, look) for piece in padded(one, width)) for one in told]


def multiplier(state: Status, width: int) -> list[Line]:
    """The multiplier that the meter shows; else to whom the button is offered."""
    if meter := state.get("meter"):
        text = f"METER {meter.get('multiplier')}x FOR BOX {meter.get('box')}"
    elif offer := state.get("offer"):
        text = f"BUTTON OFFERED TO BOX {offer.get('box')}"
    else:
        return []
    return banner(text, width, "meter", most=1)


def payment(state: Status, width: int, most: int) -> list[Line]:
    """What is to be paid and taken now, by box, those that are to be paid first: no less than two
    lines while there is one. Once all of the round is settled what it has come to stands below."""
    both = totals(state.get("owed") or [])
    pay = [(box, total) for box, total in both if not _only_taken(total)]
    said = "; ".join(
        f"box {box}: {total}" for box, total in [*pay, *(one for one in both if one not in pay)]
    )
    lines = banner(f"OWED NOW {said}", width, "pay", most=max(2, most) if pay else most)
    closed = "; ".join(closing(state))
    return [*(lines if said else []), *(banner(closed, width, "pay") if closed else [])]


def _only_taken(total: str) -> bool:
    return "pay" not in total and "odds" not in total


KEYS: Final = "d device  r round  f fault  c conditions  n/p page  ? help  q quit"
LOW: Final = 30
"""Below so many rows everything is said as briefly as it can be."""
LEAST_EVENTS: Final = 2
BESIDE_FROM: Final = 100
"""Columns from which on what is owed stands beside the events."""


def screen(seen: SeenTable, width: int, height: int, page: int | None = None) -> list[Line]:
    """Exactly ``height`` lines of at most ``width`` columns; ``page`` is that of the boxes;
    None: the one with the box in turn."""
    return _composed(seen, width, height, page)[0]


def page_shown(seen: SeenTable, width: int, height: int, page: int | None = None) -> int:
    """The page of the boxes that is shown there when that one is wanted."""
    return _composed(seen, width, height, page)[1].number


def _composed(
    seen: SeenTable, width: int, height: int, page: int | None
) -> tuple[list[Line], PageOfBoxes]:
    low = height < LOW
    foot = _foot(seen, width)
    top = [*alarms(seen, width, low=low), *_head(seen, width, low=low)][: height - len(foot)]
    room = height - len(top) - len(foot)
    owed, boxes = _shared(seen, width, room, page)
    middle = [*_boxes(boxes, width)]
    table = [] if low else felt(seen.state, width)
    if len(middle) + len(table) + len(owed) + LEAST_EVENTS < room:
        middle = [*table, *middle]
    left = room - len(middle)
    if len(owed) > 3 and width >= BESIDE_FROM and left >= len(owed):
        middle += beside(owed, _events(seen, width - half(width) - GAP, left), width)
    else:
        middle += [*owed, *_events(seen, width, left - len(owed))]
    middle = [*middle, *[EMPTY] * (room - len(middle))][: max(0, room)]
    return [*top, *middle, *foot][:height], boxes


def _shared(
    seen: SeenTable, width: int, room: int, page: int | None
) -> tuple[list[Line], PageOfBoxes]:
    """What is owed and the boxes, in ``room``: events give way before boxes are cut or go on more
    pages, and sums are said in place of single wagers."""
    ways: list[tuple[list[Line], PageOfBoxes]] = []
    for owed, events in (
        (_owed_in_full(seen, width, room), LEAST_EVENTS + 1),
        (payment(seen.state, width, 2), LEAST_EVENTS + 1),
        (payment(seen.state, width, 1), LEAST_EVENTS),
        (payment(seen.state, width, 1), 0),
    ):
        boxes = page_of_boxes(seen.state, width, room - len(owed) - events - 1, page)
        ways.append((owed, boxes))
        if not boxes.brief and boxes.of == 1:
            break
    return min(ways, key=lambda way: (way[1].cut, way[1].brief, way[1].of))


def alarms(seen: SeenTable, width: int, *, low: bool = False) -> Iterator[Line]:
    """What is to be seen first of all: that nothing answers, and why play is held."""
    if seen.frozen:
        at = (seen.now - timedelta(seconds=seen.answered_s)).strftime("%H:%M:%S")
        since = f"since {at} ({spell(seen.answered_s)})"
        if seen.trouble:
            said = f"NO CONTROLLER ANSWERS {since}: {seen.trouble}"
        else:
            said = f"FROZEN: the controller has not answered {since}"
        for one in wrapped(f"{said}. Last seen:", width - 2, first=" ", most=3):
            yield _alarm(one, width)
    if held := seen.state.get("held"):
        said = f"HELD  {held.get('fault')}: {held.get('reason')}"
        for one in wrapped(said, width - 2, first=" ", indent="       ", most=2 if low else 4):
            yield _alarm(one, width)
        steps = (("next step", held.get("next_step"), 3), ("supervisor may", _may(held), 1))
        for name, text, most in steps:
            if text:
                yield from (
                    _alarm(one, width)
                    for one in wrapped(
                        f"{name}: {text}",
                        width - 2,
                        first=" ",
                        indent="   ",
                        most=most if low else most + 2,
                    )
                )


def _may(held: object) -> str:
    remedies = held.get("remedies") if isinstance(held, dict) else None
    return ", ".join(remedies or ()) or "nothing yet"


def _alarm(one: Line, width: int) -> Line:
    return tuple(Span(piece.text, "alarm") for piece in padded(one, width))


def _head(seen: SeenTable, width: int, *, low: bool) -> Iterator[Line]:
    state = seen.state
    name = f"Table {state.get('table')}"
    about = f"  round {state.get('round')}  {state.get('state')}  {state.get('rules')}"
    clock = seen.now.strftime("%H:%M:%S")
    pulse = "NOT LIVE" if seen.frozen else "live"
    quiet = f"{clock} {pulse}, changed {spell(seen.quiet_s)} ago"
    yield apart(
        line(span(name, "title"), about),
        line(span(quiet, "alarm" if seen.frozen else "faint")),
        width,
    )
    said = wrapped(
        str(state.get("prompt") or "-"), width - 2, "strong", first="▶ ", indent="  ", most=2
    )
    yield from said
    may = ", ".join(state.get("permitted") or ())
    awaited = f"awaiting {state['awaiting']}. " if state.get("awaiting") else ""
    aside = f"awaiting {state['awaiting']}, " if low and awaited and not may else ""
    if may or (awaited and not aside):
        text = f"{awaited}{'The dealer may: ' if may else ''}{may}"
        yield from wrapped(text, width - 2, first="  ", most=2 if low else 3)
    yield from multiplier(state, width)
    dealer = state.get("dealer")
    hand = "no card yet"
    if dealer and dealer["cards"]:
        hand = f"{suited(dealer['cards'])}  {dealer['total'] or ''}".rstrip()
    pieces = [span("  dealer ", "title"), span(hand, "strong")]
    yield apart(line(*pieces), line(aside, span(", ".join(_shoe(state)), "faint")), width)


def _shoe(state: Status) -> Iterator[str]:
    shoe = state.get("shoe")
    if shoe is None:
        return
    left = shoe.get("remaining")
    yield "shoe not counted" if left is None else f"shoe {left} cards"
    if shoe.get("set"):
        yield f"set {shoe['set']}"
    if shoe.get("burn_due"):
        yield "burn due"
    if shoe.get("shuffle_due"):
        yield "shuffle due"


def _boxes(page: PageOfBoxes, width: int) -> Iterator[Line]:
    if page.of > 1:
        boxes = (
            f"boxes {page.first} to {page.last}" if page.first != page.last else f"box {page.last}"
        )
        which = f"{boxes}, page {page.number + 1} of {page.of}: n, p"
        yield rule("", width, which)
    yield from page.lines


def _owed_in_full(seen: SeenTable, width: int, room: int) -> list[Line]:
    state = seen.state
    accounts = state.get("account") or []
    owed = owed_lines(state.get("owed") or [], accounts, *shown_hands(state))
    if not owed or len(owed) + 1 > room // 3:
        return payment(state, width, 2)
    wide = half(width) if width >= BESIDE_FROM else width
    return [*payment(state, wide, 2), rule("owed", wide), *_clipped_lines(owed, wide)]


def _clipped_lines(texts: Sequence[str], width: int) -> list[Line]:
    return [clipped((span(f"  {one}"),), width) for one in texts]


def _events(seen: SeenTable, width: int, room: int) -> list[Line]:
    """The last of them, the newest at the bottom, in ``room`` lines; with a heading where there is
    room for more than :data:`LEAST_EVENTS`."""
    headed = room > LEAST_EVENTS
    most = room - headed
    shown = [event_line(one, width) for one in seen.events[-most:]] if most > 0 else []
    if headed and not shown:
        shown = [line(span("  nothing has changed since this view was opened", "faint"))]
    return [rule("events", width), *shown] if headed else shown


def event_line(event: SeenChange, width: int) -> Line:
    """One event in one line."""
    at = event.at.strftime("%H:%M:%S")
    text = span(
        f"{'! ' if event.alarm else '  '}{suited(event.text)}", "warning" if event.alarm else ""
    )
    return clipped((span(f"  {at} ", "faint"), text), width)


def _foot(seen: SeenTable, width: int) -> list[Line]:
    told = seen.counted.withheld or "answers, sent again, bad: of the last minute"
    conditions = seen.state.get("conditions", {})
    more: list[Line] = []
    if conditions:
        said = f"! also (c): {', '.join(conditions)}"
        more = [clipped((span(said, "warning"),), width)]
    keys = padded(line(span(f" {KEYS}", "faint")), width)
    return [rule("links", width, told), *link_lines(seen, width), *more, keys]
