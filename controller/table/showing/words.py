"""The texts of what is awaited: a sentence for screens, 20 capitals for the keypad, boxes to
light."""

from __future__ import annotations

from dataclasses import dataclass

from controller.round import looks
from controller.round.model import Hand
from controller.round.money import brief_amount, write_amount
from controller.round.offers import NAMES
from controller.round.seats import controller_of
from controller.round.state import Round
from controller.table.betting import below_minimum, opening, rounds
from controller.table.betting.counting import side_wagers
from controller.table.dealing import correcting, face_down, squeezing
from controller.table.jackpot import unit
from controller.table.shoe import readiness
from controller.table.state.course import Phase
from controller.table.state.entering import ROW_LENGTH
from controller.table.state.table import Table

KEYS_OF_CHOICES = {"stand": "S", "buy": "Y", "double": "D", "split": "L", "surrender": "U"}
UNSAID = frozenset({"undo", "shuffle", "absent"})
"""Commands that are not a choice of the player in turn."""


@dataclass(frozen=True, slots=True)
class Said:
    """``text`` for a screen, ``short`` for the keypad's first row, ``lit`` lamps of the keypad."""

    text: str
    short: str
    lit: int = 0


def lamp(box: int) -> int:
    """The keypad's lamp of a box."""
    return 1 << (box - 1)


def say(table: Table, commands: list[str]) -> Said:
    """What the table awaits while no hold or missing device stops play; ``commands`` are those
    that the dealer may give."""
    rnd = table.rnd
    if rnd is None:
        return _between(table)
    if rnd.edits:
        return _correcting(table, rnd)
    if table.phase is Phase.ENDED:
        return _ended(table, rnd)
    if boxes := squeezing.to_reveal(table):
        return _reveal(boxes)
    if offer := looks.late_offer(rnd):
        return _late(*offer, rnd.late_to)
    family, _, _ = rnd.state.partition(".")
    match family:
        case "deal":
            return _dealing(table, rnd)
        case "jackpot":
            return _jackpot(table, rnd)
        case "dealer":
            return _dealer(rnd)
        case "offers":
            return _offers(rnd, commands)
    hand = rnd.hand_in_turn
    if rnd.state == "play.dealer_card":
        return Said(_missing_card(commands), "CARD TO DEALER")
    assert hand is not None
    return _hand(rnd, hand, commands, "" if face_down.secret(table) else _waiting(rnd))


def _between(table: Table) -> Said:
    if table.shoe.burning:
        clause = table.rules.shoe.burn.clause
        return Said(f"Draw one card, face down: it is burned ({clause}).", "BURN ONE CARD")
    if table.phase is Phase.BETTING:
        return _betting(table)
    if table.in_service:
        text = "The table is in service: nothing is played until the supervisor ends it"
        return Said(f"{text} (service off).", "IN SERVICE")
    if table.phase is Phase.CLOSED:
        who = opening.awaited(table)
        text = f"The table is closed. Awaited: the cards checked by {who}."
        return Said(text, "TABLE CLOSED")
    if refused := readiness.refused(table):
        return Said("A shuffled shoe is to be loaded.", refused.short)
    return Said("Open bets for the next round.", "OPEN BETS: O")


def _betting(table: Table) -> Said:
    boxes = sorted(table.betting.sheet.wagers["main"])
    text = f"Bets are open. Boxes in play: {', '.join(map(str, boxes)) or 'none'}"
    text += side_wagers(table) + "."
    kind = table.rules.button_wager
    if kind and (why := unit.trouble(table)):
        text += f" No {table.rules.side_wagers[kind].name} wagers: {why}."
    if low := below_minimum.notice(table):
        text += f" {low}"
    if over := rounds.too_much(table):
        text += f" Before the close: {over}."
        return Said(text, over.short, sum(map(lamp, boxes)))
    return Said(text, f"BETS OPEN: {_boxes(len(boxes)).upper()}", sum(map(lamp, boxes)))


