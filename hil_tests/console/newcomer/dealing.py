"""The rounds, dealt by somebody's hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hil_tests.console.newcomer.first_evening import ROUNDS, DealtRound, steps
from hil_tests.console.newcomer.hands import AtKeypad, AtPage

MULTIPLIED = "pandemonium"
"""Its outcome is what the unit has drawn, each time anew."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What a round took: touches or keys, the commands that they gave; and what it came to."""

    count: int
    commands: int
    came_to: Sequence[Mapping[str, object]]


def deal_all(hands: AtPage | AtKeypad, rounds: Sequence[DealtRound] = ROUNDS) -> list[Counts]:
    """Deal them, from the table at rest to the table at rest."""
    if hands.people.status["shoe"]["burn_due"]:
        hands.people.stack("QC")
        hands.people.bench.control.dealer("burn")
        hands.people.reach_for_card()
        hands.people.acknowledged()
    return [_deal(hands, one) for one in rounds]


def _deal(hands: AtPage | AtKeypad, one: DealtRound) -> Counts:
    count, commands, people = hands.count, hands.commands, hands.people
    people.stack(one.cards)
    if people.state == "idle":
        hands.enter("open")
    lying = people.status["boxes"]
    for wager, amount in one.wagers.items():
        seat, kind = wager.split()
        lies = lying.get(seat[0], {}).get("wagers", {}).get(seat[1:] or "a", {})
        if float(lies.get(kind, 0)) != amount:
            hands.enter(f"wager {seat} {kind} {amount:g}")
    hands.enter("close")
    for step in steps(one.course):
        if step == "card":
            people.reach_for_card()
            people.acknowledged()
        elif step == "press":
            people.press()
        else:
            hands.enter(step)
    status = people.wait_until(lambda state: state["state"] == "settled", one.about)
    settled = [each for each in status["settlements"] if each["kind"] != MULTIPLIED]
    hands.read_payments()
    hands.enter("next")
    people.wait_until(lambda state: state["state"] == "idle", "the table at rest")
    return Counts(hands.count - count, hands.commands - commands, settled)
