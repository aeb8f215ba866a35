"""What is awaited, in words and for programs; of the hand in turn it is in :mod:`~.prompt_text`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command
from controller.game.commands.values import Option, brief_amount, write_amount
from controller.game.round import amounts, looks
from controller.game.round.offers import Offer
from controller.game.round.permitted import permitted_steps
from controller.game.round.state import Round
from controller.game.round.states import RoundPart, State
from controller.game.round.steps import Done, Insure, Surrender
from controller.game.rules.cases import LateOffer
from controller.table import below_minimum, betting, jackpot
from controller.table.dealing import correcting, squeezing
from controller.table.shoe import shuffling
from controller.table.showing.prompt_text import Code, PromptText, lamp, say_hand
from controller.table.state.parts import Phase
from controller.table.state.table import Table


def awaited_text(table: Table, commands: list[Command]) -> PromptText:
    """What the table awaits while no hold or missing device stops play; ``commands`` are those
    that the dealer may give."""
    rnd = table.rnd
    if rnd is None:
        return _between(table)
    if rnd.irregular.edits:
        return _correcting(table, rnd)
    if table.phase is Phase.ENDED:
        return _round_over(table, rnd)
    if boxes := squeezing.to_reveal(table):
        text = f"Cards lie face down: reveal box {', '.join(map(str, boxes))}."
        short, lit = f"REVEAL BOX {boxes[0]}: F", sum(map(lamp, boxes))
        return PromptText("reveal", text, short, lit, {"boxes": boxes})
    if offer := looks.late_offer(rnd):
        return _late(*offer, rnd.irregular.late_to)
    match rnd.state.part:
        case RoundPart.DEAL:
            return _dealing(table, rnd)
        case RoundPart.JACKPOT:
            return _jackpot(table, rnd)
        case RoundPart.DEALER:
            return _dealer(rnd)
        case RoundPart.OFFERS:
            return _offers(rnd)
    hand = rnd.hand_in_turn
    if rnd.state == State.PLAY_DEALER_CARD:
        returns = [str(command) for command in commands if command.option == Option.RETURN]
        done = Done().command in commands
        values = {"returns": returns, "done": done}
        text = _missing_card(returns, done=done)
        return PromptText("first-card-to-dealer", text, "CARD TO DEALER", values=values)
    assert hand is not None
    return say_hand(rnd, hand, commands, "" if squeezing.secret(table) else _waiting(rnd))


def _between(table: Table) -> PromptText:
    if table.shoe.burning:
        clause = table.rules.shoe.burn.clause
        text = f"Draw one card, face down: it is burned ({clause})."
        return PromptText("burn-card", text, "BURN ONE CARD", values={"clause": clause})
    if table.phase is Phase.BETTING:
        return _betting(table)
    if table.in_service:
        text = "The table is in service: nothing is played until the supervisor ends it"
        return PromptText("in-service", f"{text} (service off).", "IN SERVICE")
    if table.phase is Phase.CLOSED:
        by = betting.awaited(table)
        text = f"The table is closed. Awaited: the cards checked by {' and '.join(by)}."
        return PromptText("check-cards", text, "TABLE CLOSED", values={"by": by})
    if refused := shuffling.cards_refused(table):
        text, because = "A shuffled shoe is to be loaded.", {"because": refused.code}
        return PromptText("load-shoe", text, refused.short, values=because)
    return PromptText("open-bets", "Open bets for the next round.", "OPEN BETS: O")


def _betting(table: Table) -> PromptText:
    boxes = sorted(table.betting.sheet.wagers["main"])
    text = f"Bets are open. Boxes in play: {', '.join(map(str, boxes)) or 'none'}"
    text += betting.side_wagers(table) + "."
    kind, down = table.rules.button_wager, False
    if kind and (why := jackpot.trouble(table)):
        text, down = f"{text} No {table.rules.side_wagers[kind].name} wagers: {why}.", True
    if low := below_minimum.notice(table):
        text += f" {low}"
    values: JsonObject = {
        "boxes": boxes,
        "side_wagers": betting.side_counts(table),
        "jackpot_down": down,
        "below_minimum": _below(table),
    }
    lit = sum(map(lamp, boxes))
    if over := betting.too_much(table):
        text += f" Before the close: {over}."
        values = {**values, **_excess(table), "clause": over.clause}
        return PromptText("bets-above-maximum", text, over.short, lit, values)
    short = f"BETS OPEN: {_boxes(len(boxes)).upper()}"
    return PromptText("bets-open", text, short, lit, values)


def _below(table: Table) -> JsonObject | None:
    """The main wagers below the minimum; None where there are none."""
    played, back = below_minimum.seats(table)
    clause = table.rules.betting.below_minimum.clause
    return {"played": played, "back_at_close": back, "clause": clause} if played or back else None


def _excess(table: Table) -> JsonObject:
    """The first box whose main wagers exceed its maximum: by how much, and who takes what back."""
    limits, (sheet, _) = table.settings.limits, below_minimum.returned_at_close(table)
    found = amounts.excess(limits, sheet)
    assert found
    return {
        "box": found.box,
        "above": write_amount(found.over),
        "most": write_amount(limits.box_max),
        "take_back": {bettor: write_amount(part) for bettor, part in found.back.items()},
    }


def _boxes(count: int) -> str:
    return f"{count} box{'es' if count != 1 else ''}"


def _round_over(table: Table, rnd: Round) -> PromptText:
    number, values = table.round_number, {"round": table.round_number}
    if rnd.state == State.VOID:
        text = f"Round {number} is void: wagers go back, and what was paid before it."
        text += " Clear, then next."
        return PromptText("round-void", text, "VOID: RETURN, THEN E", values=values)
    text = f"Round {number} is over. Pay, collect, clear, then next."
    return PromptText("round-over", text, "PAY, CLEAR, THEN E", values=values)


def _correcting(table: Table, rnd: Round) -> PromptText:
    steps = [str(step) for step in rnd.irregular.edits]
    text = f"A correction is being made: {', '.join(steps)}. Undo takes the last one back."
    values: JsonObject = {"steps": steps}
    if refused := correcting.refused(table, by_dealer=True):
        text, short = f"{text} Not done: {refused.reason}.", f"NO: {refused.short}"
        values = {**values, "because": refused.code, "reason": refused.reason}
        return PromptText("correction-refused", text, short, values=values)
    text, short = f"{text} Done when it is complete.", f"CORRECTING {len(steps)}: E"
    return PromptText("correcting", text, short, values=values)


def _dealing(table: Table, rnd: Round) -> PromptText:
    hand = rnd.receiver
    if hand is None:
        return PromptText("card-to-dealer", "A card to the dealer.", "CARD TO DEALER")
    first = rnd.state == State.DEAL_FIRST_CARDS
    text = f"{'First' if first else 'Second'} card to box {hand.box}"
    values: JsonObject = {"box": hand.box, "card": 1 if first else 2}
    if first and not any(box.hands[0].cards for box in rnd.boxes.values()):
        boxes = len(table.betting.sheet.wagers["main"])
        text += f" (bets closed: {_boxes(boxes)}{betting.side_wagers(table)})"
        values = {**values, "boxes": boxes, "side_wagers": betting.side_counts(table)}
        if table.betting.returned:
            text += f". Returned: {below_minimum.returned(table)}"
            values = {**values, "clause": table.rules.betting.below_minimum.clause}
    down = ": DOWN" if squeezing.next_down(table) else ""
    short = f"CARD TO BOX {hand.box}{down}"
    return PromptText("card-to-box", text + ".", short, lamp(hand.box), values)


def _jackpot(table: Table, rnd: Round) -> PromptText:
    offer = table.jackpot.offer
    assert offer
    box, lit = offer.box, lamp(offer.box)
    match rnd.state:
        case State.JACKPOT_ARMED:
            who = f"{rnd.nominee} presses for box {box}" if rnd.nominee else f"box {box}"
            text, short = f"Offer the jackpot button: {who}.", f"BUTTON TO BOX {box}"
            nominee = str(rnd.nominee) if rnd.nominee else None
            return PromptText("button", text, short, lit, {"box": box, "nominee": nominee})
        case State.JACKPOT_DRAWING:
            text, short = f"Pressed for box {box}: the meter spins.", f"BOX {box}: SPINNING"
            return PromptText("spinning", text, short, lit, {"box": box})
    button = rnd.rules.button_wager  # out of the round: a correction may have ended what is owed
    won = [one.net for one in rnd.settlements if (one.box, one.kind) == (box, button)]
    text, short = (
        f"Box {box} wins {offer.multiplier}x on Pandemonium: pay",
        f"PAYS {offer.multiplier}X",
    )
    amount = None
    if won and None not in won:
        total = sum(net for net in won if net is not None)
        amount = write_amount(total)
        text, short = f"{text} {amount}", f"PAY {brief_amount(total)}"
    values = {"box": box, "multiplier": offer.multiplier, "amount": amount}
    return PromptText("pay-multiplier", f"{text}, then done.", f"BOX {box} {short}: E", lit, values)


def _missing_card(returns: list[str], *, done: bool) -> str:
    text = "The dealer's first card, which is missing"
    if returns:
        text += f"; before it who likes takes his wager back: {', '.join(returns)}"
    if done:
        text += "; done when nobody else does" if returns else "; done goes on"
    return f"{text}."


def _dealer(rnd: Round) -> PromptText:
    if looks.draw_is_moot(rnd):
        text = "Nothing depends on the dealer's hand: draw, or done."
        return PromptText("draw-or-done", text, "CARD OR E")
    total = rnd.dealer_total
    text, short = f"A card to the dealer, who has {total}.", f"CARD TO DEALER {total}"
    return PromptText("dealer-draws", text, short, values={"total": total})


_BOTH: Final[tuple[Code, str, str]] = (
    "insure-or-surrender",
    "Insurance and surrender are",
    "INSURE/SURRENDER? E",
)
_OFFERS: Final[Mapping[frozenset[type[Offer]], tuple[Code, str, str]]] = {
    frozenset({Insure}): ("insure", "Insurance is", "INSURE? THEN E"),
    frozenset({Surrender}): ("surrender", "Surrender is", "SURRENDER? THEN E"),
}
"""The code, the sentence's beginning and the row of what is offered."""


