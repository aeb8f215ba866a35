"""The table as others see it: the status object, and what every device should be doing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.rules.cards import write_cards
from controller.table.money import write_amount
from controller.table.prompt import due, needed_device, prompt, rows
from controller.table.supervising import remedies
from controller.table.wants import Arm, Show, Wants

if TYPE_CHECKING:
    from controller.table.table import Table


def status(table: Table) -> dict[str, Any]:
    """The fields of ``tablectl status --json`` that follow from the table's state. The daemon adds
    what only it knows (since when a link stands)."""
    said = prompt(table)
    rnd, offer = table.rnd, table.offer
    return {
        "table": table.settings.table,
        "rules": table.rules.id,
        "state": table.state,
        "round": table.round_number,
        "prompt": said.text,
        "awaiting": said.awaiting,
        "permitted": table.permitted(),
        "turn": _turn(table),
        "boxes": _boxes(table),
        "dealer": {
            "cards": write_cards(rnd.dealer) if rnd else "",
            "total": rnd.dealer_total if rnd else 0,
        },
        "meter": {"offer": offer.number, "box": offer.box, "multiplier": offer.multiplier}
        if offer and offer.shown
        else None,
        "offer": {"offer": offer.number, "box": offer.box} if offer else None,
        "devices": {
            name: {
                "link": "up" if device.up else "down",
                "serial": device.serial or None,
                "last_event": device.last_event,
                "reason": device.reason or None,
                "faults": device.fault_words(),
            }
            for name, device in table.devices.items()
        },
        "held": _held(table),
        "settlements": [s.as_result() for s in rnd.settlements] if rnd else [],
        "due": due(table),
        "keypad": list(rows(table, said)),
    }


def _turn(table: Table) -> dict[str, int] | None:
    rnd = table.rnd
    if rnd is None or not table.mid_round:
        return None
    hand = rnd.next_hand if rnd.state == "offers.open" else rnd.hand_in_turn
    return {"box": hand.box, "hand": hand.number} if hand else None


def _boxes(table: Table) -> dict[str, Any]:
    rnd, sheet = table.rnd, table.sheet
    boxes: dict[str, Any] = {}
    for number in sheet.boxes:
        wagers: dict[str, dict[str, str | None]] = {}
        for kind in sheet.wagers:
            for bettor, stake in sheet.of_box(kind, number).items():
                wagers.setdefault(bettor, {})[kind] = write_amount(stake)
        box = rnd.boxes.get(number) if rnd else None
        boxes[str(number)] = {
            "hands": [
                {"cards": write_cards(hand.cards), "total": hand.total}
                for hand in (box.by_number if box else [])
            ],
            "wagers": wagers,
        }
    return boxes


def _held(table: Table) -> dict[str, Any] | None:
    if table.hold:
        return {
            "reason": table.hold.reason,
            "fault": table.hold.fault,
            "remedies": remedies(table),
            "cards": [str(card) for card in table.hold.cards],
        }
    missing = needed_device(table)
    if missing:
        name, why = missing
        return {"reason": why, "fault": f"{name}-down", "remedies": remedies(table), "cards": []}
    return None


def wants(table: Table) -> Wants:
    """What every device should be doing now."""
    said = prompt(table)
    shoe = table.devices.get("shoe")
    rnd, offer = table.rnd, table.offer
    meter: Arm | Show | None = None
    draw = None
    if offer is not None and rnd is not None:
        if offer.multiplier is not None:
            meter = Show(offer.number, offer.box, offer.multiplier, table.settings.spin_ms)
        elif rnd.state == "jackpot.armed":
            meter = Arm(offer.number, offer.box)
        else:
            draw = (offer.number, offer.box)
    unit = table.devices.get("jackpot")
    usable = shoe is not None and not shoe.trouble()
    return Wants(
        gate_cards=table.gate_cards if usable else 0,
        lock_for=table.pending.number if table.pending else None,
        shoe_session=shoe.session if shoe else 0,
        shoe_taken=shoe.last_event if shoe else 0,
        cards_taken=table.cards_taken,
        signal=said.signal,
        meter=meter,
        draw=draw,
        unit_taken=unit.last_event if unit else 0,
        meter_due=_meter_due(table),
        rows=rows(table, said),
        lamps=said.lamps,
        shuffle=table.shuffle,
    )


def _meter_due(table: Table) -> int | None:
    offer = table.offer
    if offer is None or offer.multiplier is None or offer.shown:
        return None
    waits = table.rnd is not None and table.rnd.state == "jackpot.drawing"
    return offer.number if waits and not table.hold and table.is_up("jackpot") else None
