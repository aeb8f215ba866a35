"""What the dealer waits for, across the whole screen: the multiplier, what is to be paid and taken
now, and what the round has come to once nothing lies any more.

What holds the table has a banner of its own above all (:func:`controller.cli.live.layout.alarms`).
"""

from __future__ import annotations

from controller.cli.live.spans import Line, Look, Span, padded, wrapped
from controller.game.round.results.owed import totals
from controller.table.showing.lying import closing
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
