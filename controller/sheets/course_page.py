"""The course of a round as text: a line for each step, and under it what the table said of it.

Times are those of the table's clock, in the time zone of the machine that shows them; behind them
are the seconds since bets were opened, by the clock that never goes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from controller.local_time import local
from controller.replay.course.steps import CARD, DEALER, KEYPAD, SUPERVISOR, CourseStep, HandChange
from controller.sheets.accounts import bracketed, settled_cells
from drivers.printable import printable

WHEN = 12
INDENT = " " * (WHEN + 14)


def course_lines(course: Sequence[CourseStep]) -> Iterator[str]:
    """The lines of the course; what came from outside is printable and stays on its line."""
    if not course:
        return
    yield (
        f"course, entries {course[0].seq} to {course[-1].upto}, from {day(course[0])} "
        f"({zone(course[0])})"
    )
    prompt = ""
    for step in course:
        yield f"  {clock(step):<{WHEN}}{since(step):>10}  {headline(step)}"
        for line in details(step):
            yield f"{INDENT}{line}"
        if step.prompt != prompt:
            prompt = step.prompt
            yield f"{INDENT}> {printable(prompt)}"


def headline(step: CourseStep) -> str:
    """What happened, by whom, under which clause, with its marks in front."""
    marks = f"[{', '.join(mark.upper() for mark in step.marks)}] " if step.marks else ""
    clause = f"  {bracketed(step.clause)}" if step.clause else ""
    return printable(f"{marks}{deed(step)}{clause}")


def deed(step: CourseStep) -> str:
    """What happened, and by whom."""
    if step.kind not in (DEALER, KEYPAD, SUPERVISOR):
        return step.what + (f", by {step.who}" if step.who else "") + _hand_of_card(step)
    who = f" ({step.who})" if step.who else ""
    return f"{step.kind}{who}: {step.what}"


def _hand_of_card(step: CourseStep) -> str:
    """The hand that a card came to, as it lies then."""
    if not _is_plain_card(step):
        return ""
    [change] = step.changes
    return f": {change.after}" + (f" ({change.total})" if change.total else "")


def _is_plain_card(step: CourseStep) -> bool:
    return step.kind == CARD and len(step.changes) == 1 and bool(step.changes[0].added)


def details(step: CourseStep) -> Iterator[str]:
    """What the table said of it: the reason given, notes, hands, settlements."""
    if step.why:
        yield printable(f"why: {step.why}")
    yield from map(printable, step.notes)
    told = [] if _is_plain_card(step) else [hand_now(change) for change in step.changes]
    if told:
        yield ", ".join(told)
    for settlement in step.settled:
        yield "settled  " + "  ".join(filter(None, settled_cells(settlement)))


def hand_now(change: HandChange) -> str:
    """A hand that has changed, as it lies now."""
    total = f" ({change.total})" if change.total else ""
    before = f", before {change.before}" if change.before and not change.added else ""
    return f"{change.place} {change.after or '-'}{total}{before}"


def when(step: CourseStep) -> datetime | None:
    """The time of a step on this machine's clock; None where the entry has none that can be
    read."""
    try:
        return local(datetime.fromisoformat(step.wall))
    except (ValueError, OverflowError, OSError):
        return None


def clock(step: CourseStep) -> str:
    """The time of day."""
    found = when(step)
    return found.isoformat(timespec="milliseconds")[11:23] if found else "?"


def day(step: CourseStep) -> str:
    """The date."""
    found = when(step)
    return found.date().isoformat() if found else "an unknown date"


def zone(step: CourseStep) -> str:
    """The time zone that times are told in."""
    found = when(step)
    return f"UTC{found.isoformat()[-6:]}" if found else "no time zone"


def since(step: CourseStep) -> str:
    """Seconds since bets were opened."""
    return "?" if step.since_s is None else f"+{step.since_s:.1f} s"
