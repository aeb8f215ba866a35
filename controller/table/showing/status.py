"""The status object of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Final

from controller.faults import catalogue
from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command
from controller.game.commands.values import write_amount
from controller.game.round import play
from controller.game.round.model import Hand
from controller.game.round.result_fields import BettorsAccount
from controller.game.round.results import (
    INSURANCE,
    Lying,
    account,
    account_of_bets,
    lying,
    settled_lines,
)
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.wagers import MAIN, letters_of
from controller.game.rules.cards import BUST_ABOVE, write_cards
from controller.table.dealing import irregularities, squeezing
from controller.table.entering import choices
from controller.table.entering.commands import dealer_commands
from controller.table.entering.fence import needed_device
from controller.table.entering.supervising import supervisor_commands
from controller.table.shoe import book, shuffling
from controller.table.showing.actions import actions_of
from controller.table.showing.prompt import Prompt, prompt
from controller.table.showing.rows import rows
from controller.table.showing.status_fields import ShownBox, ShownHand, Status, StatusHold
from controller.table.state.holds import as_told
from controller.table.state.parts import Phase
from controller.table.state.table import Table


def shown_boxes(table: Table, rnd: Round | None) -> dict[str, ShownBox]:
    """Every box with a wager, by number; ``rnd`` is the round with its cards as they are said to
    lie."""
    boxes: dict[str, ShownBox] = {}

    def shown_box(number: int) -> ShownBox:
        return boxes.setdefault(str(number), {"hands": [], "wagers": {}})

    lies = list(lying(rnd)) if rnd else []
    lie = {(one.box, one.bettor, one.kind) for one in lies}
    sheet = table.betting.sheet
    for number in sheet.boxes:
        wagers = shown_box(number)["wagers"]
        for kind in sheet.wagers:
            for bettor, stake in sheet.of_box(kind, number).items():
                if kind == MAIN or rnd is None or (number, bettor, kind) in lie:
                    wagers.setdefault(bettor, {})[kind] = write_amount(stake)
    for box in rnd.boxes.values() if rnd else ():
        assert rnd
        mine = [one for one in lies if one.box == box.number]
        shown_box(box.number)["hands"] = [_hand(table, rnd, hand, mine) for hand in box.by_number]
        if box.absent:
            shown_box(box.number)["absent"] = sorted(box.absent)
    for one in lies:
        if one.kind == INSURANCE:
            taken = shown_box(one.box).setdefault("insurance", {}).setdefault(one.bettor, [])
            taken.append({"of": one.of, "amount": write_amount(one.stake)})
    for number, bettor, kind, stake in table.betting.returned:
        back = shown_box(number).setdefault("returned", {}).setdefault(bettor, {})
        back[kind] = write_amount(stake)
    return boxes


def _hand(table: Table, rnd: Round, hand: Hand, lies: Iterable[Lying]) -> ShownHand:
    seen = squeezing.shown_hand(table, hand)
    stakes: dict[str, dict[str, int | None]] = {}
    for one in lies:
        if one.hand == hand.number:
            kinds = stakes.setdefault(one.bettor, {})
            before = kinds.get(one.kind, 0)  # of several bought cards the sum is shown
            known = before is not None and one.stake is not None
            kinds[one.kind] = (before or 0) + (one.stake or 0) if known else None
    return {
        **seen,
        "stakes": {
            bettor: {kind: write_amount(stake) for kind, stake in kinds.items()}
            for bettor, kinds in stakes.items()
        },
        "marks": _marks(rnd, hand, hidden="??" in seen["cards"]),
    }


def _marks(rnd: Round, hand: Hand, *, hidden: bool) -> list[str]:
    bets = hand.bets.values()
    found = {
        "bought": any(bet.buys for bet in bets),
        "bust": not hidden and hand.total > BUST_ABOVE,
        "doubled": hand.doubled,
        "pontoon": not hidden and hand.is_pontoon,
        "settled": not any(bet.open for bet in bets),
        "split": hand.split,
        "surrendered": any(bet.surrendered for bet in bets),
        "void": rnd.state == State.VOID or all(bet.given_back for bet in bets),
        "withdrawn": any(bet.withdrawn for bet in bets),
    }
    return [mark for mark, there in found.items() if there]


AS_IN_STATUS: Final = ("state", "prompt", "asks", "owed", "account", "dealer", "boxes")


class StatusLook:
    """A look at a table: each part is found when it is first asked for, which is to be before the
    table goes on."""

    def __init__(self, table: Table) -> None:
        self._table = table

    @cached_property
    def commands(self) -> list[Command]:
        """What the dealer may command."""
        return dealer_commands(self._table)

    @cached_property
    def awaited(self) -> Prompt:
        """What is awaited: devices are told what follows from it."""
        return prompt(self._table, self.commands)

    @cached_property
    def play(self) -> Status:
        """Those fields of the status by which people decide; less than half of its work."""
        table = self._table
        rnd, offer = table.rnd, table.jackpot.offer
        lying = play.as_said(rnd) if rnd else None
        return {
            "state": table.state,
            "round": table.round_number,
            "permitted": list(map(str, self.commands)),
            "turn": _turn(table),
            "boxes": shown_boxes(table, lying),
            "dealer": {
                "cards": write_cards(lying.dealer) if lying else "",
                "total": lying.dealer_total if lying else 0,
            },
            "meter": {"offer": offer.number, "box": offer.box, "multiplier": offer.multiplier}
            if offer and offer.shown
            else None,
            "offer": {"offer": offer.number, "box": offer.box} if offer else None,
            "owed": [s.as_result() for s in table.dealing.owed],
            "held": held_by(table),
        }

    @cached_property
    def status(self) -> Status:
        """All fields that follow from the table's state."""
        table, asked, found = self._table, self.awaited, self.play
        rnd, held = table.rnd, found["held"]
        if held is not None:
            remedies = actions_of(table, supervisor_commands(table), "supervisor")
            held = {**held, "remedy_actions": remedies}
        return {
            "table": table.settings.table,
            "rules": table.rules.id,
            "state": found["state"],
            "round": found["round"],
            "prompt": asked.said.text,
            "asks": asked.asks,
            "awaiting": asked.awaiting,
            "permitted": found["permitted"],
            "actions": actions_of(table, self.commands, "dealer"),
            "turn": found["turn"],
            "boxes": found["boxes"],
            "dealer": found["dealer"],
            "meter": found["meter"],
            "offer": found["offer"],
            "devices": {device.name: device.as_status() for device in table.devices.values()},
            "shoe": _shoe(table),
            "places": table.settings.boxes,
            "limits": _limits(table),
            "bettors": {
                kind: "".join(letters_of(table.rules, kind))
                for kind in (MAIN, *table.rules.side_wagers)
            },
            "drawn": [
                {"card": card, "lies": place}
                for card, place in choices.lying_cards(table, supervisor=True)
            ],
            "figures": [figure for figure, _ in table.settings.weights],
            "squeezed": sorted(table.dealing.squeezed),
            "held": held,
            "conditions": dict(table.holds.conditions),
            "settlements": [s.as_result() for s in rnd.all_settlements] if rnd else [],
            "owed": found["owed"],
            "account": told_account(table),
            "due": settled_lines(rnd),
            "keypad": list(rows(table, asked.said)),
        }


