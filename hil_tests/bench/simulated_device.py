"""A simulated device on a bench: what is done to it stands in the report as a step."""

from __future__ import annotations

import os
from collections.abc import Sequence
from socket import socket
from typing import Any, Final

from hil_tests.bench import processes
from hil_tests.bench.steps import noting
from simulators.hands import PROGRAM, Hands, Json, Started

LOOKS: Final = ("look", "line", "watch")
"""Verbs that change nothing."""


class SimulatedDevice(Hands):
    """The hands of a bench's device; ``name`` is what the bench calls it."""

    name = "a device"

    def do(self, verb: str, **arguments: Any) -> Json:
        """See :meth:`simulators.hands.Hands.do`."""
        if verb in LOOKS:
            return super().do(verb, **arguments)
        words = [verb, *(f"{key} {_short_form(given)}" for key, given in arguments.items())]
        with noting(f"{self.name}: {' '.join(words).replace('_', ' ')}"):
            return super().do(verb, **arguments)

    @classmethod
    def _start(
        cls,
        arguments: Sequence[str],
        connection: socket,
        stderr: int | None,
        program: Sequence[str],
    ) -> Started:
        if program != PROGRAM:
            return super()._start(arguments, connection, stderr, program)
        theirs = connection.fileno()
        return processes.start(
            ["simulators", *arguments],
            streams=(theirs, theirs, 2 if stderr is None else stderr),
            environment=os.environ,
        )


def _short_form(given: Any) -> Any:
    """A whole set of cards by its number."""
    return len(given) if isinstance(given, list) else given
