"""A round script dealt at a live table in this process: :class:`hil_tests.tables.scripted` with a
table that is driven by events. The meter shows what the script says, so that the whole result can
be compared. By ``keyed`` people everything is entered at the keypad."""

from __future__ import annotations

from collections import deque
from decimal import Decimal
from typing import Any, Self, cast

from controller.control.client import RefusedByController
from controller.game.round.refusal import Refused
from controller.game.round.results import round_result
from controller.game.round.wagers import Limits
from hil_tests.bench.interface import Json
from hil_tests.people.dealer import Dealer
from hil_tests.people.keying_dealer import KeyingDealer
from hil_tests.tables.scripted import ScriptedTable
from tests.table.live.driver import DAMAGED, FACE_UP, FOREIGN, LOCKED, TOGETHER, Live

FLAGS = {"face_up": FACE_UP, "together": TOGETHER, "other_back": FOREIGN, "damaged": DAMAGED}


class TableDealer:
    """The people at a table in this process, by the names that :class:`Dealer` has."""

    rules_burn = False

    def __init__(self, script: Json) -> None:
        self.live = Live(script["rules"], limits=_limits(script))
        self.shoe = self.bench = self
        self._boots = 1
        self.cards: deque[str] = deque()
        self.multipliers: deque[int] = deque(script.get("multipliers", ()))

    @property
    def status(self) -> Json:
        return self.live.status()

    @property
    def state(self) -> str:
        return self.live.state

    def enter(self, command: str) -> Json:
        try:
            self.live.say(command)
        except Refused as refused:
            raise RefusedByController({"kind": "refused", "reason": refused.reason}) from refused
        return {}

    def supervisor(self, command: str) -> Json:
        try:
            self.live.order(command)
        except Refused as refused:
            raise RefusedByController({"kind": "refused", "reason": refused.reason}) from refused
        return {}

    def second_person(self) -> None:
        self.live.order("confirm void", by="Tan", user="tan")

    def open_bets(self) -> None:
        self.enter("open")

    wager, end_offer = Dealer.wager, Dealer.end_offer

    def no_more_bets(self) -> None:
        self.enter("close")

    # ---- the shoe and the button ----------------------------------------------------------------

    def card(self, **marks: bool) -> None:
        assert self.live.wants().gate_cards, f"the gate is locked in {self.live.state}"
        self.draw(**marks)

    def draw(self, *, force: bool = False, **marks: bool) -> None:
        """The next card leaves; what the shoe tells of its gate is as it is."""
        flags = sum(FLAGS[mark] for mark in marks)
        self.live.slip(self.cards.popleft(), flags | (0 if self._open else LOCKED))

    def draw_with_the_last(self, **marks: bool) -> None:
        self.draw(**{**marks, "together": True})

    def draw_under_the_lid(self) -> None:
        self.live.slip(self.cards.popleft(), LOCKED)

    def gate_at_rest(self) -> None:
        """It is at rest whenever it is looked at."""

    @property
    def _open(self) -> bool:
        return self.live.wants().gate_cards > 0

    def look(self) -> Json:
        return {"gate": "unlocked" if self._open else "locked"}

    def press(self) -> None:
        self.live.win(self.multipliers.popleft())

    def reboot(self) -> None:
        self._boots += 1
        self.live.start(f"boot-{self._boots}")

    def wait_for_devices(self) -> None:
        for name in self.live.settings.devices:
            self.live.up(name)


class TableKeypad:
    """The keypad of such a table, as a simulated device is told what to do."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._supervisor = False

    def do(self, what: str, *, keys: str = "", supervisor: bool = False) -> Json:
        if what == "switch":
            self._supervisor = supervisor
        self._live.keys(keys, supervisor=self._supervisor)
        return {"taken": len(keys)}

    def wait_for(self, *_: object) -> None:
        """Everything is taken at once."""


class TableKeyingDealer(TableDealer):
    """The same people at the keypad alone."""

    def __init__(self, script: Json) -> None:
        super().__init__(script)
        self.devices = {"keypad": TableKeypad(self.live)}
        wagers = self.live.table.rules.side_wagers
        self._kinds = {"main": "M", **{kind: rule.keypad for kind, rule in wagers.items()}}
        self._turned = False
        self.record = self

    def note_command(self, command: str) -> None:
        """Nothing is kept of what was said."""

    enter, supervisor = KeyingDealer.enter, KeyingDealer.supervisor
    rows, _turn, _press, _key_command = (
        KeyingDealer.rows,
        KeyingDealer._turn,
        KeyingDealer._press,
        KeyingDealer._key_command,
    )
    _keys, _others_choose, _choose = (
        KeyingDealer._keys,
        KeyingDealer._others_choose,
        KeyingDealer._choose,
    )
    _find_row, _is_listed, _page_to = (
        KeyingDealer._find_row,
        KeyingDealer._is_listed,
        KeyingDealer._page_to,
    )


class LiveScript(ScriptedTable):
    """Such a table whose people do what a script says."""

    def __init__(self, script: Json, *, keyed: bool = False) -> None:
        people = (TableKeyingDealer if keyed else TableDealer)(script)
        self.live = people.live
        self.people = people
        super().__init__(cast("Dealer", people), script)

    def stack(self, cards: list[str], *, burned: bool) -> None:
        self.people.cards = deque(cards)

    @classmethod
    def result(cls, script: Json, *, keyed: bool = False) -> tuple[Self, Any]:
        """The table behind the round, and the round's result."""
        table = cls(script, keyed=keyed)
        table.play()
        rnd = table.live.table.rnd
        assert rnd
        return table, round_result(rnd, script["title"])


def _limits(script: Json) -> Limits:
    given = script.get("limits", {})
    cents = {name: int(Decimal(str(value)) * 100) for name, value in given.items()}
    most = cents.get("max", 10_000_000)
    return Limits(
        min=cents.get("min", 100),
        max=most,
        box_max=cents.get("box_max", 3 * most),
        player_max=cents.get("player_max", 0),
    )