def _offers(rnd: Round) -> PromptText:
    steps = [step for step in permitted_steps(rnd) if isinstance(step, Insure | Surrender)]
    owners = ((step.owner if isinstance(step, Insure) else None) or step.seat for step in steps)
    boxes = {owner.box for owner in owners}
    code, what, short = _OFFERS.get(frozenset(map(type, steps)), _BOTH)
    after = rnd.next_hand.box if rnd.next_hand else None
    text = f"{what} open against the dealer's {rnd.dealer[0]}. Done closes"
    if after:
        text += f"; so does a card or decision for box {after}"
    values = {"boxes": sorted(boxes), "dealer": str(rnd.dealer[0]), "next": after}
    return PromptText(code, text + ".", short, sum(map(lamp, boxes)), values)


def _late(offer: LateOffer, box: int, bettor: str) -> PromptText:
    """``bettor``: it is offered to him alone; empty: to the box."""
    text = f"{offer.words.capitalize()} is offered late to box {box}{bettor}: take it up, or done."
    who = f"{box}{bettor.upper()}" if bettor else f"B{box}"
    values = {"offer": str(offer), "box": box, "bettor": bettor or None}
    return PromptText("late-offer", text, f"LATE {offer.upper()} {who}? E", lamp(box), values)


def _waiting(rnd: Round) -> str:
    """The card that was put back and comes next; "" where nobody has seen it, or several came."""
    if len(rnd.irregular.waiting) != 1:
        return ""
    [card] = rnd.irregular.waiting
    last = next((given.loose for given in reversed(rnd.log) if card in given.cards), None)
    seen = last is None or card in last.seen or last.trigger == "face-up"
    return str(card) if seen else ""
