"""What is said beside what is awaited, in words and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from controller.forms.json_values import JsonObject
from controller.table.dealing import face_down
from controller.table.holds import conditions
from controller.table.shoe import burning, card_sets, cutting, shuffling
from controller.table.state.table import Table

Code = Literal[
    "burn-first-card",
    "condition",
    "cut",
    "cutting-card",
    "device-reports",
    "device-told",
    "face-down",
    "not-burned",
    "set-is-blocked",
    "shoe-empty",
    "shuffle-first",
    "super-bonus",
]
"""What can be said, one meaning each."""


@dataclass(frozen=True, slots=True)
class Notice:
    """``code`` is what is meant, ``values`` what the ``text`` varies by."""

    code: Code
    text: str
    values: JsonObject = field(default_factory=dict)

    def as_value(self) -> JsonObject:
        """It for programs."""
        return {"code": self.code, "values": self.values}


def notices(table: Table) -> list[Notice]:
    """All that is to be said now, in the order in which it is said."""
    return [
        *_of_conditions(table),
        *_of_the_round(table),
        *_of_cards(table),
        *_of_the_next_card(table),
    ]


def _of_conditions(table: Table) -> Iterator[Notice]:
    if said := table.entering.notice:
        yield Notice("device-told", said, {"text": said})
    for one in conditions.notices(table):
        values = {"fault": one.fault, "detail": one.detail, "holds_later": one.holds_later}
        yield Notice("condition", one.text, values)
    for device in table.devices.values():
        if said := conditions.reported(device):
            yield Notice("device-reports", said, {"device": device.name})


def _of_the_round(table: Table) -> Iterator[Notice]:
    bonus = table.rules.super_bonus
    if table.rnd is None or bonus is None or bonus.paid.value == "with_the_hand":
        return
    if boxes := sorted({box for box, _ in table.rnd.super_bonus}):
        clause = bonus.paid.clause
        where = f"{'box' if len(boxes) == 1 else 'boxes'} {', '.join(map(str, boxes))}"
        text = f"{where}: the supervisor sees the cards, then the Super Bonus is paid, {clause}"
        yield Notice("super-bonus", text, {"boxes": [*boxes], "clause": clause})


def _of_cards(table: Table) -> Iterator[Notice]:
    shoe = table.shoe
    if shoe.cutting_card and not table.mid_round and not shoe.book.doubt:
        yield Notice("cutting-card", "the cutting card has come: shuffle")
    elif refused := shuffling.refused(table):
        due = {"why": shuffling.why_due(table), "clear_set": shuffling.set_to_clear(table)}
        yield Notice("shuffle-first", refused.reason, due)
    if cut := cutting.cut(table):
        box, clauses = cut
        values = {"box": box or None, "clauses": list(clauses)}
        yield Notice("cut", cutting.in_words(cut), values)
    if refused := card_sets.refused(table):
        number = shoe.sets.in_shoe
        assert number
        blocked = {"set": number, "why": shoe.sets.blocked[number]}
        yield Notice("set-is-blocked", refused.reason, blocked)
    clause = table.rules.shoe.burn.clause
    if burning.may_burn(table):
        text = f"a new shoe: burn its first card, {clause}"
        yield Notice("burn-first-card", text, {"clause": clause})
    elif burning.burn_due(table) and table.mid_round:
        text = f"the first card was not burned: undo, then burn, {clause}"
        yield Notice("not-burned", text, {"clause": clause})


def _of_the_next_card(table: Table) -> Iterator[Notice]:
    if not table.card_expected:
        return
    if box := face_down.next_down(table):
        yield Notice("face-down", f"box {box} squeezes: face down", {"box": box})
    shoe = table.devices.get("shoe")
    if shoe and not shoe.can_give:
        yield Notice("shoe-empty", "the card shoe is empty")
