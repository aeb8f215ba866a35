"""What is awaited, in words: for screens (a sentence) and for the keypad (20 characters).

Prompt, signal lamp, keypad lamps and text are made here from the same state, so that they cannot
disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from controller.rules.cards import UNREAD
from controller.table.money import write_amount
from controller.table.supervising import remedies
from controller.table.wants import AMBER, GREEN, HOLD_LAMP, OFF, RED, ROW_LENGTH

if TYPE_CHECKING:
    from controller.table.model import Hand
    from controller.table.table import Table


@dataclass(frozen=True, slots=True)
class Prompt:
    """``text`` for a screen, ``short`` for the keypad's first row; ``awaiting`` as the status
    tells it; ``signal`` colour and blink of the shoe's lamp; ``lamps`` of the keypad."""

    text: str
    short: str
    awaiting: str | None
    signal: tuple[int, int]
    lamps: int = 0


def lamp(box: int) -> int:
    """The keypad's lamp of a box."""
    return 1 << (box - 1)


def needed_device(table: Table) -> tuple[str, str] | None:
    """A device that play needs now and that cannot do its work: its name and why."""
    rnd = table.rnd
    if not table.mid_round or rnd is None:
        return None
    if rnd.card_expected and (trouble := table.devices["shoe"].trouble()):
        return "shoe", trouble
    if rnd.state in ("jackpot.armed", "jackpot.drawing") and not table.is_up("jackpot"):
        unit = table.devices.get("jackpot")
        return "jackpot", unit.trouble() if unit else "this table has no jackpot unit"
    return None


def prompt(table: Table) -> Prompt:
    """What is awaited now."""
    if table.hold:
        can = ", ".join(remedies(table))
        return Prompt(
            f"Held: {table.hold.reason}. The supervisor may: {can}.",
            "HELD: SUPERVISOR",
            "supervisor",
            (RED, 1),
            HOLD_LAMP,
        )
    if table.pending:
        return Prompt(
            "Wait: the card shoe is being locked for the last entry.",
            "WAIT: SHOE",
            "device",
            (AMBER, 0),
        )
    missing = needed_device(table)
    if missing:
        name, why = missing
        more = ""
        paying = next((r for r in remedies(table) if r.startswith("pay")), None)
        if paying:
            more = f" The supervisor may: {paying}."
        return Prompt(
            f"Held until it is back: {why}.{more}",
            f"{name.upper()} NOT READY",
            "device",
            (RED, 0),
            HOLD_LAMP,
        )
    said = _by_phase(table)
    notices = [table.notice] if table.notice else []
    if table.cutting_card and table.phase != "playing":
        notices.append("the cutting card has come: shuffle")
    if notices:
        said = Prompt(
            f"{said.text} ({'; '.join(notices)})",
            said.short,
            said.awaiting,
            said.signal,
            said.lamps,
        )
    return said


def _by_phase(table: Table) -> Prompt:
    match table.phase:
        case "idle":
            return Prompt("Open bets for the next round.", "OPEN BETS (O)", "dealer", (OFF, 0))
        case "betting":
            return _betting(table)
        case "ended":
            word = "void: wagers go back" if table.rnd and table.rnd.state == "void" else "over"
            return Prompt(
                f"Round {table.round_number} is {word}. Pay, collect, clear, then next.",
                "PAY, CLEAR, THEN E",
                "dealer",
                (OFF, 0),
            )
    return _playing(table)


def _betting(table: Table) -> Prompt:
    boxes = sorted(table.sheet.wagers["main"])
    lamps = sum(lamp(box) for box in boxes)
    text = f"Bets are open. Boxes in play: {', '.join(map(str, boxes)) or 'none'}"
    text += _side_count(table) + "."
    if "pandemonium" in table.rules.betting.side_wagers.value and not table.is_up("jackpot"):
        text += " No Pandemonium wagers: the jackpot unit is not connected."
    short = f"BETS OPEN: {len(boxes)} BOX" + ("ES" if len(boxes) != 1 else "")
    return Prompt(text, short, "dealer", (OFF, 0), lamps)


def _side_count(table: Table) -> str:
    counts = [
        f"{table.sheet.count(kind)} {'Pandemonium' if kind == 'pandemonium' else kind}"
        for kind in table.rules.betting.side_wagers.value
        if table.sheet.count(kind)
    ]
    return f"; side wagers: {', '.join(counts)}" if counts else "; no side wagers"


def _playing(table: Table) -> Prompt:
    rnd = table.rnd
    assert rnd
    state = rnd.state
    if state.startswith("deal."):
        return _dealing(table)
    if state.startswith("jackpot."):
        return _jackpot(table)
    if state.startswith("dealer."):
        if rnd.draw_is_moot():
            return Prompt(
                "Nothing depends on the dealer's hand: draw, or done.",
                "DRAW OR E",
                "dealer",
                (GREEN, 0),
            )
        return Prompt(
            f"A card to the dealer, who has {rnd.dealer_total}.",
            f"CARD TO DEALER {rnd.dealer_total}",
            "card",
            (GREEN, 0),
        )
    if state == "offers.open":
        return _offers(table)
    hand = rnd.hand_in_turn
    assert hand
    return _hand(table, hand)


def _dealing(table: Table) -> Prompt:
    rnd = table.rnd
    assert rnd
    if rnd.state == "deal.dealer_card":
        return Prompt("A card to the dealer.", "CARD TO DEALER", "card", (GREEN, 0))
    hand = rnd.receiver
    assert hand
    first = rnd.state == "deal.first_cards"
    said = f"{'First' if first else 'Second'} card to box {hand.box}"
    said += _closed_with(table) if first and not hand.cards and not table.drawn else ""
    return Prompt(said + ".", f"CARD TO BOX {hand.box}", "card", (GREEN, 0), lamp(hand.box))


