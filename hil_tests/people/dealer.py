"""The dealer, and the player at the button, as methods of one class.

Every method brings the table from one state to the next and returns when its effect is committed:
an entry when it is answered, a card when the shoe's event is acknowledged, a press when the meter
shows what was drawn. What was entered and dealt is kept (:class:`hil_tests.people.record.Record`).
"""

from __future__ import annotations

from collections.abc import Callable

from hil_tests.bench.interface import Bench, Device, Json
from hil_tests.bench.steps import step
from hil_tests.people.record import Record, rules_by_name
from hil_tests.people.shoe_hand import TRIES, WAIT_S, ShoeHand


def press_armed(unit: Device) -> None:
    """Press a button as soon as it is armed. After a hold it may still be armed from before and be
    disarmed while somebody presses: then it is pressed again."""
    for _ in range(TRIES):
        unit.wait_for(lambda look: look["armed"] is not None, WAIT_S, "an armed button")
        if unit.do("press")["counted"]:
            return
    raise AssertionError("the button is disarmed whenever it is pressed")


class Dealer(ShoeHand):
    """The people at a bench's table."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.record = Record(bench.setup.rules, bench.setup.limits)

    # ---- what is to be seen -------------------------------------------------------------------

    @property
    def status(self) -> Json:
        """The committed state, as ``tablectl status --json`` prints it."""
        return self.bench.control.status()

    @property
    def state(self) -> str:
        """Dotted path of the state."""
        return str(self.status["state"])

    @property
    def jackpot(self) -> Device:
        """The button and the meter."""
        return self.bench.devices["jackpot"]

    def wait_until(self, predicate: Callable[[Json], object], what: str = "") -> Json:
        """The first committed state for which the predicate holds, as the controller reports it.

        Raises:
            AssertionError: it has not come in time; ``what`` names it.
        """
        state: Json = {}
        with self.bench.connect() as watcher:
            try:
                for state in watcher.watch(quiet_s=WAIT_S):
                    if predicate(state):
                        return state
            except Exception as error:
                raise AssertionError(f"{what or 'it'} does not come: {error}; {state}") from error
        raise AssertionError(f"{what or 'it'} has not come: {state}")

    @step
    def wait_for_devices(self, *names: str) -> Json:
        """The state once the links of these devices (or all) are up."""
        wanted = names or self.bench.setup.devices

        def up(state: Json) -> bool:
            return all(state["devices"][name]["link"] == "up" for name in wanted)

        return self.wait_until(up, f"a link of {', '.join(wanted)}")

    # ---- bets ---------------------------------------------------------------------------------

    @step
    def enter(self, command: str) -> Json:
        """Any command of the dealer; raises ``Rejected`` when it is refused."""
        answer = self.bench.control.dealer(command)
        self.record.note_command(command)
        return answer

    def open_bets(self) -> None:
        """Bets are open for the next round."""
        self.record = Record(self.bench.setup.rules, self.bench.setup.limits)
        self.enter("open")

    def wager(self, seat: int | str, **amounts: float | None) -> None:
        """``wager(1, main=100, pair=10)``; None: an amount that is not told."""
        for kind, amount in amounts.items():
            self.enter(f"wager {seat} {kind}" + ("" if amount is None else f" {amount:g}"))

    def no_more_bets(self) -> None:
        """Bets are closed."""
        boxes = self.status["boxes"]
        self.enter("close")
        if all(
            amount is not None
            for box in boxes.values()
            for placed in box["wagers"].values()
            for amount in placed.values()
        ):
            self.record.close(boxes)

    # ---- cards --------------------------------------------------------------------------------

    @step
    def card(self, **marks: bool) -> str:
        """Draw the next card once the shoe gives it; returns when it is taken."""
        before = self.status
        card = self.reach_for_card(**marks)
        self.record.card(card, before)
        self.acknowledged()
        return card

    @property
    def rules_burn(self) -> bool:
        """Whether the rules burn the first card of a new shoe."""
        rules = rules_by_name()(self.bench.setup.rules)
        return bool(rules.shoe.burn.value != "never")

    def burn_where_due(self) -> str:
        """Burn the first card of a new shoe, where the rules burn it; "" where none is due."""
        if not self.status["shoe"]["burn_due"]:
            return ""
        self.enter("burn")
        card = self.reach_for_card()
        self.acknowledged()
        return card

    def deal(self) -> None:
        """The initial deal."""
        while self.state.startswith("deal."):
            self.card()

    def dealers_hand(self) -> None:
        """The dealer's cards, as far as wagers depend on them; then the round is over."""
        while (state := self.status)["state"].startswith("dealer."):
            if "done" in state["permitted"]:
                self.enter("done")
            else:
                self.card()

    # ---- the button ---------------------------------------------------------------------------

    def press(self) -> int:
        """The player presses; returns what the meter shows."""
        self.press_button()
        return self.read_meter()

    @step
    def press_button(self) -> None:
        """Press the button as soon as it is armed."""
        press_armed(self.jackpot)

    @step
    def read_meter(self) -> int:
        """Wait until the meter shows, and the table knows it."""
        self.jackpot.wait_for(
            lambda unit: unit["state"] == "showing" and unit["unacked"] == 0, WAIT_S, "the meter"
        )
        meter = self.wait_until(lambda state: state["meter"], "the meter's figure")["meter"]
        self.record.press(meter["box"], meter["multiplier"])
        return int(meter["multiplier"])

    def paid(self) -> None:
        """The box is paid what the meter shows."""
        self.enter("done")

    # ---- decisions ----------------------------------------------------------------------------

    def stand(self, box: int | str) -> None:
        """The hand in turn stands."""
        self.enter(f"stand {box}")

    def hit(self, box: int) -> str:
        """The hand in turn takes a card; nothing needs to be keyed for it."""
        turn = self.status["turn"]
        assert turn, self.status
        assert turn["box"] == box, turn
        return self.card()

    def double(self, seat: int | str, amount: float) -> None:
        """The hand in turn is doubled, or a standing bettor doubles too."""
        self.enter(f"double {seat} {amount:g}")

    def split(self, box: int | str) -> None:
        """The hand in turn is split."""
        self.enter(f"split {box}")

    def insure(self, seat: int | str, amount: float) -> None:
        """Insurance."""
        self.enter(f"insure {seat} {amount:g}")

    def surrender(self, seat: int | str) -> None:
        """Surrender."""
        self.enter(f"surrender {seat}")

    def end_offer(self) -> None:
        """What is on offer is over: go on."""
        self.enter("done")

    @step
    def undo(self) -> None:
        """Take the last entry back."""
        self.bench.control.dealer("undo")

    def next(self) -> None:
        """The table is cleared."""
        self.enter("next")

    # ---- the supervisor -----------------------------------------------------------------------

    @step
    def supervisor(self, command: str, why: str = "told by the floor") -> Json:
        """A supervisor's command."""
        return self.bench.control.supervisor(command, by="P. Marsh", why=why)

    @step
    def ask_ready(self) -> Json:
        """The report before opening, as a supervisor asks for it: an entry of the journal."""
        told = self.bench.control.request("ready")
        assert told["stored"], told
        return told

    def second_person(self) -> None:
        """Another person, with the key switch, agrees that the round is void."""
        keypad = self.bench.devices["keypad"]
        keypad.do("switch", supervisor=True)
        keypad.do("key", keys="V#")
        keypad.wait_for(lambda pad: pad["unacked"] == 0, WAIT_S, "the keys' acknowledgement")
        keypad.do("switch", supervisor=False)
