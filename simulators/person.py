"""What a person does to the simulated devices of a standing table: ``tablectl twin``.

    python -m simulators.person FOLDER DEED GIVEN

Each device listens in FOLDER under its name (:mod:`simulators.server`). GIVEN is a JSON object with
what the deed takes. One JSON object is printed: the answer, or ``failed`` (``silent``, ``refused``
or ``unknown``) with ``error``, for ``unknown`` also the ``name`` and the ``names`` that there are.

What a person does has an effect when the controller has taken what the device reports of it: that
is waited for where the link is up, so that ``status`` right behind shows it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from simulators.hands import Hands, HandsError, Json, VerbRefused

GATE_S: Final = 5.0
"""A card may leave the shoe when the controller has unlocked the gate for it."""
TAKEN_S: Final = 2.0
"""How long the controller is waited for; what a device has reported is not lost behind that."""


class NotDone(Exception):
    """It could not be done; ``told`` says why."""

    def __init__(self, failed: str, error: str, **more: object) -> None:
        super().__init__(error)
        self.told: Json = {"failed": failed, "error": error, **more}


class Person:
    """At the devices of ``folder``. Each method raises :class:`NotDone`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def draw(self, count: int) -> Json:
        """Draw cards from the shoe, each as its gate lets it go."""
        cards: list[str] = []
        with self._hands_at("shoe") as shoe:
            for number in range(count):
                try:
                    shoe.wait_for(lambda state: state["gate"] == "unlocked", GATE_S)
                except TimeoutError:
                    drawn = f"after {number} of {count} cards " if number else ""
                    said = f"{drawn}the gate stays locked: the table expects no card"
                    raise NotDone("refused", said) from None
                cards += shoe.do("draw")["cards"]
                _wait_until_taken(shoe)
        return {"cards": cards}

    def next(self, cards: Sequence[str]) -> Json:
        """Choose the cards that leave the shoe next."""
        with self._hands_at("shoe") as shoe:
            return _answer(shoe.do("stack", cards=cards))

    def press(self) -> Json:
        """Press the jackpot button."""
        return self.do("jackpot", "press")

    def key(self, keys: str) -> Json:
        """Press keys of the keypad, one after the other."""
        with self._hands_at("keypad") as keypad:
            taken = 0
            for key in keys:  # as a hand does, which reads the rows in between
                taken += keypad.do("key", keys=key)["taken"]
                _wait_until_taken(keypad)
            return {"taken": taken, "rows": keypad.look()["rows"]}

    def switch(self, position: str) -> Json:
        """Turn the keypad's key switch."""
        with self._hands_at("keypad") as keypad:
            keypad.do("switch", supervisor=position == "supervisor")
        return {"position": position}

    def look(self, name: str | None) -> Json:
        """What is to be seen at that device, or at each."""
        found: Json = {}
        for one in self._names() if name is None else [name]:
            with self._hands_at(one) as device:
                found[one] = device.look()
        return found

    def do(self, name: str, verb: str, given: Mapping[str, Any] | None = None) -> Json:
        """Anything that a simulated device can do."""
        with self._hands_at(name) as device:
            answer = _answer(device.do(verb, **(given or {})))
            _wait_until_taken(device)
        return answer

    def cable(self, name: str, act: str) -> Json:
        """Pull a device's cable (``unplug``), or put it back (``plug``)."""
        with self._hands_at(name) as device:
            return _answer(device.do(act))

    def _names(self) -> list[str]:
        return sorted(path.name for path in self._folder.iterdir())

    @contextmanager
    def _hands_at(self, name: str) -> Iterator[Hands]:
        names = self._names()
        if names and name not in names:
            said = f"no simulated device is called {name!r}"
            raise NotDone("unknown", said, name=name, names=names)
        try:
            with Hands.connect(self._folder / name) as hands:
                yield hands
        except VerbRefused as refused:
            raise NotDone("refused", f"{name}: {refused.reason}") from refused
        except (HandsError, OSError, ValueError) as error:  # it ended, or hangs
            said = f"the simulated {name} does not answer ({error})"
            raise NotDone("silent", said) from error


def _answer(message: Json) -> Json:
    return {name: value for name, value in message.items() if name not in ("id", "ok")}


def _wait_until_taken(device: Hands) -> None:
    """Wait until the controller has taken all that it has reported."""
    with suppress(TimeoutError):
        device.wait_for(lambda state: not (state["served"] and state["unacked"]), TAKEN_S)


def main(argv: Sequence[str]) -> int:
    """Do it; 0 also where it could not be done, which is told."""
    folder, deed, given = argv
    does: Callable[..., Json] = getattr(Person(Path(folder)), deed)
    try:
        told = does(**json.loads(given))
    except NotDone as failed:
        told = failed.told
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
