"""A round script played at a live table: the same wagers, cards and decisions.

The script is first played by its runner, which gives the order of what happens. Then the same is
done at the table: cards leave the shoe as their marks say; the dealer enters what is said, and
reports what goes wrong; a remedy that the dealer is refused is the supervisor's; the button is
pressed and shows what the table draws; a power cut is a reboot. A script's ``!`` steps, which
change nothing, are left out.

Hands are compared by their cards and totals alone.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from controller.control.client import RefusedByController
from controller.game.rules.cards import BUST_ABOVE, hand_total, parse_card
from controller.game.scripts.runner import tell_script
from controller.game.scripts.script import ShoeCard, read_json, read_script
from controller.game.scripts.script_play import Happening
from hil_tests.bench.interface import Json
from hil_tests.people.dealer import Dealer, stack_whole_set
from hil_tests.people.playing import ENDED
from hil_tests.people.record import rules_by_name
from hil_tests.people.shoe_hand import marks_of


def hands_of(status: Any, box: int) -> list[tuple[str, int]]:
    """Cards and total of each hand of the box, in the order in which they came to be."""
    return [(hand["cards"], hand["total"]) for hand in status["boxes"][str(box)]["hands"]]


def boxes_of(status: Any) -> dict[str, list[dict[str, Any]]]:
    """The hands of every box as a round's result has them."""
    return {
        box: [{"cards": hand["cards"], "total": hand["total"]} for hand in told["hands"]]
        for box, told in status["boxes"].items()
    }


WINDOWS = ("offers.open", "play.withdraw", "jackpot.paying")
"""States that are passed by ``done`` before the next card."""

REMEDIES = (
    *("void", "void-hand", "reconstruct", "use", "discard", "choose", "reshuffle"),
    *("cap", "pro-rata", "continue", "report"),
)
HAPPENS = ("card", "loose", "step", "declined", "drawn")
MOST_DONES = 20


def as_it_stands(script: Json, settlements: list[Json]) -> list[Json]:
    """The settlements to be compared. Cards that leave the shoe together come one after the other
    at a live table: what the first one has settled is told, and taken back when the next one comes.
    So does a card that nobody asked for. In a round with such cards both are left out, each
    reversal with what it takes back."""
    unasked = any(step.startswith(("report drawn", "report empty")) for step in script["steps"])
    if "&" not in script["shoe"] and not unasked:
        return settlements
    standing: list[Json] = []
    for told in settlements:
        taken_back = [one for one in standing if _takes_back(told, one)]
        if taken_back:
            standing.remove(taken_back[0])
        else:
            standing.append(told)
    return standing


def _takes_back(told: Json, one: Json) -> bool:
    same = all(told[key] == one[key] for key in ("box", "bettor", "hand", "kind", "clause"))
    return told["outcome"] == "reversed" and same and float(told["net"]) == -float(one["net"])


