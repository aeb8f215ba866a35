"""The supervisor's commands: what is permitted now, and what each does.

The journal stores every command with the person's name and reason. Corrections, voiding a round,
confirming a figure that the meter does not report, and paying one that it does not show require
both. The keypad's key switch gives itself for a name and a numbered reason; it pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from controller.faults import catalogue
from controller.faults.model import Clears
from controller.game.commands.command import Command
from controller.game.commands.slots import CARD
from controller.game.commands.values import Malformed
from controller.game.commands.verbs import SUPERVISORS, Fact, Family, those
from controller.game.round import remedies
from controller.game.round.irregular.options import supervisors_options
from controller.game.round.refusal import Refused
from controller.table import betting, holds, jackpot, sequence, service
from controller.table.dealing import cards_in, correcting, irregularities, putting_right, voiding
from controller.table.dealing.cards_in import EXCESS_FAULT, FOREIGN_FAULT, UNREAD_FAULT
from controller.table.entering import commands
from controller.table.entering.commands import DONE
from controller.table.events.of_people import KEY_SWITCH, Giver, SupervisorCommanded
from controller.table.outcome import CommandResult
from controller.table.shoe import book, card_sets, shuffling
from controller.table.state.cards import LooseCard
from controller.table.state.holds import Hold
from controller.table.state.table import Table

_NEEDS: Final = "needs who and why: --by NAME --why TEXT"
NAME_CARD: Final = Command("card", open=(CARD.name,))
USE, DISCARD, VOID = (kind().command for kind in (remedies.Use, remedies.Discard, remedies.Void))


def supervisor_commands(table: Table) -> list[Command]:
    """The supervisor's commands permitted now, with values filled in where only one fits."""
    if table.in_service:
        return [service.OFF]
    if table.entering.void_asked is not None:
        return voiding.answers(table)
    found: list[Command] = []
    hold = table.hold
    if hold and hold.fault == "overdraw":
        return [DISCARD]
    if table.irregularity_open:
        found += irregularities.remedy_commands(table)
    elif hold and hold.cards:
        if hold.fault == UNREAD_FAULT:
            found.append(NAME_CARD)
        elif hold.fault not in (FOREIGN_FAULT, EXCESS_FAULT):
            if table.card_expected:
                found.append(USE)
            found.append(DISCARD)
        elif not table.mid_round or irregularities.may_put_away(table, hold.cards[0]):
            found.append(DISCARD)
    elif any(_may_end(table, held) for held in table.holds.standing):
        found.append(irregularities.RESUME)
    if table.rnd and table.rnd.irregular.options and not table.hold:
        found += (step.command for step in supervisors_options(table.rnd))
    if table.corrections and not correcting.refused(table, by_dealer=False):
        found.append(DONE)
    found += jackpot.meter_commands(table)
    if voiding.is_possible(table) and not table.irregularity_open:
        found.append(VOID)
    return found


def _permitted(table: Table) -> str:
    return ", ".join(map(str, supervisor_commands(table))) or "nothing"


def _may_end(table: Table, held: Hold) -> bool:
    return not (held.irregular or held.cards or holds.uncured(table, held))


def supervisor(table: Table, event: SupervisorCommanded) -> None:
    """A supervisor's command; Refused where it is not permitted now, Malformed where it cannot be
    parsed, or lacks name and reason where they are required."""
    order = event.said_command
    if order != service.OFF:
        sequence.check_not_in_service(table)
    by, why = event.by, event.why
    named = bool(by and why)
    if order == voiding.CONFIRM and by == KEY_SWITCH:
        raise Malformed(
            f"{by!r} is the keypad's name: expected a person's, --by NAME", "reserved-name"
        )
    if order.verb in those(Fact.WHY) and not named:
        raise Malformed(f"{order.verb} {_NEEDS}", "say-who-and-why")
    if order.verb in those(Fact.NAME) and not by:
        raise Malformed(f"{order} needs who gives it: --by NAME", "say-who")
    if order.verb == "resume" and not named and (unnamed := _unnamed(table)):
        raise Malformed(f"{unnamed}: resume {_NEEDS}", "say-who-and-why")
    answer = table.entering.keypad.says
    carry_out(table, order, named=named, who=event.giver)
    table.changed_elsewhere(answer)
    table.entering.entries += 1
    said = event.command + (f" by {by}" if by else "") + (f": {why}" if why else "")
    table.note(f"supervisor: {said}")
    table.outcome.answered.append(CommandResult(table.entering.entries))


def carry_out(table: Table, order: Command, *, named: bool, who: Giver) -> None:
    """Carry out the command of a supervisor, ``who``; one that is refused changes nothing.
    ``named``: name and reason are given."""
    _check_void_answered(table, order)
    step = _step_of(order)
    with commands.all_or_nothing(table, order):
        edits = _judge_first(table, order, step, named=named)
        _carry_out(table, order, step, named=named, who=who)
    correcting.count_again(table, edits)
    table.entering.forget_saved()


def _check_void_answered(table: Table, order: Command) -> None:
    """Check that no void waits for its answer, or that this is one; raises :class:`Refused`."""
    if table.entering.void_asked is not None and order not in voiding.ANSWERS:
        raise Refused(
            f"{table.reason}: permitted are {voiding.CONFIRM}, {voiding.CANCEL}",
            short="VOID: YES OR NO?",
            code="void-waits",
        )


def _step_of(order: Command) -> remedies.PutsRight | None:
    """The report, remedy or correction that it is; None where it is about the table: to void the
    round, or what becomes of a card that waits where no irregularity is open."""
    if SUPERVISORS[order.verb].part is not Family.WRONG or order in (USE, DISCARD, VOID):
        return None
    step = remedies.step_of(order)
    assert isinstance(step, remedies.PutsRight)
    return step