def status(table: Table) -> Status:
    """The fields of ``tablectl status --json`` that follow from the table's state. The daemon adds
    what only it knows (since when a link has been up)."""
    return StatusLook(table).status


def answer(shown: Status, at: int, notes: Sequence[str]) -> JsonObject:
    """The answer to a command of a person: of the status after it what it has to do with, ``at`` as
    the status then has it, and the ``notes`` of the command. ``settlements`` is the earlier name of
    ``owed``."""
    told: dict[str, object] = {name: shown[name] for name in AS_IN_STATUS}
    return {**told, "settlements": shown["owed"], "notes": list(notes), "at": at}


def _turn(table: Table) -> dict[str, int] | None:
    rnd = table.rnd
    if rnd is None or not table.mid_round:
        return None
    hand = rnd.next_hand if rnd.state == State.OFFERS_OPEN else rnd.hand_in_turn
    return {"box": hand.box, "hand": hand.number} if hand else None


def told_account(table: Table) -> list[BettorsAccount]:
    """What lies, is due, and was told, of each bettor; empty where no round is open."""
    if table.rnd is not None:
        return account(table.rnd, table.dealing.owed)
    return account_of_bets(table.betting.sheet) if table.phase is Phase.BETTING else []


def _limits(table: Table) -> dict[str, str | None]:
    found = asdict(table.settings.limits)
    if not table.rules.side_wagers:  # what stands there then decides nothing
        found |= {"side_min": 0, "side_max": 0}
    return {key: write_amount(cents) if cents else None for key, cents in found.items()}


def held_by(table: Table) -> StatusHold | None:
    """Why play is held, and what to do; None: it goes on."""
    missing = needed_device(table)
    cards: list[str] = []
    if table.hold:
        reason = table.reason
        every = [hold.fault for hold in as_told(table.holds.standing)]
        cards = irregularities.cards_that_wait(table)
        cards += [squeezing.card_text(table, card) for card in table.hold.cards]
    elif missing:
        reason, every = missing.why, [missing.fault]
    else:
        return None
    steps = {code: catalogue.fault_of(code).next_step for code in every}
    said = " ".join(steps.values() if len(steps) == 1 else (f"{c}: {s}" for c, s in steps.items()))
    held: StatusHold = {"reason": reason, "fault": every[0], "faults": every, "next_step": said}
    return {**held, "remedies": list(map(str, supervisor_commands(table))), "cards": cards}


def _shoe(table: Table) -> JsonObject:
    """Numbers of cards, never which cards remain: every client that may connect can read it
    (SHF-02). ``unrevealed`` cards lie face down; ``unread`` ones are out; the ``gate`` is to let so
    many pass now."""
    shoe = table.shoe
    return {
        "gate": table.gate_open_for,
        "set": shoe.sets.in_shoe,
        "remaining": book.remaining(table),
        "full": table.settings.shoe_size,
        "tens": table.rules.cards.tens.value,
        "used": shoe.book.out,
        "unrevealed": len(squeezing.hidden_cards(table)),
        "unread": max(0, shoe.book.out - shoe.used.total()),
        "burned": " ".join(shoe.book.burned),
        "burn_due": shuffling.burn_due(table) and not table.mid_round,
        "cutting_card": shoe.cutting_card,
        "shuffle_due": shuffling.is_due(table),
        "blocked": {str(number): why for number, why in sorted(shoe.sets.blocked.items())},
    }