class ScriptedTable:
    """A live table whose people do what a script says. ``by_supervisor`` are the remedies that the
    dealer was refused."""

    burns = True
    """Whether the first card of a new shoe is burned, where the rules say so."""

    def __init__(self, dealer: Dealer, script: Json) -> None:
        self.dealer = dealer
        read = read_script(read_json(json.dumps(script)), rules_by_name())
        self._wagers = script["wagers"]
        self._tens = bool(read.rules.cards.tens.value)
        self._course = [
            happening for happening in tell_script(read)[1] if happening.what in HAPPENS
        ]
        self._shoe: deque[ShoeCard] = deque(read.shoe)
        self.by_supervisor: list[str] = []

    def play(self) -> Json:
        """Play the whole round; the state at its end."""
        steps = [happening.text for happening in self._course if happening.what == "step"]
        burns = self.burns and self.dealer.rules_burn and "report not-burned" not in steps
        cards = [str(entry.card) for entry in self._shoe]
        self.stack(cards, burned=burns)
        self.dealer.open_bets()
        if burns:
            self.dealer.burn_where_due()
        self._bets()
        for place, happening in enumerate(self._course):
            self._happens(happening, self._course[place + 1 :])
        return self._to_the_end()

    def stack(self, cards: list[str], *, burned: bool) -> None:
        """Put these cards in the shoe, and the rest of the set behind them."""
        stack_whole_set(self.dealer, cards, burned=burned, tens=self._tens)

    def _bets(self) -> None:
        self.dealer.clear_wagers()
        for wager in self._wagers:
            seat = f"{wager['box']}{wager.get('bettor', '')}"
            kinds = {kind: wager[kind] for kind in wager if kind not in ("box", "bettor")}
            self.dealer.wager(seat, **kinds)
        self.dealer.no_more_bets()

    def _happens(self, happening: Happening, behind: list[Happening]) -> None:
        match happening.what:
            case "card" if happening.put_back:
                self._comes_again(happening)
            case "card":
                self._shoe.popleft()
                self._pass_windows()
                self.dealer.card()
            case "loose":
                reported = bool(behind) and behind[0].text.startswith(
                    ("report drawn", "report empty-box")
                )
                cards, _, _ = happening.text.partition(":")
                self._loose(len(cards.split()), unasked=reported)
            case "step":
                self._step(happening.text, behind)
            case "declined":
                self.dealer.end_offer()

    # ---- cards ----------------------------------------------------------------------------------

    def _pass_windows(self) -> None:
        """Say ``done`` where no card may leave before: an offer is open, a choice behind a
        remedy."""
        for _ in range(MOST_DONES):
            status = self.dealer.status
            permitted, state = status["permitted"], status["state"]
            if "done" not in permitted or state == "play.decide":
                return
            if state not in WINDOWS and status["shoe"]["gate"]:
                return
            self.dealer.end_offer()
        raise AssertionError(f"no card can leave: {status}")

    def _comes_again(self, happening: Happening) -> None:
        """A card that was put back comes by itself, or when nobody wants to say anything more."""
        for _ in range(MOST_DONES):
            status = self.dealer.status
            hands = (
                status["boxes"][str(happening.box)]["hands"]
                if happening.box
                else [status["dealer"]]
            )
            cards = (
                hands[happening.hand - 1]["cards"].split() if len(hands) >= happening.hand else []
            )
            if happening.text in cards:
                return
            self.dealer.end_offer()
        raise AssertionError(f"{happening.text} does not come again: {status}")

    def _loose(self, count: int, *, unasked: bool) -> None:
        """Cards leave the shoe as their marks say, together or when nobody asked for one."""
        if unasked:
            self._unasked(self._shoe.popleft())
            return
        self._pass_windows()
        for number in range(count):
            marks = marks_of(self._shoe.popleft(), tens=self._tens)
            if number:
                self.dealer.draw_with_the_last(**marks)
            else:
                self.dealer.card(**marks)

    def _unasked(self, entry: ShoeCard) -> None:
        """A card leaves that nobody asked for. Through an open gate it is dealt as a hit, and the
        report of it takes it back; one that would end the hand, and so its wager, is pulled out
        under the lid, while the gate is locked."""
        status = self.dealer.status
        turn = status["turn"]
        if turn and status["permitted"]:
            hand = status["boxes"][str(turn["box"])]["hands"][turn["hand"] - 1]
            cards = [parse_card(name) for name in hand["cards"].split()]
            if hand_total([*cards, entry.card]) >= BUST_ABOVE:
                self.dealer.draw_under_the_lid()
                return
        self.dealer.gate_at_rest()
        self.dealer.draw(force=True)

    # ---- what is said ---------------------------------------------------------------------------

    def _step(self, text: str, behind: list[Happening]) -> None:
        verb, dealer = text.split(maxsplit=1)[0], self.dealer
        if dealer.state == "jackpot.paying":
            dealer.end_offer()
        match verb:
            case "hit" if not (behind and behind[0].put_back):
                return  # the card itself says it
            case "press":
                dealer.press()
            case "overdraw":
                self._to_the_end()
                self._shoe.popleft()
                dealer.draw(force=True)
                dealer.enter("discard")
            case "correct" | "lies":
                dealer.supervisor(text)
                more = behind and behind[0].what == "step"
                if not (more and behind[0].text.startswith(("correct ", "lies "))):
                    self._end_correction()
            case "wager":
                dealer.supervisor(text)
            case _ if text == "report power":
                dealer.bench.reboot()
                dealer.wait_for_devices()
            case _:
                self._give_step(text)

    def _end_correction(self) -> None:
        """``done``, unless it was judged already: play was held, or a supervisor's command came
        between."""
        status = self.dealer.status
        if "done" not in status["permitted"] or status["held"]:
            return
        try:
            self.dealer.end_offer()
        except RefusedByController:
            if "A correction is being made" in self.dealer.status["prompt"]:
                raise

    def _give_step(self, text: str) -> None:
        """By the dealer where it is his to say; of remedies, and of what is told when the table is
        held already, he may be refused, and the supervisor says it."""
        status, dealer = self.dealer.status, self.dealer
        if text.split(maxsplit=1)[0] not in REMEDIES and not status["held"]:
            dealer.enter(text)
            return
        try:
            dealer.enter(text)
        except RefusedByController:
            assert text not in status["permitted"], status
            self.by_supervisor.append(text)
            power = (status["held"] or {}).get("fault") == "power-failure"
            dealer.supervisor("resume" if power and text == "continue" else text)
            if (dealer.status["held"] or {}).get("fault") == "void-unconfirmed":
                dealer.second_person()

    def _to_the_end(self) -> Json:
        """Nothing more is said: what is on offer is declined, and no card is left to be drawn."""
        for _ in range(MOST_DONES):
            status = self.dealer.status
            if status["state"] in ENDED:
                return status
            assert "done" in status["permitted"], status
            self.dealer.end_offer()
        raise AssertionError(f"the round does not end: {status}")
