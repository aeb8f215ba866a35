"""Between rounds: the table and bets are opened and closed, wagers entered, the table cleared.

Occupied boxes and their main wagers stay from round to round; side wagers are entered again for
each round. A wager's amount may be left out. Wagers that the button settles need the jackpot unit,
both when they are entered and when bets are closed. Settings from a start in mid-round apply from
the next round on. Main wagers below the minimum are in :mod:`~.below_minimum`.

A table that was never closed is simply ``idle``. ``close-table`` (supervisor, between rounds)
removes the wagers and reports what remains in the shoe; the state is ``closed`` and nothing is
dealt. The table opens when two persons have checked the cards independently (Division 15, 6.1), in
either order: the supervisor with ``open-table``, the dealer with ``inspected``. Then a shuffled
shoe is loaded before the first bets (7.1(a)).
"""

from __future__ import annotations

from dataclasses import replace

from controller.game.commands.command import Command
from controller.game.commands.values import Seat
from controller.game.round import play
from controller.game.round.amounts import check_added, check_boxes
from controller.game.round.refusal import Refused, refusal_of
from controller.game.round.wagers import MAIN, Sheet, check_persons, check_sheet, check_wager
from controller.table import below_minimum, jackpot, sequence
from controller.table.settings import Settings
from controller.table.shoe import book, cutting, shuffling
from controller.table.state.parts import Phase
from controller.table.state.table import Table


def open_bets(table: Table) -> None:
    """``open``: begins a new round; clears the one before where ``next`` was not entered."""
    sequence.check(table, "open")
    if refused := shuffling.cards_refused(table):
        raise refused
    if table.phase is Phase.ENDED:
        clear(table)
    sequence.pull(table, "open")
    table.dealing.forget_cleared()
    table.course.round_number += 1
    table.jackpot.begin_round()


def next_round(table: Table) -> None:
    """``next``."""
    sequence.check(table, "next")
    clear(table)
    sequence.pull(table, "next")


def clear(table: Table) -> None:
    """Clear the round; what it leaves for the next one stays."""
    below_minimum.remember(table)
    table.dealing.clear()
    table.jackpot.withdraw()
    table.betting.sheet.clear_side_wagers()
    if table.setup.next_settings is not None:
        table.dealing.forget_cleared()
        adopt(table, table.setup.next_settings)


def wager(table: Table, said: Command) -> None:
    """``wager BOX KIND [AMOUNT]``: sets a wager, or removes it with 0."""
    rules, settings, sheet = table.rules, table.settings, table.betting.sheet
    seat, kind, stake = said.seat, said.kind, said.amount
    assert seat
    sequence.check(table, "wager")
    bettor = seat.bettor or "a"
    rule = rules.side_wagers.get(kind)
    if rule and rule.at_button and stake != 0 and (trouble := jackpot.trouble(table)):
        raise Refused(f"no {rule.name} wagers: {trouble}", short="JACKPOT IS DOWN")
    limits = below_minimum.limits_for(table, kind, stake)
    check_wager(rules, limits, kind, seat.box, bettor, stake, settings.boxes)
    if kind == MAIN:
        check_added(rules, limits, sheet, seat.box, bettor, stake)
    elif stake != 0:
        check_persons(rules, kind, seat.box, len({*sheet.of_box(kind, seat.box), bettor}))
    sheet.set(kind, seat.box, bettor, stake)
    if below_minimum.is_below(table, kind, stake):
        table.note(below_minimum.wager_note(table, seat.box, bettor))


def close_refused(table: Table) -> Refused | None:
    """The reason against closing bets on the present wagers and cards; None where there is none."""
    if refused := shuffling.cards_refused(table) or shuffling.close_refused(table):
        return refused
    sheet, _ = below_minimum.returned_at_close(table)
    if refused := below_minimum.refused(table, sheet):
        return refused
    if refused := refusal_of(check_sheet, table.rules, sheet) or too_much(table):
        return refused
    kind = table.rules.button_wager
    if kind and sheet.count(kind) and (trouble := jackpot.trouble(table)):
        name = table.rules.side_wagers[kind].name
        return Refused(
            f"{trouble}: take the {name} wagers out or wait for it", short="JACKPOT IS DOWN"
        )
    return None


