"""The garbage collector: behind the commits, and in a quiet moment."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from controller.daemon.quiet_moments import IDLE_S, OLDER_EVERY, WHOLE_S, Collecting
from hil_tests.virtual_time.world import World


class Commits:
    """What :class:`Collecting` uses of an owner; the test commits."""

    def __init__(self) -> None:
        self.submitted = 0
        self.all_durable = True
        self.watchers: list[Callable[[], None]] = []

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        self.watchers.append(changed)
        return lambda: self.watchers.remove(changed)

    def commit(self) -> None:
        self.submitted += 1
        for changed in tuple(self.watchers):
            changed()


@pytest.fixture
def looks() -> Iterator[list[int]]:
    """The generations that were looked at, by anybody."""
    found: list[int] = []

    def note(phase: str, facts: dict[str, int]) -> None:
        if phase == "start":
            found.append(facts["generation"])

    gc.callbacks.append(note)
    gc.disable()  # but for those who ask for it
    yield found
    gc.enable()
    gc.callbacks.remove(note)
    gc.unfreeze()


def test_young_objects_behind_every_commit_and_all_in_a_quiet_moment(looks: list[int]) -> None:
    world, owner = World(), Commits()
    collecting = Collecting(owner, world.outer)  # type: ignore[arg-type]
    collecting.begin_collecting()
    assert looks == [2]
    assert gc.get_freeze_count() > 1000
    looks.clear()
    for _ in range(2 * OLDER_EVERY):
        owner.commit()
    assert looks == 2 * [*[0] * (OLDER_EVERY - 1), 1]
    looks.clear()
    # A table that is busy is left in peace, however long it is.
    for _ in range(int((WHOLE_S + 10) / IDLE_S)):
        world.run_for(IDLE_S / 2)
        owner.commit()
        world.run_for(IDLE_S / 2)
    assert 2 not in looks
    owner.all_durable = False
    world.run_for(10 * IDLE_S)
    assert 2 not in looks
    owner.all_durable = True
    world.run_for(2 * IDLE_S)
    assert looks.count(2) == 1
    world.run_for(WHOLE_S)
    assert looks.count(2) == 2
    collecting.close()
    assert not owner.watchers
    world.run_for(10 * WHOLE_S)
    assert looks.count(2) == 2
