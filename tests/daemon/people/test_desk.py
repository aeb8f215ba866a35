"""People at the desk: added, removed and let in by PIN; every change is an entry first."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.control.handler import BadCommand, Person, PinNotTaken, RequestRefused, Unavailable
from controller.control.protocol import Request
from controller.daemon import people_roll
from controller.daemon.people_desk import Desk
from controller.daemon.people_roll import KeptPin
from tests.daemon.house import DEALER, House, locked, played, turns

PIN, OTHER = "271828", "314159"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Front(Desk):
    """A desk with its clock and its file; Novak is known from the start."""

    def __init__(self, house: House) -> None:
        self.house, self.clock, self.path = house, Clock(), house.state / "people.json"
        super().__init__(self.path, house.owner, self.clock)

    async def add(self, name: str, role: str = "supervisor", pin: str = PIN) -> None:
        await self.give("add", name, role, pin)

    async def give(self, change: str, name: str, role: str = "", pin: str = "") -> None:
        await self.change(Request(1, f"person_{change}", person=name, role=role, pin=pin), DEALER)

    async def shows(self, name: str, pin: str, uid: int = 7) -> Person | None:
        try:
            return await self.known(name, pin, uid)
        except PinNotTaken:
            return None


@asynccontextmanager
async def at_a_desk(tmp_path: Path) -> AsyncIterator[Front]:
    async with played(tmp_path / "state") as house:
        desk = Front(house)
        await desk.add("Novak")
        async with asyncio.timeout(60):
            yield desk


@pytest.fixture
def desk(tmp_path: Path) -> AbstractAsyncContextManager[Front]:
    return at_a_desk(tmp_path)


async def test_who_is_added_is_known_by_his_pin_alone(desk: Front) -> None:
    await desk.add("Tan", "technician", OTHER)
    assert await desk.listed() == {
        "people": [{"name": "Novak", "role": "supervisor"}, {"name": "Tan", "role": "technician"}]
    }
    tan = await desk.shows("Tan", OTHER)
    assert tan is not None
    assert (tan.name, tan.role) == ("Tan", "technician")
    assert await desk.shows("Tan", PIN) is None
    assert await desk.shows("Nobody", PIN) is None
    assert await desk.shows("novak", PIN) is None
    who = {"user": "dealer", "uid": 0}
    assert [{**body, "after": None} for body in desk.house.entries("person")] == [
        {"change": "add", "of": name, "role": role, **who, "after": None}
        for name, role in (("Novak", "supervisor"), ("Tan", "technician"))
    ]
    notes = desk.house.entries("person")[0]["after"]["notes"]
    assert notes == ["people: dealer adds Novak as a supervisor"]


async def test_five_wrong_ones_bar_and_another_pin_ends_it(desk: Front) -> None:
    for _ in range(5):
        assert await desk.shows("Novak", OTHER) is None
    assert await desk.shows("Novak", PIN) is None
    assert await desk.shows("Novak", PIN, uid=8)
    desk.clock.now = 59.9
    assert await desk.shows("Novak", PIN) is None
    desk.clock.now = 60.0
    assert await desk.shows("Novak", PIN)
    for _ in range(5):
        await desk.shows("Novak", OTHER)
    await desk.give("pin", "Novak", "", OTHER)
    assert await desk.shows("Novak", OTHER)
    assert await desk.shows("Novak", PIN) is None


async def test_many_wrong_ones_at_once_are_no_more_tries(desk: Front) -> None:
    tries = [*[OTHER] * 5, *[PIN] * 3]
    assert not any(await asyncio.gather(*(desk.shows("Novak", pin) for pin in tries)))


@pytest.mark.parametrize("change", ["pin", "remove"])
async def test_a_change_ends_what_was_signed_in_to(desk: Front, change: Any) -> None:
    await desk.add("Tan")
    novak, tan = await desk.shows("Novak", PIN), await desk.shows("Tan", PIN)
    assert novak is not None
    assert tan is not None
    await desk.give(change, "Novak", "", OTHER if change == "pin" else "")
    assert (novak.stands, tan.stands) == (False, True)
    assert await desk.shows("Novak", PIN) is None
    assert desk.house.entries("person")[-1]["change"] == change


async def test_a_pin_that_was_looked_at_while_it_changed_is_looked_at_again(
    desk: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else who is removed at this moment is signed in for good."""
    looking, goes_on = threading.Event(), threading.Event()
    real = KeptPin.is_of

    def slowly(kept: KeptPin, pin: str) -> bool:
        found = real(kept, pin)
        looking.set()
        goes_on.wait()
        return found

    with monkeypatch.context() as patched:
        patched.setattr(KeptPin, "is_of", slowly)
        shows = asyncio.create_task(desk.shows("Novak", PIN))
        await asyncio.to_thread(looking.wait)
        await desk.give("remove", "Novak")
        goes_on.set()
        assert await shows is None


