"""Squeezing: cards that lie face down until the dealer turns them (``deal.squeeze``).

- Granted for a box before the first card of the round (``squeeze BOX``, ``squeeze BOX 0`` takes it
  back) and for that round, in the initial deal and after it.
- The shoe has read such a card and the journal has it, but nothing shows it before ``reveal BOX``:
  ``??`` and a total of 0. The card that would have the round settle or decide on what lies face
  down is **kept back** from the round: the last one of the initial deal while any box is face
  down, and after it every card to a squeezed box. So the round needs to know nothing of squeezing,
  and nothing that follows from a hidden card comes about before it is turned (matrix A-55).
- While a card is kept back the gate is locked and only ``reveal`` is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.round import play
from controller.round.model import Hand
from controller.round.refusal import Refused
from controller.rules.cards import UNREAD, Card, write_cards
from controller.rules.hands import hand_total
from controller.table.holds.hold import LooseCard

if TYPE_CHECKING:
    from controller.round.state import Round
    from controller.table.table import Table


def may_squeeze(table: Table) -> bool:
    """Whether squeezing may be granted or taken back now."""
    if not table.rules.deal.squeeze.value:
        return False
    return table.phase == "betting" or (table.mid_round and not table.drawn)


def permitted(table: Table) -> list[str]:
    """The dealer's entries about squeezing that may be made now; while a card is kept back, no
    others are."""
    if table.kept:
        return [f"reveal {box}" for box in to_reveal(table)]
    if not may_squeeze(table):
        return []
    if table.rnd is None:
        return ["squeeze BOX"]
    return [f"squeeze {box}" for box in table.rnd.boxes if box not in table.squeezed]


def squeeze(table: Table, box: int, *, granted: bool) -> None:
    """``squeeze BOX``, ``squeeze BOX 0``."""
    rule = table.rules.deal.squeeze
    if not rule.value:
        raise Refused("these rules do not let players squeeze", rule.clause, "NOT PLAYED HERE")
    if not may_squeeze(table):
        raise Refused(
            f"squeezing is granted before the cards of the round ({table.state})",
            rule.clause,
            short="BEFORE CARDS",
        )
    boxes = table.rnd.boxes if table.rnd else range(1, table.settings.boxes + 1)
    if box not in boxes:
        raise Refused(f"there is no box {box} in play", short=f"NO BOX {box} IN PLAY")
    if granted == (box in table.squeezed):
        what = "squeezes already" if granted else "does not squeeze"
        raise Refused(f"box {box} {what}", rule.clause, short="SO IT IS ALREADY")
    table.save(f"squeeze {box}" if granted else f"squeeze {box} 0")
    table.squeezed = table.squeezed | {box} if granted else table.squeezed - {box}


def _dealing(table: Table) -> bool:
    return table.rnd is not None and table.rnd.state.startswith("deal.")


def deal(table: Table, loose: LooseCard) -> None:
    """A card from the shoe comes to its place: face down where the box squeezes."""
    assert table.rnd
    assert loose.card
    trial = play.take(table.rnd, loose.card)
    if not _keeps_back(table, table.rnd, trial, loose):
        table.rnd = trial


def take_waiting(table: Table, rnd: Round) -> Round:
    """The round that has got a card that was put back (``rnd.waiting``); the same where it is kept
    back."""
    loose = next(c for c in reversed(table.drawn) if c.card == rnd.waiting[0])
    trial = play.take_waiting(rnd)
    return rnd if _keeps_back(table, rnd, trial, loose) else trial


def _keeps_back(table: Table, before: Round, after: Round, loose: LooseCard) -> bool:
    """Whether this card must not come to the round before something is turned: it is kept."""
    receiver = before.receiver
    loose.down = receiver.box if receiver and receiver.box in table.squeezed else 0
    dealing = before.state.startswith("deal.")
    ends = bool(face_down(table)) and not after.state.startswith("deal.")
    if ends if dealing else loose.down:
        table.kept = loose
        return True
    return False


def face_down(table: Table) -> list[int]:
    """Boxes with cards that are not to be seen."""
    return sorted({loose.down for loose in table.drawn if loose.down})


def to_reveal(table: Table) -> list[int]:
    """Boxes whose cards the dealer may turn now."""
    return face_down(table) if table.kept and table.mid_round else []


def reveal(table: Table, box: int) -> None:
    """``reveal BOX``: its cards lie face up; the last one turned lets the round go on."""
    rule = table.rules.deal.squeeze
    if not rule.value:
        raise Refused("these rules do not let players squeeze", rule.clause, "NOT PLAYED HERE")
    if box not in to_reveal(table):
        boxes = ", ".join(map(str, to_reveal(table))) or "none"
        raise Refused(
            f"box {box} has nothing to reveal now; to be revealed: {boxes}",
            rule.clause,
            short="NOT TO REVEAL",
        )
    assert table.rnd
    assert table.kept
    assert table.kept.card
    for loose in table.drawn:
        loose.down = 0 if loose.down == box else loose.down
    table.saved = None
    if _dealing(table) and face_down(table):
        return
    if table.rnd.waiting:
        table.rnd = play.take_waiting(table.rnd)
    else:
        table.rnd = play.take(table.rnd, table.kept.card)
    table.kept = None


def give_up(table: Table) -> None:
    """The round is void: the card kept back goes away with the others."""
    kept, table.kept = table.kept, None
    if kept and not _dealing(table):
        kept.down = 0


def refused(table: Table) -> Refused | None:
    """Why no decision is taken: cards lie face down."""
    boxes = to_reveal(table)
    if not boxes:
        return None
    return Refused(
        f"box {boxes[0]} is to be revealed first",
        table.rules.deal.squeeze.clause,
        short=f"REVEAL BOX {boxes[0]}",
    )


# ---- what is to be seen -----------------------------------------------------------------------


def shown_hand(table: Table, hand: Hand) -> dict[str, Any]:
    """A hand as it lies on the table: ``cards`` and ``total``."""
    rnd, kept = table.rnd, table.kept
    here = kept if kept and rnd and rnd.receiver is hand else None
    cards: list[Card | None] = list(hand.cards)
    if hand.box in face_down(table) and rnd and rnd.state.startswith(("deal.", "void")):
        cards = [None] * len(cards)
    if here:
        cards.append(None if here.down else here.card)
    known = [card for card in cards if card]
    total = hand_total(known, hand.hard_aces) if len(known) == len(cards) else 0
    return {"cards": write_cards(cards), "total": total}


def hidden_cards(table: Table) -> list[Card]:
    """The cards that lie face down, or may yet, for those who count."""
    return [loose.card for loose in table.drawn if loose.card and not _may_be_seen(table, loose)]


def _may_be_seen(table: Table, loose: LooseCard) -> bool:
    rnd = table.rnd
    if loose.down or rnd is None:
        return not loose.down
    put_back = [*rnd.waiting, *(rnd.irregularity.cards if rnd.irregularity else ())]
    return not (loose.card in put_back and secret(table))


def secret(table: Table) -> bool:
    """Whether cards that wait may be ones to lie face down, so that nobody may hear what they
    are: in the initial deal any of them may be, after it those for a squeezed box."""
    rnd = table.rnd
    if rnd is None or not table.mid_round:
        return False
    return bool(table.squeezed & rnd.boxes.keys()) if _dealing(table) else bool(next_down(table))


def next_down(table: Table) -> int | None:
    """The squeezed box that the next card goes to, face down."""
    receiver = table.rnd.receiver if table.rnd and table.mid_round else None
    return receiver.box if receiver and receiver.box in table.squeezed else None


def said(table: Table, loose: LooseCard) -> str:
    """A card that waits, as it may be written."""
    return str(LooseCard(None, loose.flags)) if secret(table) else str(loose)


def shown_drawn(table: Table) -> str:
    """The cards of the round in the order in which they left the shoe."""
    return " ".join(
        str(c) if _may_be_seen(table, c) else str(LooseCard(None, c.flags)) for c in table.drawn
    )


def last_drawn(table: Table) -> str:
    """The card that came last, as it may be said."""
    last = table.drawn[-1] if table.drawn else None
    if last is None or last.down or secret(table):
        return "a card"
    return str(last)


def without_name(table: Table, loose: LooseCard, reason: str) -> str:
    """A sentence about a card that must not be named."""
    if loose.card is None or not secret(table):
        return reason
    return reason.replace(str(loose.card), UNREAD)
