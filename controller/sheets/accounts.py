"""A round as a person reads it on a screen: how it was played, the cards on the table, the result
of every wager; and its course, a line for each step, and under it what the table said of it.

Times are those of the table's clock, in the time zone of the machine that shows them; behind them
are the seconds since bets were opened, by the clock that never goes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from controller.game.round.result_fields import RoundResult, SettlementResult
from controller.game.round.results import because, hand_totals
from controller.game.scripts.script_play import Happening
from controller.local_time import local
from controller.plain_text import columns
from controller.replay.course.steps import CourseStep, Doer, HandChange
from drivers.printable import printable


def account(result: RoundResult, course: Iterable[Happening] = ()) -> Iterator[str]:
    """The lines of a result of round scripts, or of a round from the journal."""
    number = result.get("round")
    title = result.get("title") or "A round"
    yield title if number is None or str(number) in title else f"Round {number}: {title}"
    yield f"  rules {result.get('rules')}, {result.get('outcome')}"
    if played := list(_played(course)):
        yield "play"
        yield from played
    if shoe := result.get("shoe"):
        yield f"shoe\n  {shoe}"
    if draws := result.get("draws"):
        yield "draws"
        yield columns(
            (f"offer {draw.get('offer')}", f"box {draw.get('box')}", f"{draw.get('multiplier')}x")
            for draw in draws
        )
    yield "hands"
    yield columns(_hands(result), right=(2,))
    if settlements := result.get("settlements"):
        yield "settled"
        known = result["dealer"]["cards"], hand_totals(result["boxes"])
        cells = ((*settled_cells(one), because(one, *known)) for one in settlements)
        yield columns(cells, right=(2, 5))
    if net := result.get("net"):
        yield "net"
        yield columns(((who, signed(amount)) for who, amount in net.items()), right=(1,))


def _played(course: Iterable[Happening]) -> Iterator[str]:
    """Cards that go on without a decision between them share a line. What was refused was tried
    after the cards that lead to the next step, and stands there."""
    cards: list[str] = []
    refused: list[str] = []
    for event in course:
        if event.what == "card":
            cards.append(f"{_hand(event.box, event.hand)} {event.text}")
        elif event.what == "refused":
            refused.append(f"  ! {event.text}")
        else:
            yield from _run_of(cards)
            yield from refused
            yield f"  {_event_words(event)}"
            cards, refused = [], []
    yield from _run_of(cards)
    yield from refused


def _event_words(event: Happening) -> str:
    if event.what == "drawn":
        return f"the meter shows {event.text}x"
    return f"  ({event.text})" if event.what in ("remark", "declined") else event.text


def _run_of(cards: list[str]) -> Iterator[str]:
    if cards:
        yield f"  {', '.join(cards)}"


def _hand(box: int | None, hand: int) -> str:
    if box is None:
        return "dealer"
    return f"box {box}" if hand == 1 else f"box {box}.{hand}"


def _hands(result: RoundResult) -> Iterator[tuple[str, str, str]]:
    for number, hands in result["boxes"].items():
        for index, hand in enumerate(hands, 1):
            yield _hand(int(number), index), hand["cards"] or "-", str(hand["total"] or "")
    dealer = result["dealer"]
    yield "dealer", dealer["cards"] or "-", str(dealer["total"] or "")


def settled_cells(settlement: SettlementResult) -> tuple[str, ...]:
    """A settlement as cells: wager, kind, stake, outcome, odds, net, clause."""
    hand = settlement["hand"]
    return (
        f"{settlement['box']}{settlement['bettor']}" + (f".{hand}" if hand != 1 else ""),
        str(settlement["kind"]),
        settlement["stake"] or "?",
        str(settlement["outcome"]).replace("_", " "),
        settlement["odds"] or "",
        signed(settlement["net"]),
        bracketed(str(settlement["clause"])),
    )


def bracketed(clause: str) -> str:
    """A clause in brackets, unless the document's own paragraphs are."""
    return clause if clause.startswith("[") else f"[{clause}]"


def signed(amount: str | None) -> str:
    """A sum with its sign; a question mark where the table knows no amounts."""
    if amount is None:
        return "?"
    return amount if amount.startswith("-") or not float(amount) else f"+{amount}"


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
    if step.kind not in (Doer.DEALER, Doer.KEYPAD, Doer.SUPERVISOR):
        return step.what + (f", by {step.who}" if step.who else "") + _hand_of_card(step)
    who = f" ({step.who})" if step.who else ""
    return f"{step.kind}{who}: {step.what}"


def _hand_of_card(step: CourseStep) -> str:
    if not _is_plain_card(step):
        return ""
    [change] = step.changes
    return f": {change.after}" + (f" ({change.total})" if change.total else "")


def _is_plain_card(step: CourseStep) -> bool:
    return step.kind == Doer.CARD and len(step.changes) == 1 and bool(step.changes[0].added)


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
    """The time of a step on this machine's clock; None where none can be read."""
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
