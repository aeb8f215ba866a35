"""Cards that may not be played as they came: set aside in the round, or discarded.

A card that left the shoe face up, together with another, foreign, one too many, or when none was
due waits in the round until its remedy is given (:mod:`~.putting_right`); where no decision is
needed, the round plays it. One that came when the round was over is the dealer's to discard.
"""

from __future__ import annotations

from typing import Final

from controller.game.round import play
from controller.game.round.irregular import judging
from controller.game.round.irregular.cases import case_of
from controller.game.round.irregular.replaying import on_the_table, takes_back
from controller.game.round.log import Input
from controller.game.round.state import Irregularity, Round
from controller.game.round.states import State
from controller.table.dealing import irregularities, squeezing
from controller.table.state.holds import Hold
from controller.table.state.shoe import LooseCard
from controller.table.state.table import Table
from drivers.vocabulary import DAMAGED, TOGETHER

TRIGGER_OF: Final = {
    **{fault: trigger for trigger, fault in irregularities.FAULT_OF.items() if trigger != "power"},
    "card-unexpected": "drawn",
}
"""What the table finds wrong with a card, by the trigger's name in rule files."""


def lay_aside(table: Table, loose: LooseCard, fault: str) -> bool:
    """Set a card aside that may not be played as it came: it waits in the round, or is played where
    no decision is needed. Returns whether that was possible: a round is in progress and the card is
    known."""
    rnd = table.rnd
    if not table.mid_round or rnd is None or rnd.is_over:
        return False
    if loose.card is None or fault not in TRIGGER_OF:
        return False
    if loose.leftover and fault not in ("card-foreign", "card-excess"):
        return False  # it is a card of the void round and no case of this one
    trigger = TRIGGER_OF[fault]
    if trigger == "face-up" and squeezing.next_down(table) is not None:
        return False
    asked = trigger != "drawn" and table.card_expected
    after = play.lay_aside(
        with_kept(table), (loose.card,), trigger, asked=asked, by_itself=trigger != "drawn"
    )
    if not loose.foreign:
        table.shoe.use(loose.card)
    table.dealing.rnd = after
    return True


def with_kept(table: Table) -> Round:
    """The round in which a card that squeezing keeps back has left the shoe before the present
    card; it waits as the next one."""
    assert table.rnd
    kept = table.dealing.kept
    if kept and kept.card and not table.rnd.irregular.waiting:
        return play.with_input(table.rnd, Input("back", (kept.card,)))
    return table.rnd


def joins(table: Table, loose: LooseCard) -> bool:
    """Whether the card left the shoe together with the one before it, which has just been taken, or
    waits for the same reason. The gate may have been locked for that one meanwhile, and the round
    settled with it."""
    rnd = table.rnd
    if not loose.flags & TOGETHER or loose.card is None or rnd is None:
        return False
    drawn = _before(table, loose)
    return bool(drawn) and judging.joins(rnd) and drawn[-1].card == rnd.log[-1].cards[-1]


def _before(table: Table, loose: LooseCard) -> list[LooseCard]:
    drawn = table.dealing.drawn
    return drawn[: next((at for at, one in enumerate(drawn) if one is loose), len(drawn))]


def join(table: Table, loose: LooseCard) -> None:
    """Have the card wait with the one that it left together with (:func:`joins`)."""
    rnd, drawn = table.rnd, _before(table, loose)
    assert rnd
    assert loose.card
    if len(drawn) == len(table.dealing.drawn):  # the round was over
        table.dealing.drawn = [*drawn, loose]
    if not loose.foreign:
        table.shoe.use(loose.card)
    again = play.together(rnd, loose.card, foreign=loose.foreign)
    if takes_back(rnd, again):
        table.note(f"{drawn[-1].card} is taken back: its place is not known yet")
    table.dealing.update(again)


def may_put_away(table: Table, loose: LooseCard) -> bool:
    """Whether a foreign card without a name may be discarded in mid-round, like one with a name."""
    assert table.rnd
    case = case_of(table.rnd, Irregularity("foreign"))
    return loose.foreign and loose.card is None and "discard" in case.remedies


def is_overdraw(table: Table, fault: str) -> bool:
    """Whether a card that came after the round's end is an extra card to the dealer's hand."""
    settled = table.rnd is not None and table.rnd.state == State.SETTLED
    return settled and fault in TRIGGER_OF and "overdraw" not in table.rules.not_played


def overdrawn(table: Table, cards: list[LooseCard]) -> Hold:
    """The hold for an extra card, which the dealer discards."""
    assert table.rnd
    case = case_of(table.rnd, Irregularity("overdraw"))
    said = f"{cards[0]} was dealt to the dealer's finished hand ({case.clause}): discard it"
    return Hold("overdraw", said, cards, by_dealer=True)


def discards_in_shoe(table: Table) -> None:
    """Reset the shoe's count to the cards on the table: the discards are back in the shoe."""
    assert table.rnd
    table.shoe.lies_out(on_the_table(table.rnd))
    kept = table.dealing.kept
    if kept and kept.card and not table.rnd.irregular.waiting:
        table.shoe.use(kept.card)


def damaged(table: Table, loose: LooseCard) -> None:
    """Record a damaged card for later, where the document says how to treat it."""
    cases = table.rnd.rules.irregularities if table.rnd and table.mid_round else ()
    if loose.flags & DAMAGED and any(case.trigger == "damaged" for case in cases):
        irregularities.noticed(table, "damaged")
