"""A real device, and the person at it, handled like a twin: verbs, looks, waiting.

- What is to be done is asked for in words (:mod:`hil_tests.benches.table.console`).
- What the link tells is taken from the controller: which card came, whether the button is armed.
- What only eyes can tell (the lamp, the meter's figure) is asked, when a scenario looks at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from controller.control.client import ControlClient, NoController
from hil_tests.bench.interface import Json
from hil_tests.benches.table.console import Console, request

LINK_S: Final = 30.0
"""Until the controller knows what a person has done: adapters are slow to appear."""

METER: Final = {
    "jackpot.armed": "armed",
    "jackpot.drawing": "spinning",
    "jackpot.paying": "showing",
}
QUESTIONS: Final = {
    ("shoe", "signal"): ("What colour is the lamp of the card shoe?", "off green amber red"),
    ("shoe", "blink"): ("Does the lamp of the card shoe blink?", "yes no"),
    ("keypad", "hold"): ("Is the hold lamp of the keypad lit?", "yes no"),
    ("jackpot", "cover_open"): ("Is the cover of the jackpot unit open?", "yes no"),
    ("jackpot", "shown"): (
        "What figure does the meter show (0: none)?",
        " ".join(map(str, range(1001))),
    ),
}


class DeviceView(dict[str, Any]):
    """What the link tells of a device; what only eyes can tell is asked when it is looked at."""

    def __init__(self, name: str, told: Json, console: Console) -> None:
        super().__init__(told)
        self._name = name
        self._console = console

    def __missing__(self, key: str) -> Any:
        """Ask; ``KeyError`` for what no person was ever to tell."""
        question, answers = QUESTIONS[self._name, key]
        told = self._console.ask_which(question, answers.split())
        self[key] = {"yes": True, "no": False}.get(told, int(told) if told.isdigit() else told)
        return self[key]


class PersonDevice:
    """A device called ``name``; ``connect`` makes a connection to the controller."""

    def __init__(self, name: str, console: Console, connect: Callable[[], ControlClient]) -> None:
        self._name = name
        self._console = console
        self._connect = connect

    def do(self, verb: str, **arguments: Any) -> Json:
        """Have it done; a card drawn is told by the controller."""
        asked = request(self._name, verb, arguments)
        if verb != "draw":
            self._console.please(asked)
            return {"counted": True} if verb == "press" else {}
        before = self._status()
        self._console.please(asked)
        used = before["shoe"]["used"] + int(arguments.get("count", 1))
        after = self._until(lambda state: state["shoe"]["used"] >= used, LINK_S, "the card")
        return {"cards": list((_cards(after) - _cards(before)).elements())}

    def look(self) -> Json:
        """What is known of it now."""
        return self._view_of(self._status())

    def wait_for(
        self, predicate: Callable[[Json], object], timeout: float = 5.0, what: str = ""
    ) -> Json:
        """See :class:`hil_tests.bench.Device`."""
        found = self._until(
            lambda state: predicate(self._view_of(state)), max(timeout, LINK_S), what or "it"
        )
        return self._view_of(found)

    def _view_of(self, state: Json) -> Json:
        link = state["devices"][self._name]
        up = link["link"] == "up"
        told: Json = {"kind": self._name, "plugged": up, "served": up, "unacked": 0}
        if self._name == "shoe":
            # Whoever draws feels the gate, and waits for it: he is asked to draw when it opens.
            told["gate"] = "locked" if state["held"] else "unlocked"
            told |= {"remaining": state["shoe"]["remaining"], "drawn": state["shoe"]["used"]}
        if self._name == "jackpot":
            told["state"] = METER.get(state["state"], "idle")
            told["armed"] = state["offer"] if told["state"] == "armed" else None
        return DeviceView(self._name, told, self._console)

    def _status(self) -> Json:
        with self._connect() as control:
            return control.status()

    def _until(self, predicate: Callable[[Json], object], within_s: float, what: str) -> Json:
        state: Json = {}
        with self._connect() as control:
            try:
                for state in control.watch(quiet_s=within_s):
                    if predicate(state):
                        return state
            except NoController as error:
                told = f"{self._name}: {what} has not come within {within_s:g} s: {state}"
                raise TimeoutError(told) from error
        raise AssertionError("a watch without end")


def _cards(state: Json) -> Counter[str]:
    """Every card that lies on the table."""
    hands = [hand["cards"] for box in state["boxes"].values() for hand in box["hands"]]
    texts = [*hands, state["dealer"]["cards"], state["shoe"]["burned"]]
    held = state["held"]["cards"] if state["held"] else []
    return Counter([card for text in texts for card in text.split()] + list(held))
