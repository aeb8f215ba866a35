"""A device that keeps to the protocol and reports without end: slowed, told, and nobody else's
trouble."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.daemon.devices import line_watches
from controller.daemon.devices.line_watches import BURST, FLOODS, PER_S, QUIET_S, Inflow
from controller.daemon.health.watches import EVERY_S, WordsWatch
from controller.journal.reader import JournalReader
from controller.table.showing.status import status
from controller.table.showing.status_fields import Status
from drivers.api import DeviceEvent
from drivers.table_link.timing import EVENT_WINDOW, RESEND_AFTER_S
from hil_tests.bench.setup import MBS, setup_for
from hil_tests.virtual_time.world import World
from proof.torture.virtual.people import LINK_S
from proof.torture.virtual.site import Site, undisturbed

PROGRESS = {"state": 2, "set": 1, "count": 384, "progress": 500}


def event(number: int, session: int = 1) -> DeviceEvent:
    return DeviceEvent("shuffler", session, number, 0, "SHUFFLER_STATE", PROGRESS)


class Taken:
    """One device's events as they are acknowledged, in a world of its own."""

    def __init__(self) -> None:
        self.world = World()
        self.acknowledged: list[tuple[float, int]] = []
        self.inflow = Inflow("shuffler", self.world.outer, self._acknowledge)

    def _acknowledge(self, which: DeviceEvent) -> None:
        self.acknowledged.append((self.world.now, which.event_no))


def test_the_next_turn_comes_before_a_device_sends_again() -> None:
    assert 1 / PER_S < RESEND_AFTER_S


def test_a_burst_is_acknowledged_at_once_and_the_rest_one_by_one() -> None:
    taken = Taken()
    for number in range(1, BURST + 4):
        taken.inflow.stored(event(number))
    assert len(taken.acknowledged) == BURST
    taken.world.run_for(10)
    times, numbers = zip(*taken.acknowledged[BURST:], strict=True)
    assert numbers == (BURST + 1, BURST + 2, BURST + 3)
    assert times == pytest.approx((1 / PER_S, 2 / PER_S, 3 / PER_S))


def test_it_is_told_while_it_lasts_and_for_a_minute_after() -> None:
    taken = Taken()
    watch = WordsWatch(FLOODS, [taken.inflow.floods, Taken().inflow.floods])
    for number in range(1, BURST + 1):
        taken.inflow.stored(event(number))
        taken.world.run_for(1 / 400)
    assert not watch.findings()[0].present
    for number in range(BURST + 1, BURST + 1000):
        taken.inflow.stored(event(number))
        taken.world.run_for(1 / 400)
    [found] = watch.findings()
    assert (found.present, found.detail) == (
        True,
        "the shuffler reported 400 events a second, 20 are taken",
    )
    taken.world.run_for(QUIET_S - 0.01)
    assert watch.findings() == [found]
    taken.world.run_for(0.01)
    assert not watch.findings()[0].present


def test_the_end_of_a_session_is_acknowledged_under_its_own_number() -> None:
    taken = Taken()
    for number in range(1, BURST + 3):
        taken.inflow.stored(event(number))
    taken.inflow.stored(event(1, session=2))
    taken.world.now += 1  # the loop was late: all turns have come
    taken.inflow._due()
    assert [number for _, number in taken.acknowledged[BURST:]] == [BURST + 2, 1]


def test_nothing_is_acknowledged_after_the_end() -> None:
    taken = Taken()
    for number in range(1, BURST + 4):
        taken.inflow.stored(event(number))
    taken.inflow.close()
    taken.world.run_for(10)
    assert len(taken.acknowledged) == BURST


def test_what_became_durable_together_is_acknowledged_once() -> None:
    taken = Taken()
    for number in range(1, EVENT_WINDOW + 1):
        taken.inflow.stored(event(number), more=number < EVENT_WINDOW)
    taken.inflow.flush()
    assert [number for _, number in taken.acknowledged] == [EVENT_WINDOW]


