"""Which cards of a round are shown, and which lie face down (``deal.squeeze``). A card for a
squeezed box is not shown before it is turned: ``??`` and a total of 0 (matrix A-55). The journal
stores it.
"""

from __future__ import annotations

from controller.game.round.model import Hand
from controller.game.round.result_fields import HandResult
from controller.game.round.states import RoundPart, State
from controller.game.rules.cards import UNREAD, Card, write_cards
from controller.game.rules.hands import hand_total
from controller.table.state.loose import LooseCard
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
