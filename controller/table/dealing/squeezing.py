"""Squeezing: cards that lie face down until the dealer turns them (``deal.squeeze``).

- Granted for a box before the first card of the round (``squeeze BOX``, ``squeeze BOX 0`` takes it
  back) and for that round, in the initial deal and after it.
- The shoe has read such a card and the journal stores it, but nothing displays it before ``reveal
  BOX``: ``??`` and a total of 0. The card that would have the round settle or decide on what lies
  face down is **kept back** from the round: the last card of the initial deal while any box is face
  down, and later every card to a squeezed box. So the round does not depend on squeezing, and no
  consequence of a hidden card appears before it is turned (matrix A-55).
- While a card is kept back the gate is locked and only ``reveal`` is taken.
"""

from __future__ import annotations

from controller.game.commands.command import Command
from controller.game.commands.slots import BOX
from controller.game.commands.values import Seat
from controller.game.round import play
from controller.game.round.model import Hand
from controller.game.round.refusal import Refused
from controller.game.round.result_fields import HandResult
from controller.game.round.state import Round
from controller.game.round.states import RoundPart, State
from controller.game.rules.cards import UNREAD, Card, hand_total, write_cards
from controller.table import sequence
from controller.table.state.cards import LooseCard
from controller.table.state.table import Table


def boxes_down(table: Table) -> list[int]:
    """The boxes with cards that must not be shown."""
    return sorted({loose.down for loose in table.dealing.drawn if loose.down})


def is_initial_deal(table: Table) -> bool:
    """Whether the initial deal is in progress."""
    return table.rnd is not None and table.rnd.state.part is RoundPart.DEAL


def shown_hand(table: Table, hand: Hand) -> HandResult:
    """A hand as it is shown: ``cards`` and ``total``."""
    rnd, kept = table.rnd, table.dealing.kept
    here = kept if kept and rnd and rnd.receiver is hand else None
    cards: list[Card | None] = list(hand.cards)
    if (
        rnd
        and (is_initial_deal(table) or rnd.state == State.VOID)
        and hand.box in boxes_down(table)
    ):
        cards = [None] * len(cards)
    if here:
        cards.append(None if here.down else here.card)
    known = [card for card in cards if card]
    total = hand_total(known, hand.hard_aces) if len(known) == len(cards) else 0
    return {"cards": write_cards(cards), "total": total}


def hidden_cards(table: Table) -> list[Card]:
    """The cards that lie face down, or may be dealt so, for counts of what is visible."""
    return [
        loose.card for loose in table.dealing.drawn if loose.card and not _may_be_seen(table, loose)
    ]


def _may_be_seen(table: Table, loose: LooseCard) -> bool:
    rnd = table.rnd
    if loose.down or rnd is None:
        return not loose.down
    put_back = [
        *rnd.irregular.waiting,
        *(rnd.irregular.irregularity.cards if rnd.irregular.irregularity else ()),
    ]
    return not (loose.card in put_back and secret(table))


def secret(table: Table) -> bool:
    """Whether cards that wait may have to be dealt face down, so that they must not be named: in
    the initial deal any of them, after it those for a squeezed box."""
    rnd = table.rnd
    if rnd is None or not table.mid_round:
        return False
    if is_initial_deal(table):
        return bool(table.dealing.squeezed & rnd.boxes.keys())
    return bool(next_down(table))


def next_down(table: Table) -> int | None:
    """The squeezed box that gets the next card, face down; None where there is none."""
    receiver = table.rnd.receiver if table.rnd and table.mid_round else None
    return receiver.box if receiver and receiver.box in table.dealing.squeezed else None


def card_text(table: Table, loose: LooseCard) -> str:
    """A card that waits, as text that may be shown."""
    return str(LooseCard(None, loose.flags)) if secret(table) else str(loose)


def shown_drawn(table: Table) -> str:
    """The cards of the round that may be shown, in the order in which they left the shoe."""
    return " ".join(shown_card(table, card) for card in table.dealing.drawn)


def shown_card(table: Table, loose: LooseCard) -> str:
    """A card of the round, as text that may be shown."""
    return str(loose) if _may_be_seen(table, loose) else str(LooseCard(None, loose.flags))


def last_drawn(table: Table) -> str:
    """The last card, as text that may be shown."""
    last = table.dealing.drawn[-1] if table.dealing.drawn else None
    if last is None or last.down or secret(table):
        return "a card"
    return str(last)


