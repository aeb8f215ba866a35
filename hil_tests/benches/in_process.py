"""A bench whose table is in this process: whoever works at a table with processes works at this
one. It has of :class:`hil_tests.bench.interface.Bench` what play needs; what is done at a device
has come at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Self

from controller.control.client import RefusedByController
from controller.files.rules import load_rules
from controller.game.round.refusal import Refused
from controller.table.settings import Settings
from hil_tests.bench.interface import Json
from hil_tests.bench.setup import Setup
from hil_tests.benches.driven_table import (
    DAMAGED,
    FACE_UP,
    FOREIGN,
    LIMITS,
    LOCKED,
    TOGETHER,
    TableInProcess,
)
from simulators.cards import shuffled
from simulators.hands import HandsError

FLAGS: Final = {
    "face_up": FACE_UP,
    "together": TOGETHER,
    "other_back": FOREIGN,
    "damaged": DAMAGED,
}


class _Device:
    def __init__(self, bench: InProcessBench) -> None:
        self._bench, self._live = bench, bench.live

    def look(self) -> Json:
        return {"unacked": 0}

    def wait_for(
        self, predicate: Callable[[Json], object], timeout: float = 0.0, what: str = ""
    ) -> Json:
        look = self.look()
        if not predicate(look):
            raise TimeoutError(f"{what}: it never comes, {look} in {self._live.state}")
        return look


class _Shoe(_Device):
    _lid_locks = False

    def do(self, verb: str, **given: Any) -> Json:
        cards = self._bench.cards
        match verb:
            case "draw":
                return {"cards": [self._draw(**given)]}
            case "stack":
                cards.extendleft(reversed(given["cards"].split()))
            case "load":
                cards.clear()
                cards += given.get("cards") or map(
                    str, shuffled(given["decks"], given["seed"], tens=given["tens"])
                )
                self._live.load()
            case "lid":
                self._lid_locks = True
        return {}

    def _draw(self, *, force: bool = False, **marks: bool) -> str:
        unlocked = self.look()["gate"] == "unlocked" and not self._lid_locks
        if not (unlocked or force):
            raise HandsError(f"the gate is locked in {self._live.state}")
        self._lid_locks = False
        card = self._bench.cards.popleft().replace("10", "T")
        flags = sum(FLAGS[mark] for mark in marks)
        self._live.slip(card, flags | (0 if unlocked else LOCKED))
        return card

    def look(self) -> Json:
        opens = self._live.wants().gate_cards > 0
        told = (
            {"gate": "unlocked", "signal": "green"} if opens else {"gate": "locked", "signal": ""}
        )
        return {**told, "unacked": 0, "remaining": len(self._bench.cards)}


class _Unit(_Device):
    _shows = False

    def do(self, verb: str) -> Json:
        assert verb == "press", verb
        drawn = self._bench.multipliers
        self._live.win(drawn.popleft() if len(drawn) > 1 else drawn[0])
        return {"counted": True}

    def look(self) -> Json:
        offer = self._live.table.jackpot.offer
        armed = self._live.offer if self._live.state.endswith("jackpot.armed") else None
        shows = offer is not None and offer.shown
        return {"armed": armed, "state": "showing" if shows else "", "unacked": 0}


class _Keypad(_Device):
    _supervisor = False

    def do(self, verb: str, *, keys: str = "", supervisor: bool = False) -> Json:
        if verb == "switch":
            self._supervisor = supervisor
        self._live.keys(keys, supervisor=self._supervisor)
        return {"taken": len(keys)}


class InProcessBench:
    """The bench of ``live``, or of a table of its own; ``cards`` are in the shoe, and of the
    ``multipliers`` each is drawn in its turn, the last one ever again."""

    def __init__(
        self,
        setup: Setup,
        live: TableInProcess | None = None,
        multipliers: Iterable[int] = (2,),
    ) -> None:
        self.setup = setup
        if live is None:
            live = TableInProcess(_settings_of(setup))
            live.open()
        self.live = live
        self.cards: deque[str] = deque()
        self.multipliers = deque(multipliers)
        self.devices = {"shoe": _Shoe(self), "jackpot": _Unit(self), "keypad": _Keypad(self)}
        self.control = self
        self._boots = 1

    def reboot(self) -> None:
        """The machine starts again: a new boot."""
        self._boots += 1
        self.live.start(f"boot-{self._boots}")
        for name in self.live.settings.devices:
            self.live.up(name)

    # ---- as a client of the controller has it -------------------------------------------------

    def status(self) -> Json:
        """The state."""
        return self.live.status()

    def dealer(self, command: str) -> Json:
        """A dealer's command; raises ``RefusedByController``."""
        return self._answer(lambda: self.live.give_commands(command))

    def supervisor(self, command: str, by: str, why: str | None) -> Json:
        """A supervisor's command, by who is logged in under that name."""
        return self._answer(lambda: self.live.order(command, by, why, user=by))

    def _answer(self, saying: Callable[[], object]) -> Json:
        try:
            saying()
        except Refused as refused:
            raise RefusedByController({"kind": "refused", "reason": refused.reason}) from refused
        return {}

    def connect(self) -> Self:
        """There is but one connection."""
        return self

    def watch(self, **_: object) -> Iterator[Json]:
        """The state as it is: nothing comes by itself."""
        yield self.status()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is to be ended."""


def _settings_of(setup: Setup) -> Settings:
    rules, devices = load_rules(setup.rules), setup.devices
    return Settings(setup.table, rules, setup.decks, setup.boxes, LIMITS, devices, setup.spin_ms)
