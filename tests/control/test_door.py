"""Who comes in: each user has a share of his own, and nobody is blamed for what another takes.
Refused attempts are reported, each with who, what and why, and never too many to be read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import cast

import pytest

from controller.control.handler import OF_ALL, OF_ONE_USER, USERS, WINDOW_S, Attempt, Attempts
from controller.control.peers import Groups, Peer
from controller.control.protocol import Role
from controller.control.serving.door import MOST_USERS, STRANGER_S, Bounds, Door, Dropped


class Minute:
    """A loop's clock: one timer, which the test lets expire."""

    def __init__(self) -> None:
        self.due: Callable[[], None] | None = None
        self.cancelled = False

    def call_later(self, delay: float, due: Callable[[], None]) -> Minute:
        assert delay == WINDOW_S
        assert self.due is None
        self.due = due
        return self

    def cancel(self) -> None:
        self.cancelled = True

    def expires(self) -> None:
        due, self.due = self.due, None
        assert due
        due()


def user(uid: int) -> Peer:
    return Peer(uid + 1, uid, uid, f"u{uid}", frozenset())


@pytest.fixture
def minute() -> Minute:
    return Minute()


@pytest.fixture
def told() -> list[Attempt]:
    return []


@pytest.fixture
def attempts(minute: Minute, told: list[Attempt]) -> Attempts:
    return Attempts(cast("asyncio.AbstractEventLoop", minute), told.append)


