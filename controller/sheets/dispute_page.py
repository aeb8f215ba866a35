"""A round on one page for a dispute: what was paid and why, everything that happened, how to check.

The page is for somebody who was not there and has no controller: a player, a manager, an inspector.
It needs nothing else to be read (:mod:`controller.sheets.sheet`). Of the multipliers it has offer,
press, ticket and weights, and the draw computed again from them (docs/draw.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from controller.draw.evidence import recompute
from controller.draw.weights import BadWeights, Weights
from controller.files.rule_words import clause_words
from controller.game.round.result_fields import RoundResult
from controller.replay.course.steps import CourseStep, Doer, Facts, HandChange, Mark, plain
from controller.sheets.accounts import clock, day, deed, signed, since, when, zone
from controller.sheets.result_part import outcome_words, result_parts
from controller.sheets.round_code import RoundCode
from controller.sheets.sheet import cards, facts, mono, row, sheet, table, text


def draws(course: Sequence[CourseStep]) -> Iterator[str]:
    """The part of the page; nothing where no multiplier was drawn."""
    found = [step for step in course if step.kind == Doer.DRAW and step.draw is not None]
    if not found:
        return
    yield "<h2>Multipliers drawn</h2>"
    head = ("Offer", "Box", "Button pressed", "Drawn", "Meter shows it", "Ticket", "Multiplier")
    yield table(head, (row(_draw(step, course), right=(6,)) for step in found), right=(6,))
    for step in found:
        yield f"<p>Offer {text(step.offer)}: {_computed(step)}</p>"
    for weights in dict.fromkeys(step.weights for step in found if step.weights):
        total = sum(weight for _, weight in weights)
        shares = ", ".join(f"{multiplier}x = {weight}" for multiplier, weight in weights)
        yield f"<p>Weights in force, of {total}: {text(shares)}.</p>"


def _draw(step: CourseStep, course: Sequence[CourseStep]) -> tuple[str, ...]:
    body = step.draw or {}
    ticket = f"{body.get('ticket', '?')} of {body.get('total', '?')}"
    rejected = body.get("rejected")
    if isinstance(rejected, list) and rejected:
        ticket += f", after {', '.join(map(str, rejected))} that did not count"
    return (
        text(step.offer),
        text(body.get("box")),
        _when_drawn(Doer.BUTTON, step, course),
        _step_reference(step),
        _when_drawn(Doer.METER, step, course),
        text(ticket),
        f"<b>{text(body.get('multiplier'))}x</b>",
    )


def _when_drawn(kind: str, of: CourseStep, course: Sequence[CourseStep]) -> str:
    """When and in which entry that was, for the offer of the draw."""
    said = (step for step in course if step.kind == kind and step.offer == of.offer)
    if kind == Doer.BUTTON:
        earlier = [step for step in said if step.seq < of.seq]
        return _step_reference(earlier[-1]) if earlier else "not in this round"
    later = next((step for step in said if step.seq > of.seq), None)
    return _step_reference(later) if later else "not reported"


def _step_reference(step: CourseStep) -> str:
    return f'{text(clock(step))} <span class="quiet">#{step.seq}</span>'


def _computed(step: CourseStep) -> str:
    try:
        wrong = recompute(Weights(tuple(step.weights)), step.draw or {})
    except (BadWeights, KeyError, TypeError):
        return "the journal does not have what is needed to compute it again."
    if wrong is not None:
        return f"<b>THE DRAW DOES NOT FOLLOW:</b> it {text(wrong)}."
    return "computed again from its ticket and the weights, it is the same multiplier."


ORDINARY = frozenset({Mark.GOES_ON, Mark.BACK})
"""Marks that are nothing out of the ordinary."""


def dispute_page(
    result: RoundResult,
    course: Sequence[CourseStep],
    known: Facts,
    code: RoundCode | None = None,
    picture: str = "",
) -> str:
    """The page as HTML; with a ``picture``, an ``svg`` element, of the ``code`` if there is one."""
    number = result.get("round")
    title = f"Round {number} at table {known.table}"
    parts = [
        f"<h1>{text(title)}</h1>",
        f'<p class="sub">As the journal of the table has it. {_when(course)}</p>',
        facts(_facts(result, course, known)),
        "<h2>What lay there, what was paid and why</h2>",
        *result_parts(result),
        "<h2>Out of the ordinary</h2>",
        *_unusual(course),
        "<h2>What happened, step by step</h2>",
        *_course(course),
        *draws(course),
        "<h2>How to check this page</h2>",
        *_checks(number, known),
        *(_code(code, picture) if code else ()),
    ]
    return sheet(title, parts)


def _when(course: Sequence[CourseStep]) -> str:
    if not course:
        return ""
    first, last = course[0], course[-1]
    return text(f"{day(first)}, {clock(first)[:8]} to {clock(last)[:8]} ({zone(first)}).")


def _facts(
    result: RoundResult, course: Sequence[CourseStep], known: Facts
) -> Iterator[tuple[str, str]]:
    yield "Table", text(known.table)
    yield "Rules", text(f"{known.title}, {known.version} ({known.rules})")
    yield "Outcome", text(result["outcome"])
    if course:
        yield "Journal", text(f"entries {course[0].seq} to {course[-1].upto}")


def _unusual(course: Sequence[CourseStep]) -> Iterator[str]:
    found = [step for step in course if set(step.marks) - ORDINARY]
    if not found:
        yield "<p>Nothing: no correction, nothing taken back or refused, play was not held.</p>"
        return
    yield table(
        ("Time", "Entry", ""),
        (
            row((_nowrap(clock(step)), str(step.seq), "<br>".join(_in_short(step))), "marked")
            for step in found
        ),
        "fixed",
        widths=(16, 8, 76),
    )


def _in_short(step: CourseStep) -> Iterator[str]:
    yield f"{_marks(step)}{text(deed(step))}"
    yield from _reasons(step)


def _reasons(step: CourseStep) -> Iterator[str]:
    if step.why:
        yield f"Reason given: {text(step.why)}"
    yield from (f'<span class="quiet">{text(note)}</span>' for note in step.notes)


def _marks(step: CourseStep) -> str:
    return "".join(f'<span class="mark">{text(mark.upper())}</span>' for mark in step.marks)


def _nowrap(value: str) -> str:
    return f'<span class="dense">{text(value)}</span>'


def _course(course: Sequence[CourseStep]) -> Iterator[str]:
    yield (
        '<p class="quiet">Times are those of the table\'s clock; in the second line the seconds '
        "since bets were opened, and the entry of the journal. The order is that of the entries. "
        "In brackets the clause that governs the step, and at a settlement its own; what devices "
        "report, what a supervisor decides and what is taken back has none.</p>"
    )
    yield from _clock_went_back(course)
    rows, prompt = [], ""
    for step in course:
        said = "" if step.prompt == prompt else text(step.prompt)
        prompt = step.prompt
        entry = f"#{step.seq}" if step.seq == step.upto else f"#{step.seq}-{step.upto}"
        time = (
            f'{_nowrap(clock(step))}<br><span class="quiet">{_nowrap(since(step))} {entry}</span>'
        )
        hands = "<br>".join(_hand(one) for one in step.changes)
        marked = "marked" if set(step.marks) - ORDINARY else ""
        rows.append(row((time, "<br>".join(_happened(step)), hands, said), marked))
    yield table(
        ("Time", "What happened", "Hands then", "The dealer was then told"),
        rows,
        "fixed",
        widths=(16, 37, 22, 25),
    )


def _clock_went_back(course: Sequence[CourseStep]) -> Iterator[str]:
    moments = [found for step in course if (found := when(step)) is not None]
    if any(later < earlier for earlier, later in pairwise(moments)):
        yield (
            "<p><b>The table's clock went back in this round.</b> The order of the entries "
            "counts.</p>"
        )


def _happened(step: CourseStep) -> Iterator[str]:
    clause = f" {text(clause_words(step.clause))}" if step.clause else ""
    yield f"{_marks(step)}{_deed(step)}{clause}"
    yield from _reasons(step)
    for one in step.settled:
        stake, odds = one["stake"] or "?", f" {one['odds']}" if one["odds"] else ""
        who = f"{one['box']}{one['bettor']}" + (f" hand {one['hand']}" if one["hand"] > 1 else "")
        what = f"{who} {one['kind']} {stake}: {outcome_words(one)}{odds}"
        net = f"<b>{text(signed(one['net']))}</b>"
        yield f"\u2192 {text(what)}, {net} {text(clause_words(one['clause']))}"


def _deed(step: CourseStep) -> str:
    came = [change for change in step.changes if change.added]
    if step.kind != Doer.CARD or not came:
        return text(deed(step))
    return ", ".join(f"Card {cards(one.added)} to {text(plain(one.place))}" for one in came)


def _hand(change: HandChange) -> str:
    total = f" ({change.total})" if change.total else ""
    before = "" if change.added or not change.before else f"<br>before: {cards(change.before)}"
    return f"{text(change.place)}: {cards(change.after) or 'none'}{text(total)}{before}"


def _checks(number: int | None, known: Facts) -> Iterator[str]:
    yield (
        "<p>This page is drawn from the journal; it proves nothing by itself. The journal is a "
        f"chain of hashes: its digest below stands for all entries up to {known.last}.</p>"
    )
    yield (
        "<p>A proof of this round alone, which anybody can check without the controller:<br>"
        f'<span class="mono">tablectl journal prove {text(number)} --out round-{text(number)}.json'
        "</span><br>"
        f'<span class="mono">python3 -I verify_journal.py --proof round-{text(number)}.json '
        "--key KEY</span></p>"
    )
    yield "<p>SHA-256 of the journal, and of what the start record of the controller names:</p>"
    digests = {f"journal to entry {known.last}": known.digest, **known.digests}
    yield facts((name, mono(digest)) for name, digest in digests.items() if digest)


def _code(code: RoundCode, picture: str) -> Iterator[str]:
    left_out = f"; {code.left_out} more have no room in it" if code.left_out else ""
    yield (
        "<p>The code has the digest of this round's proof, and behind an empty line the signed "
        f"checkpoint that the proof is by, with {code.cosignatures} cosignatures of witnesses"
        f"{left_out}:</p>"
    )
    yield f'<div class="code">{picture}</div>'
    yield facts([("SHA-256 of the proof", mono(code.digest))])
    yield "".join(f"<p>{mono(line)}</p>" for line in code.checkpoint.splitlines() if line)