def _judge_first(
    table: Table, order: Command, step: remedies.PutsRight | None, *, named: bool
) -> tuple[remedies.Correction, ...]:
    """Have corrections judged before any other command, and a round that was cleared away brought
    back for one; the corrections that were judged. What the dealer began takes settlements back
    only where name and reason are given."""
    if step is not None and sequence.may(table, "bring_back"):
        sequence.pull(table, "bring_back")
        table.dealing.bring_back_cleared()
    rnd = table.rnd
    more = isinstance(step, remedies.Correction)
    if rnd is None or not rnd.irregular.edits or more or order in (VOID, *voiding.ANSWERS):
        return ()
    if correcting.wait_behind(rnd, step):
        return ()
    if order == DONE:
        table.dealing.end_correction()
    try:
        correcting.judge(table, by_dealer=not named)
    except Refused:
        if order.verb != "resume":
            raise
        return ()  # they wait on: it ends a hold, and plays nothing
    return rnd.irregular.edits


def _carry_out(
    table: Table, order: Command, step: remedies.PutsRight | None, *, named: bool, who: Giver
) -> None:
    if isinstance(step, remedies.VoidHand) and voiding.takes_two(table, step):
        voiding.ask_hand(table, step, who)
    elif step is not None:
        putting_right.supervisor_step(table, step, named=named)
    elif order == VOID:
        voiding.ask_for_void(table, who)
    elif order == voiding.CONFIRM:
        voiding.confirm(table, who)
    elif order == irregularities.RESUME:
        _resume(table, named=named)
    elif order != DONE:  # the corrections are judged
        _OF_TABLE[order.verb](table, order)


def _first_waiting(table: Table) -> LooseCard:
    if not table.holds.cards:
        raise Refused("no card waits for the supervisor", short="NO CARD WAITS")
    return table.holds.cards[0]


def _name_card(table: Table, order: Command) -> None:
    """``card CARD``: the card that waits and was not read is that one."""
    card = order.card
    assert card
    if table.irregularity_open:
        said = f"the card that waits is not the first: permitted are {_permitted(table)}"
        raise Refused(said, short="REMEDY FIRST")
    first = _first_waiting(table)
    if first.card is not None or first.foreign:
        said = f"the card that waits was read: {first}; permitted are {_permitted(table)}"
        raise Refused(said, short="CARD WAS READ")
    correcting.check(table, card, "NO TENS IN SET")
    first.name(card)
    cards_in.work_off(table, table.holds.take_cards())


def _use_or_discard(table: Table, order: Command) -> None:
    """``use``, ``discard``: the card that waits is played, or put away."""
    if table.irregularity_open:
        step = remedies.Use() if order == USE else remedies.Discard()
        putting_right.supervisor_step(table, step)
        return
    first, may = _first_waiting(table), order in supervisor_commands(table)
    if order == DISCARD:
        if not may:
            said = f"the card cannot be discarded: permitted are {_permitted(table)}"
            raise Refused(said, short="CANNOT DISCARD")
        cards_in.discard_first(table)
        return
    if not may:
        said = f"the card cannot be used: permitted are {_permitted(table)}"
        raise Refused(said, short="CANNOT BE USED")
    first.permit()
    cards_in.work_off(table, table.holds.take_cards())


def _unnamed(table: Table) -> str:
    """What ``resume`` may end only with a name and a reason, in words; empty where nothing is."""
    may = (held for held in table.holds.standing if _may_end(table, held))
    named = [one.reason for one in may if catalogue.fault_of(one.fault).clears is Clears.NAMED]
    accepting = [catalogue.fault_of(code).text for code in holds.to_accept(table)]
    return next(iter([*named, *accepting]), "")


def _resume(table: Table, *, named: bool) -> None:
    accepting = holds.to_accept(table)
    if table.hold is None and not accepting:
        raise Refused("the table is not held", short="NOT HELD")
    ending = [held for held in table.holds.standing if _may_end(table, held)]
    if not named and (unnamed := _unnamed(table)):
        raise Refused(f"{unnamed}: resume {_NEEDS}", short="SAY WHO AND WHY")
    if table.hold is None:
        table.outcome.ended = accepting  # who has found them sees to it that they end
        return
    if table.irregularity_open:
        putting_right.resume(table)
    elif table.hold.cards:
        said = f"{table.hold.reason}: permitted are {_permitted(table)}"
        raise Refused(said, short="CARD COMES FIRST")
    elif not ending:
        cure = catalogue.fault_of(table.hold.fault).next_step
        raise Refused(f"{table.hold.reason}, still. {cure}", short="CAUSE REMAINS")
    if any(held.fault == book.FAULT for held in ending):
        book.accept(table)
    ended = [
        held for held in table.holds.standing if not (held.irregular or holds.uncured(table, held))
    ]
    table.outcome.ended = [held.fault for held in ended]
    table.holds.end_where(lambda held: held in ended)
    table.holds.resume()


_OF_TABLE: Final[Mapping[str, Callable[[Table, Command], None]]] = {
    "cancel": lambda table, _: voiding.cancel(table),
    "card": _name_card,
    "use": _use_or_discard,
    "discard": _use_or_discard,
    "pay": jackpot.go_on_without_meter,
    "seen": jackpot.go_on_without_meter,
    "play-on": lambda table, _: shuffling.play_on(table),
    "clear-set": lambda table, order: card_sets.clear(table, order.number),
    "close-table": lambda table, _: betting.close_table(table),
    "open-table": lambda table, _: betting.check_cards(table, betting.SUPERVISOR),
    "service": service.switch,
    "shift": lambda table, _: betting.begin_shift(table),
}
"""What his commands do that are about the table, by their verbs."""