def _boxes(count: int) -> str:
    return f"{count} box{'es' if count != 1 else ''}"


def _ended(table: Table, rnd: Round) -> Said:
    what = "is over. Pay, collect, clear, then next."
    if rnd.state == "void":
        what = "is void: wagers go back, and what was paid before it. Clear, then next."
        return Said(f"Round {table.round_number} {what}", "VOID: RETURN, THEN E")
    return Said(f"Round {table.round_number} {what}", "PAY, CLEAR, THEN E")


def _correcting(table: Table, rnd: Round) -> Said:
    said = ", ".join(map(str, rnd.edits))
    text = f"A correction is being made: {said}. Undo takes the last one back."
    if refused := correcting.refused(table, by_dealer=True):
        return Said(f"{text} Not done: {refused.reason}.", f"NO: {refused.short}")
    return Said(f"{text} Done when it is complete.", f"CORRECTING {len(rnd.edits)}: E")


def _reveal(boxes: list[int]) -> Said:
    names = ", ".join(map(str, boxes))
    text = f"Cards lie face down: reveal box {names}."
    return Said(text, f"REVEAL BOX {boxes[0]}: F", sum(map(lamp, boxes)))


def _dealing(table: Table, rnd: Round) -> Said:
    hand = rnd.receiver
    if hand is None:
        return Said("A card to the dealer.", "CARD TO DEALER")
    first = rnd.state == "deal.first_cards"
    text = f"{'First' if first else 'Second'} card to box {hand.box}"
    if first and not any(box.hands[0].cards for box in rnd.boxes.values()):
        count = _boxes(len(table.betting.sheet.wagers["main"]))
        text += f" (bets closed: {count}{side_wagers(table)})"
        if table.betting.returned:
            text += f". Returned: {below_minimum.returned(table)}"
    down = ": DOWN" if face_down.next_down(table) else ""
    return Said(text + ".", f"CARD TO BOX {hand.box}{down}", lamp(hand.box))


def _jackpot(table: Table, rnd: Round) -> Said:
    offer = table.jackpot.offer
    assert offer
    box, lit = offer.box, lamp(offer.box)
    match rnd.state:
        case "jackpot.armed":
            who = f"{rnd.nominee} presses for box {box}" if rnd.nominee else f"box {box}"
            return Said(f"Offer the jackpot button: {who}.", f"BUTTON TO BOX {box}", lit)
        case "jackpot.drawing":
            return Said(f"Pressed for box {box}: the meter spins.", f"BOX {box}: SPINNING", lit)
    won = [one.net for one in table.dealing.of(box) if one.kind == rnd.rules.button_wager]
    text, short = (
        f"Box {box} wins {offer.multiplier}x on Pandemonium: pay",
        f"PAYS {offer.multiplier}X",
    )
    if won and None not in won:
        total = sum(net for net in won if net is not None)
        text, short = f"{text} {write_amount(total)}", f"PAY {brief_amount(total)}"
    return Said(f"{text}, then done.", f"BOX {box} {short}: E", lit)


def _missing_card(commands: list[str]) -> str:
    text = "The dealer's first card, which is missing"
    returns = [command for command in commands if command.endswith(" return")]
    if returns:
        text += f"; before it who likes takes his wager back: {', '.join(returns)}"
    if "done" in commands:
        text += "; done when nobody else does" if returns else "; done goes on"
    return f"{text}."


def _dealer(rnd: Round) -> Said:
    if looks.draw_is_moot(rnd):
        return Said("Nothing depends on the dealer's hand: draw, or done.", "CARD OR E")
    total = rnd.dealer_total
    return Said(f"A card to the dealer, who has {total}.", f"CARD TO DEALER {total}")


