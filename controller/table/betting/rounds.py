"""Between rounds: bets are opened, wagers entered, bets closed, the table cleared.

Occupied boxes and their main wagers stay from round to round; side wagers are entered anew. A
wager's amount may be left out. Pandemonium wagers need the jackpot unit, when they are entered and
when bets are closed. Settings that came with a start in mid-round hold from the next round on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.round.play import begin
from controller.round.refusal import Refused
from controller.round.steps.step import Seat
from controller.round.wagers import Sheet, check_sheet, check_wager
from controller.table.betting import opening
from controller.table.entering.entries import WagerEntry
from controller.table.settings import Settings
from controller.table.shoe import burning

if TYPE_CHECKING:
    from controller.table.table import Table


def open_bets(table: Table) -> None:
    """``open``: a new round; clears the one before where that was not said."""
    if table.phase not in ("idle", "ended"):
        raise Refused(
            f"bets cannot be opened now ({table.state})",
            table.clause,
            short="BETS ARE OPEN" if table.phase == "betting" else "ROUND NOT OVER",
        )
    if refused := opening.refused(table):
        raise refused
    table.save("open")
    if table.phase == "ended":
        clear(table)
    table.phase = "betting"
    table.round_number += 1


def next_round(table: Table) -> None:
    """``next``: the round is cleared."""
    if table.phase != "ended":
        raise Refused(f"the round is not over ({table.state})", table.clause, "ROUND NOT OVER")
    table.save("next")
    clear(table)


def clear(table: Table) -> None:
    """The round is cleared away; what it leaves to the next one stays."""
    table.phase, table.rnd, table.offer = "idle", None, None
    table.drawn, table.draws = [], []
    table.squeezed = frozenset()
    table.sheet.clear_side_wagers()
    if table.next_settings is not None:
        adopt(table, table.next_settings)


def jackpot_trouble(table: Table) -> str:
    """Why there can be no Pandemonium wagers; empty when there can."""
    if not table.has("jackpot"):
        return "this table has no jackpot unit"
    return table.devices["jackpot"].trouble()


def wager(table: Table, entry: WagerEntry) -> None:
    """``wager BOX KIND [AMOUNT]``: sets it, or takes it out with 0."""
    rules, settings = table.rules, table.settings
    if table.phase != "betting":
        raise Refused(
            f"no wager may be placed, changed or taken out now ({table.state})",
            rules.betting.closed.clause,
            "BETS NOT OPEN",
        )
    seat, bettor = entry.seat, entry.seat.bettor or "a"
    if entry.kind == "pandemonium" and entry.stake != 0 and (trouble := jackpot_trouble(table)):
        raise Refused(f"no Pandemonium wagers: {trouble}", short="JACKPOT IS DOWN")
    check_wager(rules, settings.limits, entry.kind, seat.box, bettor, entry.stake, settings.boxes)
    table.save(f"wager {seat} {entry.kind}")
    table.sheet.set(entry.kind, seat.box, bettor, entry.stake)


def close_refused(table: Table) -> Refused | None:
    """Why bets may not be closed on the wagers and the cards as they are."""
    if refused := opening.refused(table) or burning.close_refused(table):
        return refused
    try:
        check_sheet(table.rules, table.sheet)
    except Refused as refused:
        return refused
    if table.sheet.count("pandemonium") and (trouble := jackpot_trouble(table)):
        return Refused(
            f"{trouble}: take the Pandemonium wagers out or wait for it", short="JACKPOT IS DOWN"
        )
    return None


def close_bets(table: Table) -> None:
    """``close``: no more bets; cards follow."""
    if table.phase != "betting":
        raise Refused(f"bets are not open ({table.state})", table.clause, "BETS NOT OPEN")
    refused = close_refused(table)
    if refused is not None:
        raise refused
    table.save("close")
    table.rnd = begin(table.rules, table.settings.limits, table.sheet)
    table.phase = "playing"
    table.drawn, table.draws, table.told = [], [], 0
    table.offer = None
    burning.closed(table)


def adopt(table: Table, settings: Settings) -> None:
    """Play under these settings from now on; wagers that they do not know go, and that is told."""
    if table.started and table.rules.id != settings.rules.id:
        if table.sheet.boxes:
            table.outcome.notes.append("the rules have changed: every wager is taken out")
        table.sheet = Sheet()
    for kind, boxes in table.sheet.wagers.items():
        for box, bettors in list(boxes.items()):
            for bettor, stake in list(bettors.items()):
                try:
                    check_wager(
                        settings.rules, settings.limits, kind, box, bettor, stake, settings.boxes
                    )
                except Refused as refused:
                    table.sheet.set(kind, box, bettor, 0)
                    seat = Seat(box, bettor)
                    told = f"the wager {kind} of {seat} is taken out: {refused.reason}"
                    table.outcome.notes.append(told)
    table.adopted, table.next_settings = settings, None
