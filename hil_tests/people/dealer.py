"""The dealer, and the player at the button, as methods of one class.

Every method brings the table from one state to the next and returns when its effect is committed:
an entry when it is answered, a card when the shoe's event is acknowledged, a press when the meter
shows what was drawn. What was entered and dealt is kept (:class:`hil_tests.people.record.Record`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.steps import step
from hil_tests.people.record import Record, rules_by_name
from hil_tests.people.shoe_hand import WAIT_S, ShoeHand, whole_set

Wagers = Mapping[int | str, Mapping[str, float | None]]

BURNED = "QC"
"""The card in front of the script's where the first one of a new shoe is burned."""


def stack_whole_set(
    dealer: Dealer,
    cards: Sequence[str],
    *,
    burned: bool,
    tens: bool,
    source: random.Random | None = None,
) -> None:
    """Load the shoe: the card to be burned, these, the rest of the set behind, in an order of
    ``source`` where there is one. Where the round before took the set out of play, the floor has
    counted it."""
    front = [BURNED] * burned + list(cards)
    rest = list((Counter(whole_set(dealer.bench.setup, tens=tens)) - Counter(front)).elements())
    if source:
        source.shuffle(rest)
    size = dealer.bench.setup.decks * (52 if tens else 48)
    dealer.load(cards=[*front, *rest][:size])
    told = dealer.status["shoe"]
    if str(told["set"]) in told["blocked"]:
        clearing = f"clear-set {told['set']}"
        dealer.bench.control.supervisor(clearing, by="P. Marsh", why="counted, and complete")


class Dealer(ShoeHand):
    """The people at a bench's table. Beside the cards, ``shown`` are the figures of the meter, and
    ``answered`` the entries that were answered, of all rounds."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self.record = Record(bench.setup.rules, bench.setup.limits)
        self.shown: list[int] = []
        self.answered: list[str] = []

    # ---- what is to be seen -------------------------------------------------------------------

    @property
    def status(self) -> Json:
        """The committed state, as ``tablectl status --json`` prints it."""
        return self.bench.control.status()

    @property
    def state(self) -> str:
        """Dotted path of the state."""
        return str(self.status["state"])

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

    @step
    def wait_until_lost(self, *names: str) -> None:
        """Wait until the table knows that these devices are lost."""

        def down(state: Json) -> bool:
            return all(state["devices"][name]["link"] == "down" for name in names)

        self.wait_until(down, f"the loss of {', '.join(names)}")

    def unplug(self, *names: str) -> None:
        """Pull the plugs of these devices; returns when the table knows of it."""
        for name in names:
            self.bench.devices[name].do("unplug")
        self.wait_until_lost(*names)

    def plug(self, *names: str) -> None:
        """Put them back; returns when their links are up."""
        for name in names:
            self.bench.devices[name].do("plug")
        self.wait_for_devices(*names)

    def start_anew(self) -> None:
        """The controller is killed and started again; returns when its links are up."""
        self.bench.kill_controller()
        self.bench.start_controller()
        self.wait_for_devices()

    # ---- bets ---------------------------------------------------------------------------------

    @step
    def enter(self, command: str) -> Json:
        """Any command of the dealer; raises ``Rejected`` when it is refused."""
        answer = self.bench.control.dealer(command)
        self._entered(command)
        return answer

    def _entered(self, command: str) -> None:
        self.record.note_command(command)
        self.answered.append(command)

    def open_bets(self) -> None:
        """Bets are open for the next round."""
        self.record = Record(self.bench.setup.rules, self.bench.setup.limits)
        self.enter("open")

    def clear_wagers(self) -> None:
        """Have every wager taken out that lies there."""
        for box, shown in self.status["boxes"].items():
            for bettor, kinds in shown["wagers"].items():
                for kind in kinds:
                    self.enter(f"wager {box}{bettor} {kind} 0")

    def bet_on(self, cards: str, wagers: Wagers) -> None:
        """Have these cards come next, and bets opened and closed with these ``wagers`` alone, by
        seat and kind."""
        self.stack(cards)
        self.open_bets()
        self.clear_wagers()
        for seat, amounts in wagers.items():
            self.wager(seat, **amounts)
        self.no_more_bets()

    def deal_round(self, cards: str, wagers: Wagers) -> None:
        """The same, and the initial deal, up to the first card that is not as it should be."""
        self.bet_on(cards, wagers)
        self.deal()

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
    def read_meter(self) -> int:
        """Wait until the meter shows, and the table knows it."""
        self.wait_for(
            "jackpot", lambda unit: unit["state"] == "showing" and unit["unacked"] == 0, "the meter"
        )
        meter = self.wait_until(lambda state: state["meter"], "the meter's figure")["meter"]
        self.record.press(meter["box"], meter["multiplier"])
        self.shown.append(int(meter["multiplier"]))
        return self.shown[-1]

    def paid(self) -> None:
        """The box is paid what the meter shows."""
        self.enter("done")

    # ---- decisions ----------------------------------------------------------------------------

    def stand(self, box: int | str) -> None:
        """The hand in turn stands."""
        self.enter(f"stand {box}")

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
        self.acknowledged("keypad")
        keypad.do("switch", supervisor=False)