def test_a_batch_that_ends_within_the_window_is_acknowledged_at_its_end() -> None:
    taken = Taken()
    taken.inflow.stored(event(1), more=True)
    taken.inflow.stored(event(2), more=True)
    assert not taken.acknowledged
    taken.inflow.flush()
    taken.inflow.flush()
    taken.inflow.stored(event(3), more=True)
    taken.inflow.stored(event(1, session=2), more=False)
    assert [number for _, number in taken.acknowledged] == [2, 3, 1]


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.0, 0.0, 0.01, 0.3, 2.0]), st.booleans()),
        min_size=20,
        max_size=200,
    )
)
def test_whoever_comes_as_he_likes_is_acknowledged_in_order_in_full_and_at_the_rate(
    gaps: list[tuple[float, bool]],
) -> None:
    """With a small burst, so that it is soon used up."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_watches, "BURST", 10)
        taken = Taken()
    for number, (gap, more) in enumerate(gaps, 1):
        if gap:
            taken.inflow.flush()
        taken.world.run_for(gap)
        taken.inflow.stored(event(number), more=more)
    taken.inflow.flush()
    taken.world.run_for(len(gaps) / PER_S)
    numbers = [number for _, number in taken.acknowledged]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == len(gaps)
    covered = [(0.0, 0), *taken.acknowledged]
    for first, (since, before) in enumerate(covered[:-1]):
        for now, number in covered[first + 1 :]:
            assert number - before <= 10 + (now - since) * PER_S + 0.001


# ---- a whole table, in virtual time ---------------------------------------------------------

FLOOD_PER_S = 400
FLOOD_S = 3
SMALL_BURST = 400
"""Of a table here: no more than has to be played to use it up."""


@contextmanager
def site(folder: Path, burst: int = SMALL_BURST) -> Iterator[Site]:
    """A table whose devices are up."""
    with undisturbed(), patch.object(line_watches, "BURST", burst):
        made = Site(folder, setup_for(MBS), random.Random(3))
        try:
            made.world.run_for(LINK_S)
            yield made
        finally:
            made.life.end_life()


def flood(at: Site) -> None:
    """The shuffler reports its progress so often a second, and goes on doing so."""
    shuffler = at.devices["shuffler"]

    def report() -> None:
        shuffler.twin.emit("SHUFFLER_STATE", PROGRESS)
        shuffler.turn()

    for number in range(FLOOD_S * FLOOD_PER_S):
        at.world.outer.call_later(number / FLOOD_PER_S, report)


def stored(at: Site) -> Counter[str]:
    with JournalReader(at.config.state_directory) as reader:
        return Counter(entry.device for entry in reader.iterate() if entry.device)


def state(at: Site) -> Status:
    return status(at.life.runtime.owner.table)


def test_a_shuffler_that_floods(tmp_path: Path) -> None:
    with site(tmp_path) as at:
        shuffler, shoe = at.devices["shuffler"], at.devices["shoe"]
        before = stored(at)
        flood(at)
        at.world.run_for(FLOOD_S + EVERY_S)
        during = stored(at)["shuffler"] - before["shuffler"]
        assert SMALL_BURST <= during <= SMALL_BURST + (FLOOD_S + EVERY_S) * PER_S + EVENT_WINDOW
        said = state(at)["conditions"]["device-floods"]
        assert re.fullmatch("the shuffler reported [0-9]{3} events a second, 20 are taken", said)
        assert state(at)["held"] is None

        # Another device does not wait for it, nor does its own link go down.
        waiting = shuffler.twin.unacknowledged
        shoe.handle("draw", force=True)
        assert at.world.run_until(lambda: not shoe.twin.unacknowledged, 0.1)
        assert shuffler.twin.unacknowledged >= waiting - 2
        assert state(at)["devices"]["shuffler"]["link"] == "up"

        # What it has reported is taken to the last, and then it is over.
        made = shuffler.twin.last_event
        assert at.world.run_until(lambda: not shuffler.twin.unacknowledged, waiting / PER_S + 5)
        assert "device-floods" in state(at)["conditions"]
        at.world.run_for(QUIET_S + EVERY_S)
        assert "device-floods" not in state(at)["conditions"]
        with JournalReader(at.config.state_directory) as reader:
            entries = list(reader.iterate())
        numbers = [entry.event_no for entry in entries if entry.type == "SHUFFLER_STATE"]
        assert numbers == list(range(1, made + 1))
        told = [entry.body for entry in entries if entry.type == "condition"]
        assert [one["present"] for one in told if one["fault"] == "device-floods"] == [True, False]
        assert at.lives == 1


def test_a_queue_after_an_outage_is_taken_without_delay(tmp_path: Path) -> None:
    """As many events as two card sets have cards, made while the cable was out."""
    with site(tmp_path, burst=BURST) as at:
        shuffler = at.devices["shuffler"]
        shuffler.handle("unplug")
        for _ in range(2 * 8 * 52):
            shuffler.twin.emit("SHUFFLER_STATE", PROGRESS)
        shuffler.handle("plug")
        assert at.world.run_until(lambda: not shuffler.twin.unacknowledged, LINK_S)
        at.world.run_for(2 * EVERY_S)
        assert "device-floods" not in state(at)["conditions"]


def test_one_that_floods_gains_nothing_by_coming_and_going(tmp_path: Path) -> None:
    with site(tmp_path) as at:
        shuffler = at.devices["shuffler"]
        before = stored(at)["shuffler"]
        flood(at)
        at.world.run_for(FLOOD_S)
        for _ in range(10):
            shuffler.handle("unplug")
            at.world.run_for(0.5)
            shuffler.handle("plug")
            at.world.run_for(3)
        links = 2 * 11
        most = SMALL_BURST + (at.world.now - LINK_S) * PER_S + EVENT_WINDOW + links
        assert stored(at)["shuffler"] - before <= most
        waiting = shuffler.twin.unacknowledged
        assert waiting
        assert at.world.run_until(lambda: not shuffler.twin.unacknowledged, waiting / PER_S + 5)
        with JournalReader(at.config.state_directory) as reader:
            numbers = [one.event_no for one in reader.iterate() if one.type == "SHUFFLER_STATE"]
        assert numbers == list(range(1, shuffler.twin.last_event + 1))
