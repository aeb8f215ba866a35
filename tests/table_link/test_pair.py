"""Both halves of the link over good and bad wires: what must hold whatever the wire does.

Every event of the device is stored once and in order. Every command ends once; one that was
answered was acted on once, one that was lost at most once. When the wire is good again, the link
is up and nothing is owed.
"""

from __future__ import annotations

import pytest

from drivers.table_link.link_events import Answered, Down, Lost, Nak, Up
from tests.table_link.wire import WIRES, Trouble, World

SEEDS = range(12)


def bother(world: World, *, wire: str, for_s: float = 20.0) -> dict[int, int]:
    """Events and commands at odd moments while the wire is bad; returns tokens by offer."""
    rng = world.rng
    tokens: dict[int, int] = {}
    end = world.now + for_s
    offer = 1000
    while world.now < end:
        world.run(rng.uniform(0.0, 0.2))
        if rng.random() < 0.5:
            for _ in range(rng.choice([1, 1, 2, 12])):
                world.press()
        if rng.random() < 0.3:
            offer += 1
            tokens[offer] = world.arm(offer)
        if wire == "unplugged" and world.open and rng.random() < 0.1:
            world.run(rng.uniform(0.0, 0.01))
            world.unplug(rng.choice([0.05, 0.3, 2.5]))
    return tokens


def heal(world: World) -> None:
    """The wire is good from now on."""
    world.to_device.trouble = world.to_controller.trouble = Trouble()
    world.run(10.0)


def assert_nothing_owed(world: World) -> None:
    assert world.is_up
    assert len(world.device.memory().events) == 0
    assert [offer for _, _, offer in world.disk] == world.made


def assert_each_command_ended(world: World, tokens: dict[int, int]) -> None:
    ends = [event for event in world.heard if isinstance(event, Answered | Nak | Lost)]
    assert sorted(end.token for end in ends) == sorted(tokens.values())
    by_token = {end.token: end for end in ends}
    assert len(set(world.acted)) == len(world.acted)
    for offer, token in tokens.items():
        if isinstance(by_token[token], Answered):
            assert offer in world.acted


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("wire", WIRES)
def test_nothing_is_lost_and_nothing_done_twice(wire: str, seed: int) -> None:
    world = World(seed, WIRES[wire])
    tokens = bother(world, wire=wire)
    heal(world)
    assert_nothing_owed(world)
    assert_each_command_ended(world, tokens)


@pytest.mark.parametrize("wire", ["plain", "byte by byte", "duplicating"])
def test_a_wire_that_loses_nothing_never_goes_down(wire: str) -> None:
    world = World(1, Trouble(byte_by_byte=wire == "byte by byte", double_frame=0.4))
    tokens = bother(world, wire=wire)
    heal(world)
    assert not [event for event in world.heard if isinstance(event, Down | Lost)]
    assert sum(isinstance(event, Up) for event in world.heard) == 1
    assert set(tokens) == set(world.acted)
    assert world.gone == 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("wire", ["plain", "lossy", "garbling", "delayed"])
def test_a_device_that_restarts_with_its_events_loses_none(wire: str, seed: int) -> None:
    world = World(seed, WIRES[wire])
    for _ in range(8):
        bother(world, wire=wire, for_s=2.0)
        world.press()
        world.start_device(keep_events=True)
    heal(world)
    assert_nothing_owed(world)
    assert not [event for event in world.heard if isinstance(event, Up) and event.new_session]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_device_that_forgot_its_events_is_told_apart(seed: int) -> None:
    world = World(seed, WIRES["lossy"])
    bother(world, wire="lossy", for_s=3.0)
    world.run(5.0)
    before = world.device.session_id
    world.start_device(keep_events=False)
    world.press()
    heal(world)
    news = [event for event in world.heard if isinstance(event, Up) and event.new_session]
    assert [up.session for up in news] == [world.device.session_id]
    assert world.device.session_id != before
    assert world.disk[-1] == (world.device.session_id, 1, world.made[-1])
    offers = [offer for _, _, offer in world.disk]
    assert offers == sorted(set(offers))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("wire", ["plain", "duplicating", "delayed", "unplugged"])
def test_sessions_begun_at_any_moment_are_never_mixed(wire: str, seed: int) -> None:
    world = World(seed, WIRES[wire])
    for _ in range(8):
        bother(world, wire=wire, for_s=world.rng.uniform(0.1, 2.0))
        world.start_device(keep_events=False)
        for _ in range(world.rng.randrange(4)):
            world.press()
    world.start_device(keep_events=False)
    world.press()
    heal(world)
    assert world.is_up
    assert world.device.memory().events == ()
    assert world.disk[-1] == (world.device.session_id, 1, world.made[-1])
    offers = [offer for _, _, offer in world.disk]
    assert offers == sorted(set(offers))
    for session, number, offer in world.disk:
        assert world.numbered[offer] == (session, number)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("wire", ["plain", "lossy", "unplugged"])
def test_a_controller_killed_at_any_moment_stores_each_event_once(wire: str, seed: int) -> None:
    world = World(seed, WIRES[wire])
    for _ in range(12):
        bother(world, wire=wire, for_s=1.0)
        world.press()
        world.run(world.rng.uniform(0.0, 0.05))
        world.start_controller()
    heal(world)
    assert_nothing_owed(world)


def test_a_run_is_told_by_its_seed() -> None:
    first, second = (World(7, WIRES["garbling"]) for _ in range(2))
    for world in (first, second):
        bother(world, wire="garbling", for_s=5.0)
    assert first.heard == second.heard
    assert first.disk == second.disk
