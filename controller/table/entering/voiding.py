"""``void``: the round is void, and every wager returned.

Where a multiplier was drawn in the round, a second person confirms it: one who dislikes a figure
must not be able to make it vanish alone. Until then, or until it is cancelled, play is held. (In a
round opened before, one person is enough.)
"""

from __future__ import annotations

from typing import Final

from controller.round import looks, play
from controller.round.refusal import Refused
from controller.round.result import settled_lines
from controller.round.steps.step import Step
from controller.table import sequence
from controller.table.command_reading import SupervisorCommand
from controller.table.dealing import cards_in, irregularities, squeezing
from controller.table.holds import conditions
from controller.table.holds.holding import hold
from controller.table.shoe import shuffling
from controller.table.state.holds import VOID_UNCONFIRMED, Hold
from controller.table.state.table import Table

CONFIRM, CANCEL = "confirm void", "cancel void"
ANSWERS: Final = (CONFIRM, CANCEL)
"""What a supervisor may say while a void waits for a second person."""

KEY_SWITCH: Final = "key switch"
"""Who gives a command by the keypad's key switch."""


def ask(table: Table, user: str) -> None:
    """Void the round; or hold play until a second person confirms it.

    Raises:
        Refused: there is no round that could be void.
    """
    sequence.check(table, "void")
    assert table.rnd
    if not looks.drawn_and_seen(table.rnd):
        _void(table)
        return
    table.entering.ask_void(user)
    said = f"{user} asks for the round to be void after a multiplier was drawn"
    hold(table, Hold(VOID_UNCONFIRMED, f"{said}: another person confirms it, or it is cancelled"))


def confirm(table: Table, user: str) -> None:
    """``confirm void``: a second person agrees.

    Raises:
        Refused: no void waits, or the same person asked for it.
    """
    _check_asked(table)
    if table.entering.void_asked == user:
        who = f"the {user}" if user == KEY_SWITCH else user
        raise Refused(f"{who} asked for it: another person confirms it", short="ANOTHER PERSON")
    _end_asking(table)
    _void(table)


def cancel(table: Table) -> None:
    """``cancel void``: play goes on as if it had not been asked for.

    Raises:
        Refused: no void waits.
    """
    _check_asked(table)
    _end_asking(table)


def check_not_asked(table: Table, order: SupervisorCommand) -> None:
    """Check that no void waits for its answer, or that this is one.

    Raises:
        Refused: it is another command.
    """
    if table.entering.void_asked is not None and order.verb not in ANSWERS:
        raise Refused(
            f"{table.reason}: permitted are {', '.join(ANSWERS)}", short="VOID: YES OR NO?"
        )


def _check_asked(table: Table) -> None:
    if table.entering.void_asked is None:
        raise Refused("no void waits to be confirmed", short="NO VOID WAITS")


def _end_asking(table: Table) -> None:
    table.entering.end_asking_void()
    table.holds.end(lambda held: held.fault == VOID_UNCONFIRMED)


def _void(table: Table) -> None:
    assert table.rnd
    begins = table.rules.deal.round_begins
    if begins.value == "first_card" and not table.dealing.drawn:
        shuffling.take_call_back(table)
        _end_rounds_holds(table)
        table.refuse_pending(Refused("bets were opened again meanwhile", short="BETS ARE OPEN"))
        table.note(f"the round has not begun: the wagers stand ({begins.clause})")
        return
    if irregularities.is_open(table):
        after = play.take_step(table.rnd, Step("void"))
    else:
        after = play.void(table.rnd, table.rules.settled_by["void"])
    table.outcome.notes += [f"reversed by void: {line}" for line in settled_lines(table.rnd)]
    squeezing.give_up(table)
    table.dealing.update(after)
    for loose in table.holds.cards:
        cards_in.count(table, loose)
    _end_rounds_holds(table)
    table.entering.leave_over(table.round_number)
    table.refuse_pending(Refused("the round was voided meanwhile", short="ROUND VOIDED"))


def _end_rounds_holds(table: Table) -> None:
    """End the holds of the void round; those of the controller stay."""
    table.holds.end(lambda held: not conditions.of_the_controller(held))
