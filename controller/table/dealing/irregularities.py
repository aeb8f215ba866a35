"""Irregularities of the round: they hold play, with the clause and the remedies in words, and the
remedies are commands.

The supervisor may give every remedy; the dealer those that the document leaves to the dealer, to a
player, or to the table itself. Both may report what happened.

A card that left the shoe face up, together with another, foreign, one too many, or when none was
due waits in the round until its remedy is given (:mod:`~.putting_right`); where no decision is
needed, the round plays it. One that came when the round was over is the dealer's to discard.
"""

from __future__ import annotations

from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.slots import BOX, CARDS
from controller.game.commands.values import Option
from controller.game.round import play
from controller.game.round.irregular.cases import case_of, possible_remedies, remedy_steps
from controller.game.round.irregular.replaying import on_the_table, takes_back
from controller.game.round.log import Input
from controller.game.round.refusal import Refused
from controller.game.round.remedies import (
    DRAWN,
    TOGETHER,
    ChooseOption,
    Continue,
    Correct,
    Discard,
    PutsRight,
    Report,
    ReportDrawn,
    Void,
    VoidHand,
)
from controller.game.round.state import Irregularity, Round
from controller.game.round.states import State
from controller.game.rules.cases import DECIDERS, REMEDIES, TRIGGERS, Case
from controller.table.dealing import squeezing
from controller.table.state.cards import LooseCard
from controller.table.state.holds import Hold
from controller.table.state.table import Table

SUPERVISORS: Final = (Void, VoidHand, Correct)
"""Remedies that the dealer may never give."""

RESUME: Final = Command("resume")
SEEN_TOGETHER: Final = Command("report", trigger=TOGETHER, open=(CARDS.name,))
_AT_EMPTY_BOX: Final = Command("report", trigger="empty-box", open=(BOX.name,))


def cards_that_wait(table: Table) -> list[str]:
    """The cards of the open irregularity."""
    found = table.rnd.irregular.irregularity if table.rnd else None
    if found is None:
        return []
    by_card = {loose.card: loose for loose in table.dealing.drawn}
    return [squeezing.card_text(table, by_card[card]) for card in found.cards]


def remedy_commands(table: Table) -> list[Command]:
    """The remedies of the open irregularity, as commands; after a power cut ``resume`` continues
    play."""
    assert table.rnd
    found = table.rnd.irregular.irregularity
    assert found
    steps = remedy_steps(table.rnd)
    if found.trigger == "power":
        return [RESUME if isinstance(step, Continue) else step.command for step in steps]
    return [*(step.command for step in steps), *_reports(found)]


def _reports(found: Irregularity) -> list[Command]:
    if found.trigger == TOGETHER and len(found.seen) < len(found.cards):
        return [SEEN_TOGETHER]
    if found.trigger == DRAWN:
        return [*([] if found.seen else [ReportDrawn(seen=True).command]), _AT_EMPTY_BOX]
    return []


def dealer_remedy_commands(table: Table) -> list[Command]:
    """The remedies that the dealer may give."""
    if table.hold and table.hold.fault == "overdraw":
        return [Discard().command]
    assert table.rnd
    found = table.rnd.irregular.irregularity
    assert found
    case = case_of(table.rnd, found)
    steps = [
        step
        for step in remedy_steps(table.rnd)
        if dealer_may_give(case, step) and not _takes_back(table.rnd, step)
    ]
    return [*(step.command for step in steps), *_reports(found)] if steps else []


def _takes_back(rnd: Round, step: PutsRight) -> bool:
    """Whether the remedy takes back what was settled on cards that were not dealt: then it is the
    supervisor's, like every correction that does."""
    if not rnd.settlements:
        return False
    try:
        return takes_back(rnd, play.take_step(rnd, step))
    except Refused:
        return False


def dealer_may_give(case: Case, step: PutsRight) -> bool:
    """Whether the dealer may give that remedy of a case."""
    if isinstance(step, SUPERVISORS):
        return False
    refuses = isinstance(step, ChooseOption) and step.option is Option.REFUSE
    return case.by != "supervisor" or refuses


def is_dealers_turn(table: Table) -> bool:
    """Whether the table is held only for something that the dealer may correct."""
    standing = table.holds.standing
    return len(standing) == 1 and standing[0].by_dealer and table.entering.pending is None


FAULT_OF: Final = {
    "face-up": "card-face-up",
    "together": "cards-together",
    "foreign": "card-foreign",
    "count": "card-excess",
    "drawn": "card-locked",
    "power": "power-failure",
}
"""Fault codes of the triggers whose code is not their name."""


def noticed(table: Table, trigger: str) -> None:
    """Open an irregularity that nobody reports. A round that is over, which a correction judged
    just before may have brought about, has none; nor has one a second."""
    rnd = table.rnd
    if rnd is not None and not rnd.is_over and rnd.irregular.irregularity is None:
        table.dealing.rnd = play.take_step(rnd, Report(trigger))


def hold_for_it(table: Table, held: Hold | None, reason: str = "") -> Hold:
    """Hold the table for the open irregularity, or update the hold that there is."""
    assert table.rnd
    found = table.rnd.irregular.irregularity
    assert found
    case = case_of(table.rnd, found)
    if found.trigger == "power":
        reason = f"the box was started anew in the middle of round {table.round_number}"
    if not reason:
        where = f", box {found.box}" if found.box else ""
        cards = f": {' '.join(cards_that_wait(table))}" if found.cards else ""
        reason = f"{TRIGGERS[found.trigger]}{where}{cards}"
    remedies = possible_remedies(table.rnd, found, case)
    if not remedies:
        remedies = ["continue"]
    what = " or ".join(REMEDIES[remedy] for remedy in remedies)
    who = DECIDERS["dealer" if case.by == "table" else case.by]  # the dealer reports what happened
    said = f"{reason} ({case.clause}): {what}; {who} decides"
    fault = FAULT_OF.get(found.trigger, found.trigger)
    if held is not None:
        held.leave_to_dealer(may=bool(dealer_remedy_commands(table)))
        if held.fault != fault or f"({case.clause})" not in held.reason:
            held.replace_reason(fault, said)
        return held
    table.note(said)
    behind = table.holds.take_cards() if table.holds.cards else []
    new = Hold(fault, said, behind, irregular=True, by_dealer=bool(dealer_remedy_commands(table)))
    table.holds.put_first(new)
    table.entering.keypad.hush()
    return new


TRIGGER_OF: Final = {
    **{fault: trigger for trigger, fault in FAULT_OF.items() if trigger != "power"},
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
