"""What happened in a round of the table's own, by names, for its frequency."""

from __future__ import annotations

from controller.game.round.model import Box
from controller.game.round.state import Round
from controller.game.rules.hands import BUST_ABOVE, is_pontoon


def happenings(rnd: Round) -> list[str]:
    """Each name once for each hand, or the dealer's."""
    seen = [name for box in rnd.boxes.values() for name in _seen_at(box)]
    if len(rnd.dealer) > 1:
        seen += ["dealer plays", _dealer_has(rnd)]
    return seen


def _dealer_has(rnd: Round) -> str:
    total = rnd.dealer_total
    if is_pontoon(rnd.dealer):
        return "dealer pontoon"
    if total > BUST_ABOVE:
        return "dealer busts"
    if len(rnd.dealer) == rnd.rules.dealer.cards_max.value:
        return "dealer trick"
    return f"dealer {total}" if total > 16 else "dealer below 17"


def _seen_at(box: Box) -> list[str]:
    seen = ["box dealt"]
    first = box.by_number[0]
    if len(box.hands) == 1 and first.is_pontoon:
        seen.append("pontoon")
    for hand in box.hands:
        seen.append("hand played")
        if hand.total > BUST_ABOVE:
            seen.append("hand busts")
        if hand.doubled:
            seen.append("hand doubled")
    seen += ["hand split"] * (len(box.hands) - 1)
    return seen