def without_name(table: Table, loose: LooseCard, reason: str) -> str:
    """The sentence without the name of a card that must not be named."""
    if loose.card is None or not secret(table):
        return reason
    return reason.replace(str(loose.card), UNREAD)


def may_squeeze(table: Table) -> bool:
    """Whether squeezing may be granted or taken back now."""
    return table.rules.deal.squeeze.value and sequence.may(table, "squeeze")


def squeeze_commands(table: Table) -> list[Command]:
    """The dealer's commands about squeezing that are permitted now; while a card is kept back, no
    others are."""
    if table.dealing.kept:
        return [Command("reveal", Seat(box)) for box in to_reveal(table)]
    if not may_squeeze(table):
        return []
    if table.rnd is None:
        return [Command("squeeze", open=(BOX.name,))]
    boxes = (box for box in table.rnd.boxes if box not in table.dealing.squeezed)
    return [Command("squeeze", Seat(box)) for box in boxes]


def squeeze(table: Table, box: int, *, granted: bool) -> None:
    """``squeeze BOX``, ``squeeze BOX 0``."""
    rule = table.rules.deal.squeeze
    if not rule.value:
        raise Refused("these rules do not let players squeeze", rule.clause, "NOT PLAYED HERE")
    sequence.check(table, "squeeze")
    boxes = table.rnd.boxes if table.rnd else range(1, table.settings.boxes + 1)
    if box not in boxes:
        raise Refused(
            f"there is no box {box} in play", short=f"NO BOX {box} IN PLAY", code="box-not-in-play"
        )
    if granted == (box in table.dealing.squeezed):
        what = "squeezes already" if granted else "does not squeeze"
        raise Refused(f"box {box} {what}", rule.clause, short="SO IT IS ALREADY")
    table.dealing.squeezed ^= {box}


def deal(table: Table, loose: LooseCard) -> None:
    """Deal a card from the shoe: face down where the box squeezes."""
    assert table.rnd
    assert loose.card
    after = play.take_card(table.rnd, loose.card)
    if not _keeps_back(table, table.rnd, after, loose):
        table.dealing.rnd = after


def take_waiting(table: Table, rnd: Round) -> Round:
    """Deal a card that was put back and waits: the round with it, or the same round where it is
    kept back."""
    loose = next(c for c in reversed(table.dealing.drawn) if c.card == rnd.irregular.waiting[0])
    after = play.take_waiting(rnd)
    return rnd if _keeps_back(table, rnd, after, loose) else after


def _keeps_back(table: Table, before: Round, after: Round, loose: LooseCard) -> bool:
    """Keep the card back if it must not come to the round before cards are turned; whether it must
    not."""
    receiver = before.receiver if table.dealing.squeezed else None
    loose.down = receiver.box if receiver and receiver.box in table.dealing.squeezed else 0
    keeps = bool(loose.down)
    if before.state.part is RoundPart.DEAL:
        keeps = after.state.part is not RoundPart.DEAL and bool(boxes_down(table))
    if keeps:
        table.dealing.kept = loose
    return keeps


def to_reveal(table: Table) -> list[int]:
    """Boxes whose cards the dealer may turn now."""
    return boxes_down(table) if table.dealing.kept and table.mid_round else []


def reveal(table: Table, box: int) -> None:
    """``reveal BOX``: turns its cards face up; the round continues when all are turned."""
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
    assert table.dealing.kept
    assert table.dealing.kept.card
    for loose in table.dealing.drawn:
        loose.down = 0 if loose.down == box else loose.down
    if is_initial_deal(table) and boxes_down(table):
        return
    if table.rnd.irregular.waiting:
        table.dealing.rnd = play.take_waiting(table.rnd)
    else:
        table.dealing.rnd = play.take_card(table.rnd, table.dealing.kept.card)
    table.dealing.kept = None


def refused(table: Table) -> Refused | None:
    """The reason against any decision: cards lie face down; None where none do."""
    boxes = to_reveal(table)
    if not boxes:
        return None
    return Refused(
        f"box {boxes[0]} is to be revealed first",
        table.rules.deal.squeeze.clause,
        short=f"REVEAL BOX {boxes[0]}",
        code="reveal-first",
    )
