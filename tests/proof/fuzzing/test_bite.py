"""A fuzzer that finds nothing may be blind: faults that are planted are found, and made small."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.control.peers import Peer
from controller.forms import json_values
from controller.game.round.wagers import Sheet
from controller.table.apply import HANDLERS
from controller.table.events.of_devices import CardsDiffer
from controller.table.shoe import shuffling
from controller.table.state.table import Table
from drivers.table_link.answers import AnswerMemory
from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.event_queue import EventQueue
from drivers.table_link.event_stream import EventHandling, EventStream
from proof.fuzzing.search import search
from proof.fuzzing.targets import by_name


def _gaps_are_taken(patch: pytest.MonkeyPatch) -> None:
    def take(self: EventStream, event_no: int) -> EventHandling:
        self.received = event_no
        return EventHandling.NEW

    patch.setattr(EventStream, "judge_event", take)


def _acknowledged_when_received(patch: pytest.MonkeyPatch) -> None:
    def acknowledge(self: ControllerSession) -> None:
        self._stream.covered = self._stream.received
        plain(self)

    plain = ControllerSession._send_acknowledgement
    patch.setattr(ControllerSession, "_send_acknowledgement", acknowledge)


def _answers_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(AnswerMemory, "knows", lambda self, command_id: False)


def _one_event_too_many_is_dropped(patch: pytest.MonkeyPatch) -> None:
    plain = EventQueue.drop_through

    def drop_through(self: EventQueue, event_no: int) -> int:
        covered = plain(self, event_no)
        return covered + plain(self, event_no + 1) if covered else covered

    patch.setattr(EventQueue, "drop_through", drop_through)


def _a_discrepancy_takes_wagers_away(patch: pytest.MonkeyPatch) -> None:
    def discrepancy(table: Table, event: CardsDiffer) -> None:
        table.betting.sheet = Sheet()
        shuffling.discrepancy(table, event)

    patch.setitem(HANDLERS, CardsDiffer, discrepancy)


def _anybody_may(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Peer, "may", lambda self, role: True)


def _a_key_may_stand_twice(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(json_values, "_each_once", dict)


PLANTED: list[tuple[str, Callable[[pytest.MonkeyPatch], None], int]] = [
    ("controller-link", _gaps_are_taken, 1000),
    ("controller-link", _acknowledged_when_received, 3000),
    ("device-link", _answers_are_forgotten, 1000),
    ("conversation", _one_event_too_many_is_dropped, 200),
    ("devices", _a_discrepancy_takes_wagers_away, 200),
    ("socket", _anybody_may, 200),
    ("requests", _a_key_may_stand_twice, 100_000),
]


def _told(value: object) -> str:
    """The plant by its name: its address is another one in every process."""
    return getattr(value, "__name__", str(value)).strip("_")


@pytest.mark.parametrize(("name", "plant", "runs"), PLANTED, ids=_told)
def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    plant: Callable[[pytest.MonkeyPatch], None],
    runs: int,
) -> None:
    plant(monkeypatch)

    class Found(BaseException):
        """The search need not go on."""

    def stop(_: object) -> None:
        raise Found

    with pytest.raises(Found):
        search(by_name()[name], 1, runs=runs, found=stop)
