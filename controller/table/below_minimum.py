"""Main wagers below the table's minimum, where the document says what becomes of one that was not
noticed (``betting.below_minimum``).

RWS Pontoon Plus (5.2.1, 5.1.2) plays it as it is. At Marina Bay Sands (5.26) it wins or loses once,
and "all future wagers … by the same Player" below the minimum are returned. The table knows a
player by box and letter alone, so:

- box and letter are remembered once such a wager was won, lost or stood off; in a void round, or
  given back, it was not;
- a wager of at least the minimum is taken as usual and ends nothing, for the text says all future
  wagers of that player;
- a round in which the letter places no wager does: another person may sit there by then.

A wager that is returned at the close takes the side wagers with it that may not be without one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.game.commands.values import Stake, brief_amount, write_amount
from controller.game.round.refusal import Refused
from controller.game.round.wagers import MAIN, Limits, Sheet
from controller.table.state.parts import Returned
from controller.table.state.table import Table

NO_OUTCOME: Final = frozenset({"returned", "reversed"})


def limits_for(table: Table, kind: str, stake: Stake) -> Limits:
    """The limits that a wager is judged by: without the minimum where it is taken all the same."""
    limits = table.settings.limits
    return replace(limits, min=stake) if stake and is_below(table, kind, stake) else limits


def is_below(table: Table, kind: str, stake: Stake) -> bool:
    """Whether it is a wager below the minimum that the document has taken."""
    taken = table.rules.betting.below_minimum.value != "refused"
    return taken and kind == MAIN and stake is not None and 0 < stake < table.settings.limits.min


def seats(table: Table) -> tuple[list[str], list[str]]:
    """The boxes and letters of such wagers: those that are played, and those that go back at the
    close."""
    played: list[str] = []
    back: list[str] = []
    for box in sorted(table.betting.sheet.wagers[MAIN]):
        for bettor, stake in table.betting.sheet.of_box(MAIN, box).items():
            if is_below(table, MAIN, stake):
                known = (box, bettor) in table.betting.settled_below
                (back if known else played).append(f"{box}{bettor}")
    return played, back


def returned_at_close(table: Table) -> tuple[Sheet, tuple[Returned, ...]]:
    """The wagers that are played if bets are closed now, and those that go back."""
    sheet, back = table.betting.sheet.clone(), []
    for box, bettor in sorted(table.betting.settled_below):
        stake = sheet.of_box(MAIN, box).get(bettor)
        if is_below(table, MAIN, stake):
            back.append((box, bettor, MAIN, stake))
            sheet.set(MAIN, box, bettor, 0)
            back += _sides(table, sheet, box, bettor)
    return sheet, tuple(back)


def _sides(table: Table, sheet: Sheet, box: int, bettor: str) -> list[Returned]:
    """Take out the side wagers that may not be without that main wager."""
    back = []
    for kind, rule in table.rules.side_wagers.items():
        for other, stake in sheet.of_box(kind, box).items():
            his = other == bettor and rule.by.value == "main_bettor"
            if his or not sheet.of_box(MAIN, box):
                back.append((box, other, kind, stake))
                sheet.set(kind, box, other, 0)
    return back


def refused(table: Table, sheet: Sheet) -> Refused | None:
    """The reason against closing bets on a sheet from which every main wager went back."""
    _, back = seats(table)
    if not back or sheet.wagers[MAIN]:
        return None
    return Refused(
        f"{', '.join(back)}: below the minimum of {write_amount(table.settings.limits.min)} again, "
        "it goes back; there is no other main wager",
        table.rules.betting.below_minimum.clause,
        short="NO MAIN WAGER",
        code="only-below-minimum",
    )


def remember(table: Table) -> None:
    """The round is cleared: remember whose wager below the minimum was settled in it."""
    rnd, betting = table.rnd, table.betting
    known = betting.settled_below
    back = {(box, bettor) for box, bettor, kind, _ in betting.returned if kind == MAIN}
    betting.returned = ()
    if rnd is None or rnd.rules.betting.below_minimum.value != "once":
        betting.settled_below = frozenset()
        return
    last = {(s.box, s.bettor): s.outcome for s in rnd.settlements if s.kind == MAIN}
    wagered = {
        (box.number, bettor): stake
        for box in rnd.boxes.values()
        for bettor, stake in box.main.items()
    }
    below = {who for who, stake in wagered.items() if is_below(table, MAIN, stake)}
    settled = {who for who in below if last.get(who, "returned") not in NO_OUTCOME}
    betting.settled_below = frozenset(settled | (known & (wagered.keys() | back)))


# ---- in words ---------------------------------------------------------------------------------


def wager_note(table: Table, box: int, bettor: str) -> str:
    """What becomes of a wager below the minimum that was just taken."""
    least, rule = write_amount(table.settings.limits.min), table.rules.betting.below_minimum
    if (box, bettor) in table.betting.settled_below:
        then = "it goes back at the close"
    else:
        then = "it plays as it is" if rule.value == "plays" else "it wins or loses once"
    return f"{box}{bettor} is below the minimum of {least}: {then} ({rule.clause})"


def short(table: Table, box: int, bettor: str) -> str:
    """The same for a keypad's row."""
    if (box, bettor) in table.betting.settled_below:
        return "OK: BACK AT CLOSE"
    return f"OK: BELOW MIN {brief_amount(table.settings.limits.min)}"


def notice(table: Table) -> str:
    """Every such wager, for the prompt while bets are open."""
    played, back = seats(table)
    clause = table.rules.betting.below_minimum.clause
    words = [f"Below the minimum: {', '.join(played)} ({clause})."] if played else []
    words += [f"Goes back at the close: {', '.join(back)} ({clause})."] if back else []
    return " ".join(words)


def returned(table: Table) -> str:
    """What was given back when bets were closed, and why."""
    wagers = [
        f"{box}{bettor} {kind}" + (f" {write_amount(stake)}" if stake is not None else "")
        for box, bettor, kind, stake in table.betting.returned
    ]
    return f"{', '.join(wagers)} ({table.rules.betting.below_minimum.clause})"


def short_returned(table: Table) -> str:
    """Who has wagers to take back, for a keypad's row; empty where nobody has."""
    back = dict.fromkeys(f"{box}{bettor}".upper() for box, bettor, *_ in table.betting.returned)
    return f"RETURN {' '.join(back)}" if back else ""
