"""A simulated device on a bench: what is done to it stands in the report as a step."""

from __future__ import annotations

from typing import Any, Final

from hil_tests.bench.steps import noting
from simulators.hands import Hands, Json

LOOKS: Final = ("look", "line", "watch")
"""Verbs that change nothing."""


class SimulatedDevice(Hands):
    """The hands of a bench's device; ``name`` is what the bench calls it."""

    name = "a device"

    def do(self, verb: str, **arguments: Any) -> Json:
        """See :meth:`simulators.hands.Hands.do`."""
        if verb in LOOKS:
            return super().do(verb, **arguments)
        words = [verb, *(f"{key} {_told(given)}" for key, given in arguments.items())]
        with noting(f"{self.name}: {' '.join(words).replace('_', ' ')}"):
            return super().do(verb, **arguments)


def _told(given: Any) -> Any:
    """A whole set of cards by its number."""
    return len(given) if isinstance(given, list) else given