def _closed_with(table: Table) -> str:
    boxes = len(table.sheet.wagers["main"])
    return f" (bets closed: {boxes} box{'es' if boxes != 1 else ''}{_side_count(table)})"


def _jackpot(table: Table) -> Prompt:
    rnd, offer = table.rnd, table.offer
    assert rnd
    assert offer
    lamps = lamp(offer.box)
    if rnd.state == "jackpot.armed":
        who = f"{rnd.nominee} presses for box {offer.box}" if rnd.nominee else f"box {offer.box}"
        return Prompt(
            f"Offer the jackpot button: {who}.",
            f"BUTTON TO BOX {offer.box}",
            "press",
            (AMBER, 0),
            lamps,
        )
    if rnd.state == "jackpot.drawing":
        return Prompt(
            f"Pressed for box {offer.box}: the meter spins.",
            f"BOX {offer.box}: SPINNING",
            "device",
            (AMBER, 0),
            lamps,
        )
    return Prompt(
        f"Box {offer.box} wins {offer.multiplier}x on Pandemonium: pay, then done.",
        f"BOX {offer.box} PAYS {offer.multiplier}X: E",
        "dealer",
        (AMBER, 0),
        lamps,
    )


def _offers(table: Table) -> Prompt:
    rnd = table.rnd
    assert rnd
    first = rnd.next_hand
    opens = rnd.dealer[0].rank in (1,)
    what = "Insurance and surrender are" if opens else "Surrender is"
    text = f"{what} open against the dealer's {rnd.dealer[0]}. Done closes"
    if first:
        text += f"; so does a card or decision for box {first.box}"
    lamps = sum(
        lamp(box.number)
        for box in rnd.boxes.values()
        if any(bet.open and not bet.surrendered for bet in box.hands[0].bets.values())
    )
    short = "INSURE/SURRENDER: E" if opens else "SURRENDER? THEN E"
    return Prompt(text + ".", short, "dealer", (GREEN if first else AMBER, 0), lamps)


def _hand(table: Table, hand: Hand) -> Prompt:
    rnd = table.rnd
    assert rnd
    count = len(rnd.boxes[hand.box].hands)
    where = f"Box {hand.box}" + (f", hand {hand.number}" if count > 1 else "")
    lamps = lamp(hand.box)
    short = f"BOX {hand.box}"
    match rnd.state:
        case "play.decide":
            can = _choices(table)
            return Prompt(
                f"{where} has {hand.total}: {can}.",
                f"{short} {hand.total}: CARD/STAND",
                "dealer",
                (GREEN, 0),
                lamps,
            )
        case "play.split_card":
            waits = " (a standing bettor may add first)" if rnd.may_follow else ""
            return Prompt(
                f"{where}: its second card{waits}.",
                f"CARD TO {short}",
                "dealer" if rnd.may_follow else "card",
                (GREEN, 0),
                lamps,
            )
        case "play.forced_card":
            return Prompt(
                f"{where} has {hand.total} and must draw.",
                f"{short} {hand.total}: CARD",
                "card",
                (GREEN, 0),
                lamps,
            )
        case "play.double_card":
            others = any(command.startswith("double") for command in table.permitted())
            more = " (a standing bettor may double first)" if others else ""
            return Prompt(
                f"{where} doubled: one card{more}.",
                f"{short}: DOUBLE CARD",
                "dealer" if others else "card",
                (GREEN, 0),
                lamps,
            )
    return Prompt(
        f"{where} doubled and has {hand.total}: withdraw, keep, or go on.",
        f"{short} {hand.total}: W OR E",
        "dealer",
        (GREEN if rnd.card_expected else AMBER, 0),
        lamps,
    )


def _choices(table: Table) -> str:
    verbs = dict.fromkeys(command.split()[0] for command in table.permitted())
    words = ["card" if verb == "hit" else verb for verb in verbs if verb not in ("undo", "shuffle")]
    return ", ".join(words[:-1]) + (" or " if len(words) > 1 else "") + words[-1]


def rows(table: Table, said: Prompt) -> tuple[str, str]:
    """The keypad's two rows: what is awaited, and what was keyed or came of it."""
    pad = table.keypad
    second = pad.says
    if pad.keyed or not second:
        seat = pad.seat
        chosen = ""
        if seat:
            letter = f".{'abc'.index(seat.bettor) + 1}" if seat.bettor else ""
            chosen = f"BOX {seat.box}{letter}"
        keyed = pad.keyed if not pad.keyed.startswith("B") else ""
        second = f"{chosen} {keyed}".strip()
        if pad.keyed == "B":
            second = "BOX ?"
    return _row(said.short), _row(second)


def _row(text: str) -> str:
    plain = text.upper().encode("ascii", "replace").decode("ascii")
    return plain[:ROW_LENGTH]


def due(table: Table) -> list[str]:
    """What the round has settled so far, a line each, as a dealer would read it."""
    if table.rnd is None:
        return []
    lines = []
    for s in table.rnd.settlements:
        paid = s.odds or ""
        net = write_amount(s.net)
        lines.append(
            f"box {s.box}{s.bettor} hand {s.hand} {s.kind}: {s.outcome.replace('_', '-')} "
            f"{paid}{' ' + net if net is not None else ''} ({s.clause})".replace("  ", " ")
        )
    return lines


__all__ = ["UNREAD", "Prompt", "due", "needed_device", "prompt", "rows"]
