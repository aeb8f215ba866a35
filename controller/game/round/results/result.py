"""The result object of a round that tools and floor systems read."""

from __future__ import annotations

from controller.game.money import write_amount
from controller.game.round.model import BettorKey
from controller.game.round.result_fields import RoundResult
from controller.game.round.results.owed import because, of_round
from controller.game.round.state import Round
from controller.game.rules.cards import write_cards


def round_result(rnd: Round, title: str) -> RoundResult:
    """The result of a round that has ended.

    ``outcome`` (``settled`` or ``void``), the ``dealer``'s hand, every box's hands in the order in
    which they were formed, the settlements in order, and every bettor's ``net`` (None where an
    amount was not given).
    """
    return {
        "title": title,
        "rules": rnd.rules.id,
        "outcome": rnd.state,
        "dealer": {"cards": write_cards(rnd.dealer), "total": rnd.dealer_total},
        "boxes": {
            str(box.number): [
                {"cards": write_cards(hand.cards), "total": hand.total} for hand in box.by_number
            ]
            for box in rnd.boxes.values()
        },
        "settlements": [settlement.as_result() for settlement in rnd.all_settlements],
        "net": net_of(rnd),
    }


def net_of(rnd: Round) -> dict[str, str | None]:
    """The net win or loss of every bettor, by box and letter; None where an amount is not known."""
    sums: dict[BettorKey, int | None] = {}
    for settlement in rnd.all_settlements:
        owner = (settlement.box, settlement.bettor)
        so_far = sums.get(owner, 0)
        known = so_far is not None and settlement.net is not None
        sums[owner] = (so_far or 0) + (settlement.net or 0) if known else None
    return {f"{box}{bettor}": write_amount(net) for (box, bettor), net in sorted(sums.items())}


def settled_lines(rnd: Round | None) -> list[str]:
    """The settlements of the round so far, one line each, for a dealer to read."""
    if rnd is None:
        return []
    lines, known = [], of_round(rnd)
    for s in rnd.all_settlements:
        words = [s.outcome.replace("_", "-"), s.odds or "", write_amount(s.net) or ""]
        what = " ".join(word for word in words if word)
        if why := because(s.as_result(), *known):
            what += f", {why}"
        lines.append(f"box {s.box}{s.bettor} hand {s.hand} {s.kind}: {what} ({s.clause})")
    return lines