def _offers(rnd: Round, commands: list[str]) -> Said:
    steps = [command.split() for command in commands]
    verbs = {words[0] for words in steps} & {"insure", "surrender"}
    boxes = {int(words[1].rpartition("@")[2][0]) for words in steps if words[0] in verbs}
    what, short = {
        frozenset({"insure"}): ("Insurance is", "INSURE? THEN E"),
        frozenset({"surrender"}): ("Surrender is", "SURRENDER? THEN E"),
    }.get(frozenset(verbs), ("Insurance and surrender are", "INSURE/SURRENDER? E"))
    text = f"{what} open against the dealer's {rnd.dealer[0]}. Done closes"
    if rnd.next_hand:
        text += f"; so does a card or decision for box {rnd.next_hand.box}"
    return Said(text + ".", short, sum(map(lamp, boxes)))


def _late(verb: str, box: int, bettor: str) -> Said:
    """``bettor``: it is offered to him alone; empty: to the box."""
    what, name = NAMES[verb], verb.upper()
    text = f"{what.capitalize()} is offered late to box {box}{bettor}: take it up, or done."
    who = f"{box}{bettor.upper()}" if bettor else f"B{box}"
    return Said(text, f"LATE {name} {who}? E", lamp(box))


def _waiting(rnd: Round) -> str:
    """The card that was put back and comes next; "" where nobody has seen it, or several came."""
    if len(rnd.waiting) != 1:
        return ""
    [card] = rnd.waiting
    last = next((given.loose for given in reversed(rnd.log) if card in given.cards), None)
    seen = last is None or card in last.seen or last.trigger == "face-up"
    return str(card) if seen else ""


def _hand(rnd: Round, hand: Hand, commands: list[str], waits: str) -> Said:
    box = rnd.boxes[hand.box]
    split = len(box.hands) > 1
    where = f"Box {hand.box}, hand {hand.number}" if split else f"Box {hand.box}"
    name = f"B{hand.box}/{hand.number}" if split else f"BOX {hand.box}"
    if box.absent:  # else nothing would show that `absent` was accepted
        away = " and ".join(f"{hand.box}{bettor}" for bettor in sorted(box.absent))
        where += f" (without {away})"
        if not looks.house_plays(rnd, hand):
            name += controller_of(rnd, box).upper()
    lit = lamp(hand.box)
    verbs = dict.fromkeys(command.split()[0] for command in commands)
    match rnd.state:
        case "play.decide":
            keys = [key for verb, key in KEYS_OF_CHOICES.items() if verb in verbs]
            card = "X" if rnd.waiting else "CARD"  # the one that was put back is in the list
            # Whose the card would be now counts for more than the total.
            first = f"{name}: {waits}? " if waits else f"{name} {hand.total}: "
            short = f"{first}{card} {' '.join(keys)}".rstrip()
            if len(short) > ROW_LENGTH:
                short = f"{first}{card} {''.join(keys)}"
            more = f" {waits} waits to be taken." if waits else ""
            return Said(f"{where} has {hand.total}: {_choices(list(verbs))}.{more}", short, lit)
        case "play.split_card":
            more = " (a standing bettor may add first)" if rnd.may_follow else ""
            if looks.is_offered_on(rnd):
                more += "; the card that waits is for the next box"
            return Said(f"{where}: its second card{more}.", f"{name}: SECOND CARD", lit)
        case "play.forced_card":
            return Said(
                f"{where} has {hand.total} and must draw.", f"{name} {hand.total}: CARD", lit
            )
        case "play.bought_card":
            return Said(f"{where} has bought: one card.", f"{name}: BOUGHT CARD", lit)
        case "play.double_card":
            more = " (a standing bettor may double first)" if "double" in verbs else ""
            return Said(f"{where} doubled: one card{more}.", f"{name}: DOUBLE CARD", lit)
    text = f"{where} doubled and has {hand.total}: withdraw, keep, or go on."
    return Said(text, f"{name} {hand.total}: W OR E", lit)


def _choices(verbs: list[str]) -> str:
    free = "free" in verbs
    words = [verb for verb in verbs if verb not in UNSAID and verb not in ("hit", "free")]
    words.insert(0, "free card" if free else "card")
    return ", ".join(words[:-1]) + (" or " if len(words) > 1 else "") + words[-1]
