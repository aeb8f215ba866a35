"""``void``: the round is void, and every wager returned; ``void-hand`` of a box with a multiplier.

Where a multiplier was drawn in the round (for the box), a second person confirms it: one who
dislikes a figure must not be able to make it vanish alone. Until then, or until it is cancelled,
play is held.
"""

from __future__ import annotations

from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.values import Seat
from controller.game.round import looks, play
from controller.game.round.irregular.cases import case_of
from controller.game.round.refusal import Refused
from controller.game.round.remedies import Void, VoidHand
from controller.game.round.results import settled_lines
from controller.game.round.state import Irregularity, Round
from controller.table import holds, sequence
from controller.table.dealing import cards_in, irregularities, putting_right
from controller.table.dealing.cards_in import FOREIGN_FAULT
from controller.table.events.of_people import KEY_SWITCH, Giver
from controller.table.shoe import shuffling
from controller.table.state.holds import VOID_UNCONFIRMED, Hold
from controller.table.state.table import Table

CONFIRM, CANCEL = Command("confirm"), Command("cancel")
ANSWERS: Final = (CONFIRM, CANCEL)
"""What a supervisor may say while a void waits for a second person."""


def ask_for_void(table: Table, who: Giver) -> None:
    """Void the round, or hold play until a second person confirms it; Refused where there is none
    that could be void."""
    sequence.check(table, "void")
    assert table.rnd
    _check_possible(table, table.rnd)
    if not looks.drawn_and_seen(table.rnd):
        _void(table)
        return
    _wait_for_second(table, who, "the round to be void after a multiplier was drawn")


def takes_two(table: Table, step: VoidHand) -> bool:
    """Whether the step makes a hand void for whose box a multiplier was drawn."""
    rnd, offer = table.rnd, table.jackpot.offer
    if rnd is None:
        return False
    drawn = {*rnd.draws, *([offer.box] if offer and offer.multiplier else [])}
    return step.seat.box in drawn


def ask_hand(table: Table, step: VoidHand, who: Giver) -> None:
    """Hold play until a second person confirms that the hand is void; Refused where it cannot
    be."""
    assert table.rnd
    play.take_step(table.rnd, step)
    box = step.seat.box
    _wait_for_second(table, who, f"box {box} to be void, for which a multiplier was drawn", box)


def _wait_for_second(table: Table, who: Giver, what: str, box: int = 0) -> None:
    table.entering.await_void(who, box)
    said = f"{who.name} asks for {what}: another person confirms it, or it is cancelled"
    table.hold_for(Hold(VOID_UNCONFIRMED, said))


def confirm(table: Table, who: Giver) -> None:
    """``confirm void``: a second person agrees; Refused where no void waits, or it is not certain
    that another person asked for it."""
    asked = _first_person(table)
    if not who.is_another(asked):
        said = f"the {asked.name}" if asked.name == KEY_SWITCH else asked.name
        raise Refused(f"{said} asked for it: another person confirms it", short="ANOTHER PERSON")
    assert table.rnd
    if box := table.entering.void_hand:
        putting_right.supervisor_step(table, VoidHand(Seat(box)))
    else:
        _check_possible(table, table.rnd)
        _void(table)
    table.entering.keypad.hush()
    _end_asking(table)


def cancel(table: Table) -> None:
    """``cancel void``: play goes on as if it had not been asked for; Refused where no void
    waits."""
    _first_person(table)
    _end_asking(table)


def is_possible(table: Table) -> bool:
    """Whether it is on offer to make the round void, as far as no remedy says otherwise; behind its
    end it can be said until the round is cleared, and is not offered."""
    rnd = table.rnd
    possible = table.mid_round and rnd is not None and not rnd.is_over
    return possible and _goes_on_with_discards(table) is None


def _goes_on_with_discards(table: Table) -> Refused | None:
    """The reason against voiding a round that waits for its shuffled discards, where the clause by
    which they are used has no such remedy (MBS 5.19; Division 15, 16.7); None where it has, or
    where that of a foreign card has, which waits without a name (MBS 5.1.1)."""
    rnd, shoe = table.rnd, table.devices.get("shoe")
    awaited = table.dealing.reshuffled == table.round_number and shoe and not shoe.can_give
    if rnd is None or not awaited:
        return None
    case = case_of(rnd, Irregularity("shoe-empty"))
    foreign = table.hold is not None and table.hold.fault == FOREIGN_FAULT
    clauses = [case, *([case_of(rnd, Irregularity("foreign"))] if foreign else [])]
    if any("void" in one.remedies for one in clauses):
        return None
    return Refused(
        "the round is finished with the shuffled discards: load them; what no clause covers is "
        "reported first (report other)",
        case.clause,
        short="LOAD DISCARDS",
    )


def answers(table: Table) -> list[Command]:
    """What may be said to a void that waits: an irregularity that has come since may forbid it."""
    box = table.entering.void_hand
    wanted = VoidHand(Seat(box)) if box else Void()
    forbidden = table.irregularity_open and (
        wanted.command not in irregularities.remedy_commands(table)
    )
    return [CANCEL] if forbidden else list(ANSWERS)


def _check_possible(table: Table, rnd: Round) -> None:
    """Check that no correction is being made behind the round's end, and that an open irregularity
    has this remedy."""
    if rnd.is_over and rnd.irregular.edits:
        said = "a correction is being made: finish it, or take it back"
        raise Refused(said, short="CORRECTION FIRST")
    if table.irregularity_open:
        play.take_step(rnd, Void())
    elif refused := _goes_on_with_discards(table):
        raise refused


def _first_person(table: Table) -> Giver:
    asked = table.entering.void_asked
    if asked is None:
        raise Refused("no void waits to be confirmed", short="NO VOID WAITS")
    return asked


def _end_asking(table: Table) -> None:
    table.entering.await_void(None)
    table.holds.end_where(lambda held: held.fault == VOID_UNCONFIRMED)


def _void(table: Table) -> None:
    assert table.rnd
    begins = table.rules.deal.round_begins
    if begins.value == "first_card" and not table.dealing.drawn:
        shuffling.take_call_back(table)
        _end_rounds_holds(table)
        said = "bets were opened again meanwhile"
        table.refuse_pending(Refused(said, short="BETS ARE OPEN", code="bets-opened-meanwhile"))
        table.note(f"the round has not begun: the wagers stand ({begins.clause})")
        return
    if table.irregularity_open:
        after = play.take_step(table.rnd, Void())
    else:
        after = play.void(table.rnd, table.rules.settled_by["void"])
    table.outcome.notes += [f"reversed by void: {line}" for line in settled_lines(table.rnd)]
    table.dealing.drop_kept()
    table.dealing.update(after)
    for loose in table.holds.cards:
        cards_in.count(table, loose)
    _end_rounds_holds(table)
    table.entering.leave_over(table.round_number)
    table.refuse_pending(Refused("the round was voided meanwhile", short="ROUND VOIDED"))


def _end_rounds_holds(table: Table) -> None:
    """End the holds of the void round; those of the controller stay."""
    table.holds.end_where(lambda held: not holds.of_the_controller(held))
