"""A body for a model without a line: it notes events and has a clock that is moved by hand."""

from __future__ import annotations

from typing import Any

from drivers.api import Value
from simulators.model import Fields, Model, NakError


class NotedBody:
    """What a model asks of its twin."""

    def __init__(self) -> None:
        self.now = 100.0
        self.served = True
        self.events: list[tuple[str, dict[str, Value]]] = []

    @property
    def last_event(self) -> int:
        return len(self.events)

    def emit(self, name: str, fields: Fields) -> None:
        self.events.append((name, dict(fields)))

    def tell_faults(self, faults: int) -> None:
        self.emit("FAULT", {"faults": faults})

    def names(self) -> list[str]:
        return [name for name, _ in self.events]


def asked(model: Model, name: str, **fields: Value) -> Any:
    """A command's answer, or the number of the NAK."""
    try:
        return model.command(name, fields)
    except NakError as error:
        return error.code


def passes(model: Model, body: NotedBody, seconds: float) -> None:
    """Let time pass, with everything that falls due in it."""
    end = body.now + seconds
    while (deadline := model.deadline()) is not None and deadline <= end:
        body.now = max(body.now, deadline)
        model.tick()
    body.now = end
    model.tick()