async def test_nothing_is_in_the_file_before_it_is_in_the_journal(desk: Front) -> None:
    with locked(desk.house.state):
        adding = asyncio.create_task(desk.add("Tan"))
        while not desk.house.committer.age_s():
            await asyncio.sleep(0.001)
        await turns()
        assert set(people_roll.read_roll(desk.path)) == {"Novak"}
        with pytest.raises(RequestRefused, match="another change of people is under way"):
            await desk.add("Ida")
    await adding
    assert set(people_roll.read_roll(desk.path)) == {"Novak", "Tan"}
    await desk.add("Ida")


@pytest.mark.parametrize(
    ("change", "name", "role", "error"),
    [
        ("add", "Novak", "dealer", RequestRefused("Novak is known already")),
        ("add", "NOVAK", "dealer", RequestRefused("Novak is known already")),
        ("add", "Tan", "owner", BadCommand("expected one of dealer, supervisor, technician")),
        ("add", "Tan", "witness", BadCommand("expected one of dealer, supervisor, technician")),
        ("add", " Tan", "dealer", BadCommand("without blanks around it")),
        ("add", "key switch", "supervisor", BadCommand("the program's own name")),
        ("add", "Keypad", "supervisor", BadCommand("the program's own name")),
        ("pin", "Tan", "", BadCommand("there is no 'Tan': known are Novak")),
        ("remove", "Tan", "", BadCommand("there is no 'Tan': known are Novak")),
    ],
)
async def test_what_cannot_be_changes_nothing(
    desk: Front, change: Any, name: str, role: str, error: Exception
) -> None:
    with pytest.raises(type(error), match=str(error)):
        await desk.give(change, name, role, PIN)
    assert len(desk.house.entries("person")) == 1
    assert set(people_roll.read_roll(desk.path)) == {"Novak"}


async def test_there_are_only_so_many(desk: Front, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_roll, "MOST_PEOPLE", 1)
    with pytest.raises(RequestRefused, match="there are 1 people: remove one first"):
        await desk.add("Tan")


async def test_a_file_that_is_open_to_others_lets_nobody_in(desk: Front) -> None:
    desk.path.chmod(0o644)
    for name, pin in (("Novak", PIN), ("Novak", OTHER), ("Nobody", PIN)):
        with pytest.raises(RequestRefused, match="has mode 0644"):
            await desk.known(name, pin, 7)
    with pytest.raises(RequestRefused, match="has mode 0644"):
        await desk.add("Tan")
    with pytest.raises(RequestRefused, match="has mode 0644"):
        await desk.listed()
    assert len(desk.house.entries("person")) == 1
    desk.path.chmod(0o600)
    assert await desk.shows("Novak", PIN)


async def test_a_place_that_cannot_be_written_is_said(desk: Front) -> None:
    (desk.path.parent / "people.json.new").mkdir()
    with pytest.raises(
        RequestRefused,
        match=r"json cannot be written, and the list is as it was.*there is a folder",
    ):
        await desk.add("Tan")
    assert len(desk.house.entries("person")) == 1


async def test_one_that_cannot_be_put_in_its_place_is_said(
    desk: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Path) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr("controller.daemon.people_desk.put_in_place", fail)
        with pytest.raises(RequestRefused, match=r"its disk fails.*give it again"):
            await desk.add("Tan")
    await desk.add("Tan")
    assert await desk.shows("Tan", PIN)


async def test_unknown_barred_and_wrong_cost_the_same_work(
    desk: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bytes] = []
    real = KeptPin.is_of

    def counted(kept: KeptPin, pin: str) -> bool:
        made.append(kept.made)
        return real(kept, pin)

    monkeypatch.setattr(KeptPin, "is_of", counted)
    for name, pin in (*[("Novak", OTHER)] * 5, ("Novak", PIN), ("Nobody", PIN)):
        before = len(made)
        assert await desk.shows(name, pin) is None
        assert len(made) == before + 1


async def test_a_pin_is_in_no_entry_and_no_log(
    desk: Front, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await desk.shows("Novak", OTHER)
    await desk.shows("Novak", PIN)
    with pytest.raises(BadCommand):
        await desk.give("add", "key switch", "dealer", OTHER)
    for file in desk.house.state.iterdir():
        data = file.read_bytes()
        assert PIN.encode() not in data, file
        assert OTHER.encode() not in data, file
    assert PIN not in caplog.text
    assert OTHER not in caplog.text


async def test_a_disk_that_hangs_makes_nobody_wait_for_ever(
    desk: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs = threading.Event()
    desk._beside._within_s = 0.05
    with monkeypatch.context() as patched:
        patched.setattr(people_roll, "read_roll", lambda _: hangs.wait())
        with pytest.raises(Unavailable, match="it took too long"):
            await desk.listed()
        with pytest.raises(Unavailable, match="it took too long"):
            await desk.known("Novak", PIN, 7)
    hangs.set()
    desk._beside._within_s = 10.0
    assert await desk.shows("Novak", PIN)