def test_the_first_are_told_one_by_one_the_rest_once_with_their_number(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    for number in range(OF_ONE_USER + 250):
        attempts.note(user(7), f"dealer: {number}", "not his")
    assert [attempt.what for attempt in told] == [f"dealer: {n}" for n in range(OF_ONE_USER)]
    assert {attempt.count for attempt in told} == {1}
    minute.expires()
    assert told[OF_ONE_USER:] == [Attempt("u7", 7, 8, "dealer: 259", "not his", 250)]


def test_a_minute_later_they_are_told_again(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    for _ in range(OF_ONE_USER):
        attempts.note(user(7), "x", "y")
    minute.expires()
    attempts.note(user(7), "x", "y")
    assert [attempt.count for attempt in told] == [1] * (OF_ONE_USER + 1)


def test_who_floods_does_not_hide_another(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    for _ in range(100_000):
        attempts.note(user(7), "x", "y")
    attempts.note(user(8), "supervisor: void", "not his")
    assert told[-1].user == "u8"


def test_many_users_are_bounded_too_and_nobody_is_left_uncounted(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    tries = 50
    for _ in range(tries):
        for uid in range(200):
            attempts.note(user(uid), "x", "y")
    assert len(told) == OF_ALL
    minute.expires()
    assert len(told) == OF_ALL + USERS + 1
    assert sum(attempt.count for attempt in told) == tries * 200
    assert (told[-1].user, told[-1].uid, told[-1].pid) == ("others", None, None)


def test_the_end_tells_what_was_only_counted(
    attempts: Attempts, minute: Minute, told: list[Attempt]
) -> None:
    for _ in range(OF_ONE_USER + 3):
        attempts.note(user(7), "x", "y")
    attempts.close()
    assert minute.cancelled
    assert told[-1].count == 3
    attempts.close()
    assert len(told) == OF_ONE_USER + 1


DEALER: frozenset[Role] = frozenset(("dealer",))


def peer(uid: int, roles: frozenset[Role] = frozenset(), *, views: bool = False) -> Peer:
    return Peer(uid + 1, uid, uid, f"u{uid}", roles, views=views)


class Entrance:
    """A door with a clock, those who come to it, and what was noted as refused."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        self.now = 500.0
        self.refused: list[tuple[int, str]] = []
        groups = Groups("dealers", "supervisors")
        self.door = Door(groups, bounds or Bounds(), self._note, lambda: self.now)
        self._count = 0

    def _note(self, who: Peer, what: str, _: str) -> None:
        self.refused.append((who.uid, what))

    def enter(self, who: Peer) -> int:
        """The place that he is given."""
        self._count += 1
        assert self.door.enter(self._count, who) is None
        return self._count

    def turned_away(self, who: Peer) -> Dropped:
        told = self.door.enter("nobody", who)
        assert told is not None
        return told

    def named(self, place: int, who: Peer) -> Dropped:
        """What he is told who is not let in by his name."""
        with pytest.raises(Dropped) as caught:
            self.door.named(place, who)
        return caught.value

    def storm(self, who: Peer, count: int) -> int:
        """Connect and close so often; how often it was let in."""
        entered = 0
        for _ in range(count):
            entered += self.door.enter("storm", who) is None
            self.door.leave("storm")
        return entered


def test_who_connects_in_a_loop_uses_up_his_own_share_alone() -> None:
    entrance = Entrance(Bounds(connections=10, connections_per_s=5))
    eve, ida = peer(7, DEALER), peer(8, DEALER)
    assert entrance.storm(eve, 1000) == 10
    assert entrance.refused == [(7, "a flood of connections")] * 990
    entrance.enter(ida)
    entrance.now += 2
    assert entrance.storm(eve, 1000) == 10
    assert {uid for uid, _ in entrance.refused} == {7}


def test_the_daemons_own_people_are_not_paced() -> None:
    assert Entrance().storm(peer(0, DEALER), 1000) == 1000


def test_a_stranger_is_looked_up_once_in_a_while() -> None:
    entrance, eve = Entrance(), peer(7)
    place = entrance.enter(eve)
    told = entrance.named(place, replace(eve, name="eve"))
    entrance.door.leave(place)
    assert told.kind == "not_allowed"
    again = entrance.turned_away(eve)
    assert (again.kind, str(again)) == ("not_allowed", str(told))
    assert str(again).startswith("eve may not look")
    assert entrance.storm(eve, 5000) == 0
    assert entrance.refused == [(7, "a connection")] * 5002
    entrance.now += STRANGER_S
    entrance.enter(eve)


def test_a_stranger_whose_process_took_on_the_group_comes_in() -> None:
    entrance = Entrance()
    place = entrance.enter(peer(7))
    entrance.named(place, peer(7))
    entrance.enter(peer(7, DEALER))
    entrance.enter(peer(7, views=True))


def test_who_could_not_be_looked_up_is_no_stranger() -> None:
    entrance = Entrance()
    place = entrance.enter(peer(7))
    unknown = replace(peer(7), known=False)
    told = entrance.named(place, unknown)
    assert told.kind == "unavailable"
    entrance.enter(peer(7))
    assert entrance.refused == []


def test_those_whom_nobody_knows_yet_do_not_take_the_dealers_places() -> None:
    entrance = Entrance(Bounds(clients=6, unnamed=3))
    for uid in (11, 12, 13):
        entrance.enter(peer(uid))
    assert "look up first" in str(entrance.turned_away(peer(14)))
    for uid in (21, 22, 23):
        entrance.enter(peer(uid, DEALER))
    assert entrance.refused == []


def test_who_is_named_makes_room_for_the_next() -> None:
    entrance = Entrance(Bounds(unnamed=1, guests=1))
    place = entrance.enter(peer(11, views=True))
    entrance.turned_away(peer(12))
    entrance.door.named(place, peer(11, views=True))
    second = entrance.enter(peer(12, views=True))
    full = entrance.named(second, peer(12, views=True))
    assert "only look" in str(full)
    entrance.door.leave(second)
    third = entrance.enter(peer(13))
    entrance.door.named(third, peer(13, DEALER))
    assert entrance.refused == []


def test_a_full_house_is_not_the_fault_of_who_comes_last() -> None:
    entrance = Entrance(Bounds(clients=4, same_user=2))
    for uid in (11, 11, 12, 12):
        entrance.enter(peer(uid, DEALER))
    honest = entrance.turned_away(peer(13, DEALER))
    assert (honest.kind, entrance.refused) == ("unavailable", [])
    entrance.turned_away(peer(11, DEALER))
    assert entrance.refused == [(11, "one more connection")]


def test_root_with_more_than_a_share_is_told_of_the_last_place() -> None:
    entrance = Entrance(Bounds(clients=3, same_user=2))
    for _ in range(3):
        entrance.enter(peer(0, DEALER))
    entrance.turned_away(peer(0, DEALER))
    assert entrance.refused == [(0, "one more connection")]


def test_what_is_remembered_of_users_is_bounded() -> None:
    entrance = Entrance(Bounds(connections=1, connections_per_s=0.001))
    for uid in range(1, 2 * MOST_USERS):
        place = entrance.enter(peer(uid))
        entrance.named(place, peer(uid))
        entrance.door.leave(place)
    assert len(entrance.door._rates) == len(entrance.door._strangers) == MOST_USERS
    last = peer(2 * MOST_USERS - 1)
    assert entrance.turned_away(last).kind == "not_allowed"
    entrance.now += 1e6  # nothing is held against anybody any more
    entrance.enter(peer(2 * MOST_USERS))
    assert len(entrance.door._rates) == 1
