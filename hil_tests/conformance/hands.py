"""Whoever does at the device what no command does: a person told in plain words, or a twin's hands.

The words are those of a twin's hands (:mod:`simulators`), so that a check says ``draw`` and either
will do it.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from hil_tests.benches.table.console import LIMIT_S, Console, request
from hil_tests.conformance.controller import Controller
from simulators.hands import Hands


class AtDevice(Protocol):
    """Who is at the device."""

    def act(self, controller: Controller | None, verb: str, **arguments: Any) -> None:
        """Have it done; returns when it is. ``controller`` keeps its link alive meanwhile."""


class TwinsHands:
    """A simulated device's hands: they are quick."""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands

    def act(self, controller: Controller | None, verb: str, **arguments: Any) -> None:
        """See :class:`AtDevice`."""
        self._hands.do(verb, **arguments)


class PersonAtDevice:
    """A person at a terminal, and at the device."""

    def __init__(self, console: Console, kind: str) -> None:
        self._console = console
        self._kind = kind

    def act(self, controller: Controller | None, verb: str, **arguments: Any) -> None:
        """See :class:`AtDevice`. A device whose controller falls silent makes itself safe."""
        asked = request(self._kind, verb, arguments)
        if controller is None:
            self._console.please(asked)
            return
        with ThreadPoolExecutor(1, "console") as pool:
            done: Future[None] = pool.submit(self._console.please, asked)
            controller.listen(LIMIT_S, done.done, alive=True)
            done.result()
