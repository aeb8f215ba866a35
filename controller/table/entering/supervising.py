"""The supervisor's commands: end a hold, name a card, give a remedy or a correction.

The journal stores every command with the person's name and reason. Corrections, voiding a round,
confirming a figure that the meter does not report, and paying one that it does not show require
both. The keypad's key switch gives itself for a name and a numbered reason; it can void a round
but pay nothing. Voiding a round is in :mod:`~.voiding`.
"""

from __future__ import annotations

from controller.faults import catalogue
from controller.game.round.refusal import Refused
from controller.game.round.steps.remedies import Correction, Discard, Use, VoidHand
from controller.game.round.steps.step import Malformed
from controller.table import sequence
from controller.table.betting import opening
from controller.table.command_reading import SupervisorCommand, read_supervisor_command
from controller.table.dealing import correcting, irregularities, putting_right
from controller.table.entering import undo, voiding, waiting_cards
from controller.table.entering.supervisors_list import commands_text, may_end
from controller.table.events.of_people import SupervisorCommanded
from controller.table.holds import conditions
from controller.table.jackpot import without_meter
from controller.table.outcome import CommandResult
from controller.table.people import KEY_SWITCH, Who
from controller.table.service import mode
from controller.table.shoe import book, card_sets, shuffling
from controller.table.state.table import Table

NEEDS_WHY = frozenset(
    {
        "void",
        "void-hand",
        "reconstruct",
        "correct",
        "lies",
        "wager",
        "done",
        "pay",
        "seen",
        "play-on",
        "clear-set",
        "close-table",
        "open-table",
    }
)
NEEDS_BY = frozenset({"shift", "confirm void"})
_NEEDS = "needs who and why: --by NAME --why TEXT"


def supervisor(table: Table, event: SupervisorCommanded) -> None:
    """A supervisor's command.

    Raises:
        Refused: not permitted now.
        Malformed: it cannot be parsed, or lacks name and reason where they are required.
    """
    order = read_supervisor_command(event.command)
    if order.verb != mode.OFF:
        mode.check_not(table)
    by, why = event.by, event.why
    named = bool(by and why)
    if order.verb == voiding.CONFIRM and by == KEY_SWITCH:
        raise Malformed(
            f"{by!r} is the keypad's name: expected a person's, --by NAME", "reserved-name"
        )
    if order.verb in NEEDS_WHY and not named:
        raise Malformed(f"{order.verb} {_NEEDS}", "say-who-and-why")
    if order.verb in NEEDS_BY and not by:
        raise Malformed(f"{order.verb} needs who gives it: --by NAME", "say-who")
    if order.verb == "resume" and not named and (unnamed := _unnamed(table)):
        raise Malformed(f"{unnamed}: resume {_NEEDS}", "say-who-and-why")
    answer = table.entering.keypad.says
    carry_out(table, order, named=named, who=event.who)
    table.changed_elsewhere(answer)
    table.entering.entries += 1
    said = event.command + (f" by {by}" if by else "") + (f": {why}" if why else "")
    table.note(f"supervisor: {said}")
    table.outcome.answered.append(CommandResult(table.entering.entries))


def carry_out(table: Table, order: SupervisorCommand, *, named: bool, who: Who) -> None:
    """Carry out the command of a supervisor, ``who``; one that is refused changes nothing.
    ``named``: name and reason are given."""
    voiding.check_not_asked(table, order)
    with undo.whole(table, str(order)):
        edits = _judge_first(table, order, named=named)
        _carry_out(table, order, named=named, who=who)
    correcting.count_again(table, edits)
    table.entering.forget_saved()


def _judge_first(table: Table, order: SupervisorCommand, *, named: bool) -> tuple[Correction, ...]:
    """Have corrections judged before any other command, and a round that was cleared away brought
    back for one; the corrections that were judged. What the dealer began takes settlements back
    only where name and reason are given."""
    step = order.step
    if step is not None and sequence.may(table, "bring_back"):
        sequence.pull(table, "bring_back")
        table.dealing.bring_back_cleared()
    rnd = table.rnd
    more = isinstance(step, Correction)
    if rnd is None or not rnd.irregular.edits or more or order.verb in ("void", *voiding.ANSWERS):
        return ()
    if correcting.wait_behind(rnd, step):
        return ()
    if order.verb == "done":
        table.dealing.end_correction()
    try:
        correcting.judge(table, by_dealer=not named)
    except Refused:
        if order.verb != "resume":
            raise
        return ()  # they wait on: it ends a hold, and plays nothing
    return rnd.irregular.edits


def _carry_out(table: Table, order: SupervisorCommand, *, named: bool, who: Who) -> None:
    match order.verb:
        case "done":
            pass  # the corrections are judged
        case _ if isinstance(order.step, VoidHand) and voiding.takes_two(table, order.step):
            voiding.ask_hand(table, order.step, who)
        case _ if order.step is not None:
            putting_right.supervisor_step(table, order.step, named=named)
        case "use" | "discard" if irregularities.is_open(table):
            remedy = Use() if order.verb == Use.verb else Discard()
            putting_right.supervisor_step(table, remedy)
        case "resume":
            _resume(table, named=named)
        case "void":
            voiding.ask(table, who)
        case "confirm void":
            voiding.confirm(table, who)
        case "cancel void":
            voiding.cancel(table)
        case "card":
            waiting_cards.name_card(table, order)
        case "use":
            waiting_cards.use(table)
        case "discard":
            waiting_cards.discard(table)
        case "pay":
            without_meter.pay(table, order.number)
        case "seen":
            without_meter.seen(table, order.number)
        case "play-on":
            shuffling.play_on(table)
        case "clear-set":
            card_sets.clear(table, order.number)
        case "close-table":
            opening.close_table(table)
        case "open-table":
            opening.open_table(table)
        case mode.ON:
            mode.begin(table)
        case mode.OFF:
            mode.end(table)
        case _:
            assert order.verb == "shift"
            opening.begin_shift(table)


def _unnamed(table: Table) -> str:
    """What ``resume`` may end only with a name and a reason, in words; empty where nothing is."""
    may = (held for held in table.holds.standing if may_end(table, held))
    named = [held.reason for held in may if conditions.needs_name(held)]
    accepting = [catalogue.fault_of(code).text for code in conditions.to_accept(table)]
    return next(iter([*named, *accepting]), "")


def _resume(table: Table, *, named: bool) -> None:
    accepting = conditions.to_accept(table)
    if table.hold is None and not accepting:
        raise Refused("the table is not held", short="NOT HELD")
    ending = [held for held in table.holds.standing if may_end(table, held)]
    if not named and (unnamed := _unnamed(table)):
        raise Refused(f"{unnamed}: resume {_NEEDS}", short="SAY WHO AND WHY")
    if table.hold is None:
        table.outcome.ended = accepting  # who has found them sees to it that they end
        return
    if irregularities.is_open(table):
        putting_right.resume(table)
    elif table.hold.cards:
        raise Refused(
            f"{table.hold.reason}: permitted are {commands_text(table)}", short="CARD COMES FIRST"
        )
    elif not ending:
        cure = catalogue.fault_of(table.hold.fault).next_step
        raise Refused(f"{table.hold.reason}, still. {cure}", short="CAUSE REMAINS")
    if any(held.fault == book.FAULT for held in ending):
        book.accept(table)
    ended = [
        held
        for held in table.holds.standing
        if not (held.irregular or conditions.uncured(table, held))
    ]
    table.outcome.ended = [held.fault for held in ended]
    table.holds.end(lambda held: held in ended)
    table.holds.resume()