def too_much(table: Table) -> Refused | None:
    """The main wagers on a box that are above its maximum, which are to be taken back before bets
    are closed; None where there are none."""
    sheet, _ = below_minimum.returned_at_close(table)
    return refusal_of(check_boxes, table.rules, table.settings.limits, sheet)


def close_bets(table: Table) -> None:
    """``close``: no more bets; cards follow."""
    sequence.check(table, "close")
    if refused := close_refused(table):
        raise refused
    betting = table.betting
    betting.sheet, betting.returned = below_minimum.returned_at_close(table)
    if betting.returned:
        table.note(f"returned: {below_minimum.returned(table)}")
    rnd = play.begin_round(table.rules, table.settings.limits, table.betting.sheet)
    table.dealing.begin_round(rnd)
    table.jackpot.begin_round()
    sequence.pull(table, "close")
    shuffling.note_unburned(table)


def side_counts(table: Table) -> dict[str, int]:
    """The number of side wagers of each kind of which there are some."""
    counts = {kind: table.betting.sheet.count(kind) for kind in table.rules.side_wagers}
    return {kind: count for kind, count in counts.items() if count}


def side_wagers(table: Table) -> str:
    """The same in words."""
    names = table.rules.side_wagers
    counts = [f"{count} {names[kind].name}" for kind, count in side_counts(table).items()]
    return f"; side wagers: {', '.join(counts)}" if counts else "; no side wagers"


def short_count(table: Table) -> str:
    """The number of boxes and side wagers for a keypad's row: ``3 BOX 2 PAIR 1 PAN``."""
    sheet, kinds = table.betting.sheet, table.rules.side_wagers.items()
    words = [f"{sheet.count(kind)} {rule.short}" for kind, rule in kinds]
    return " ".join([f"{len(sheet.wagers[MAIN])} BOX", *words])


def adopt(table: Table, settings: Settings) -> None:
    """Play under these settings from now on; wagers that they do not permit are removed and
    reported."""
    if table.started and table.rules.id != settings.rules.id:
        if table.betting.sheet.boxes:
            table.note("the rules have changed: every wager is taken out")
        table.betting.sheet, table.betting.settled_below = Sheet(), frozenset()
    for kind in (MAIN, *(table.rules.side_wagers if table.started else ())):
        for box, bettors in list(table.betting.sheet.wagers.get(kind, {}).items()):
            for bettor, stake in list(bettors.items()):
                limits = settings.limits
                if below_minimum.is_below(table, kind, stake):  # it was taken as such
                    limits = replace(limits, min=min(stake or 0, limits.min))
                more = (kind, box, bettor, stake, settings.boxes)
                if refused := refusal_of(check_wager, settings.rules, limits, *more):
                    table.betting.sheet.set(kind, box, bettor, 0)
                    where = Seat(box, bettor)
                    table.note(f"the wager {kind} of {where} is taken out: {refused.reason}")
    table.setup.adopt(settings)


DEALER, SUPERVISOR = "dealer", "supervisor"


def close_table(table: Table) -> None:
    """``close-table``: no gaming until the table is opened again."""
    sequence.check(table, "close_table")
    if table.phase is Phase.ENDED:
        clear(table)
    sequence.pull(table, "close_table")
    table.betting.sheet, table.betting.settled_below = Sheet(), frozenset()
    table.course.checked = frozenset()
    count = book.remaining(table)
    cards = "an unknown number of" if count is None else str(count)
    table.note(f"the table is closed; {cards} cards remain in the shoe")
    table.shoe.shuffle_due(table.round_number, cutting.CLOSED)


def check_cards(table: Table, by: str) -> None:
    """``open-table``: the supervisor has checked the cards; ``inspected``: the dealer has."""
    sequence.check(table, "inspect")
    if by in table.course.checked:
        raise Refused(f"the {by} has checked the cards already", short="CHECKED ALREADY")
    table.course.checked |= {by}
    sequence.pull(table, "inspect")
    if table.phase is Phase.IDLE:
        table.note("the table is open: dealer and supervisor have checked")


def begin_shift(table: Table) -> None:
    """``shift``: what is counted from now on belongs to a new shift (:mod:`controller.counters`). A
    round that is not cleared could still be changed by ``undo``, so it must be cleared first."""
    sequence.check(table, "shift")
    table.note("a shift begins")


def awaited(table: Table) -> list[str]:
    """Who must still check the cards of a closed table."""
    return [by for by in (SUPERVISOR, DEALER) if by not in table.course.checked]
