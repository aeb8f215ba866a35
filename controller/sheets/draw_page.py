"""The multipliers of a round on its page: offer, press, ticket and weights, and the draw computed
again from them (docs/draw.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.draw.errors import BadWeights
from controller.draw.evidence import recompute
from controller.draw.weights import Weights
from controller.replay.course.steps import BUTTON, DRAW, METER, CourseStep
from controller.sheets.course_page import clock
from controller.sheets.sheet import row, table, text


def draws(course: Sequence[CourseStep]) -> Iterator[str]:
    """The part of the page; nothing where no multiplier was drawn."""
    found = [step for step in course if step.kind == DRAW and step.draw is not None]
    if not found:
        return
    yield "<h2>Multipliers drawn</h2>"
    yield table(
        ("Offer", "Box", "Button pressed", "Drawn", "Meter shows it", "Ticket", "Multiplier"),
        (row(_draw(step, course), right=(6,)) for step in found),
        right=(6,),
    )
    for step in found:
        yield f"<p>Offer {text(step.offer)}: {_computed(step)}</p>"
    for weights in dict.fromkeys(step.weights for step in found if step.weights):
        total = sum(weight for _, weight in weights)
        yield (
            f"<p>Weights in force, of {total}: "
            + text(", ".join(f"{multiplier}x = {weight}" for multiplier, weight in weights))
            + ".</p>"
        )


def _draw(step: CourseStep, course: Sequence[CourseStep]) -> tuple[str, ...]:
    body = step.draw or {}
    ticket = f"{body.get('ticket', '?')} of {body.get('total', '?')}"
    rejected = body.get("rejected")
    if isinstance(rejected, list) and rejected:
        ticket += f", after {', '.join(map(str, rejected))} that did not count"
    return (
        text(step.offer),
        text(body.get("box")),
        _when(BUTTON, step, course),
        _of(step),
        _when(METER, step, course),
        text(ticket),
        f"<b>{text(body.get('multiplier'))}x</b>",
    )


def _when(kind: str, of: CourseStep, course: Sequence[CourseStep]) -> str:
    """When and in which entry that was, for the offer of the draw."""
    said = (step for step in course if step.kind == kind and step.offer == of.offer)
    if kind == BUTTON:
        earlier = [step for step in said if step.first < of.first]
        return _of(earlier[-1]) if earlier else "not in this round"
    later = next((step for step in said if step.first > of.first), None)
    return _of(later) if later else "not reported"


def _of(step: CourseStep) -> str:
    return f'{text(clock(step))} <span class="quiet">#{step.first}</span>'


def _computed(step: CourseStep) -> str:
    """The draw computed again, in words."""
    try:
        wrong = recompute(Weights(tuple(step.weights)), step.draw or {})
    except (BadWeights, KeyError, TypeError):
        return "the journal does not have what is needed to compute it again."
    if wrong is not None:
        return f"<b>THE DRAW DOES NOT FOLLOW:</b> it {text(wrong)}."
    return "computed again from its ticket and the weights, it is the same multiplier."
