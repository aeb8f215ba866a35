"""People who sign in by PIN at the control socket: whose rights count, for what, and how long."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.control.handler import NOT_TAKEN, Person, PinNotTaken, failure
from controller.control.peers import Peer
from controller.control.protocol import BadRequest, Request, parse_request
from controller.control.serving import conversation, rights
from controller.control.serving.rights import Session
from controller.forms.json_values import JsonObject
from tests.control.support import Line, connected, serving
from tests.control.technicians import Bench

PIN = "271828"
NOVAK = {"person": "Novak", "pin": PIN}
TAN = {"person": "Tan", "pin": PIN}
DEALER = Peer(1, 54321, 54321, "console", frozenset({"dealer"}))
GUEST = replace(DEALER, roles=frozenset(), views=True)
SUPERVISOR = replace(DEALER, roles=frozenset({"dealer", "supervisor"}))
COMMAND = {"command": "void", "by": "Sue", "why": "x"}


class Roll:
    """Knows Novak the supervisor and Tan the technician; notes what it was asked to change."""

    def __init__(self) -> None:
        self.people = {"Novak": Person("Novak", "supervisor"), "Tan": Person("Tan", "technician")}
        self.changes: list[tuple[str, ...]] = []
        self.asked = 0

    async def known(self, name: str, pin: str, uid: int) -> Person:
        self.asked += 1
        if name not in self.people or pin != PIN:
            raise PinNotTaken(name if name in self.people else "")
        return self.people[name]

    async def listed(self) -> JsonObject:
        return {"people": []}

    async def change(self, of: Request, who: Peer) -> JsonObject:
        self.changes.append((of.do.removeprefix("person_"), of.person, of.role, of.pin, who.name))
        return {"person": of.person, "role": of.role}


class Talk(Line):
    """A client's line, and the roll of those who may sign in at it."""

    roll: Roll


@asynccontextmanager
async def talking(path: Path) -> AsyncIterator[Talk]:
    roll = Roll()
    async with (
        serving(path, technician=Bench(), people=roll) as till,
        connected(path) as other,
        asyncio.timeout(20),
    ):
        line = Talk(other.reader, other.writer)
        line.till, line.roll = till, roll
        yield line


@pytest.fixture
def line(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AbstractAsyncContextManager[Talk]:
    """Of a client who is a dealer, or whoever the test is given."""
    who: Peer = getattr(request, "param", DEALER)
    monkeypatch.setattr("controller.control.peers.identify", lambda *_: who)
    return talking(tmp_path / "s")


as_whom = pytest.mark.parametrize("line", [GUEST], indirect=True)


def no(answer: Any, code: str = "not-allowed") -> str:
    assert (answer["error"]["kind"], answer["error"]["code"]) == ("not_allowed", code)
    return str(answer["error"]["reason"])


async def test_a_person_adds_the_rights_of_his_role(line: Talk) -> None:
    assert "he is not in the group" in no(await line.answer("supervisor", **COMMAND))
    assert (await line.answer("sign_in", **NOVAK))["result"] == {
        "person": "Novak",
        "role": "supervisor",
    }
    assert (await line.answer("supervisor", **COMMAND))["ok"]
    assert (await line.answer("self_test", device="shoe"))["ok"]
    assert (await line.answer("sign_in", **TAN))["ok"]  # in his place
    assert "Tan is not a person who may" in no(await line.answer("supervisor", **COMMAND))
    assert (await line.answer("self_test", device="shoe"))["ok"]
    assert (await line.answer("dealer", command="open"))["ok"]  # by the user's group
    assert (await line.answer("sign_out"))["ok"]
    no(await line.answer("self_test", device="shoe"))
    assert (await line.answer("sign_out"))["ok"]


async def test_one_request_brings_its_own_person(line: Talk) -> None:
    assert (await line.answer("supervisor", **COMMAND, **NOVAK))["ok"]
    no(await line.answer("supervisor", **COMMAND))
    await line.answer("sign_in", **NOVAK)
    assert "Tan may not give" in no(await line.answer("supervisor", **COMMAND, **TAN))
    assert (await line.answer("supervisor", **COMMAND))["ok"]


async def test_wrong_and_unknown_are_told_alike_and_kept_apart(line: Talk) -> None:
    for person in ("Novak", "Nobody", PIN):
        said = await line.answer("sign_in", person=person, pin="1234")
        assert no(said, "pin-not-taken") == NOT_TAKEN
    said = await line.answer("dealer", command="open", person="Novak", pin="1234")
    assert no(said, "pin-not-taken") == NOT_TAKEN
    assert line.till.given == []
    assert [attempt.what for attempt in line.till.attempts] == [
        "sign_in as Novak",
        *["sign_in as somebody that there is not"] * 2,
        "dealer as Novak",
    ]
    no(await line.answer("supervisor", **COMMAND))


@as_whom
async def test_who_may_only_look_cannot_become_more(line: Talk) -> None:
    assert "may not act as a person" in no(await line.answer("sign_in", **NOVAK))
    no(await line.answer("supervisor", **COMMAND, **NOVAK))
    assert line.roll.asked == 0


@pytest.mark.parametrize("line", [SUPERVISOR], indirect=True)
async def test_the_list_is_roots(line: Talk) -> None:
    await line.answer("sign_in", **NOVAK)
    for do, more in (
        ("people", {}),
        ("person_add", {**NOVAK, "role": "dealer"}),
        ("person_pin", NOVAK),
        ("person_remove", {"person": "Novak"}),
    ):
        assert "own user may" in no(await line.answer(do, **more))
    assert line.roll.changes == []
    assert len(line.till.attempts) == 4


@pytest.mark.parametrize("line", [replace(DEALER, uid=0, name="root")], indirect=True)
async def test_root_changes_it(line: Talk) -> None:
    assert (await line.answer("people"))["result"] == {"people": []}
    await line.answer("person_add", person="Ida", role="dealer", pin="0123")
    await line.answer("person_pin", person="Ida", pin="3210")
    await line.answer("person_remove", person="Ida")
    assert line.roll.changes == [
        ("add", "Ida", "dealer", "0123", "root"),
        ("pin", "Ida", "", "3210", "root"),
        ("remove", "Ida", "", "", "root"),
    ]


async def test_a_session_ends_without_requests(line: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    await line.answer("sign_in", **NOVAK)
    monkeypatch.setattr(rights, "IDLE_S", 0.0)
    no(await line.answer("supervisor", **COMMAND))
    monkeypatch.undo()
    no(await line.answer("supervisor", **COMMAND))


async def test_it_is_of_one_connection(line: Talk, tmp_path: Path) -> None:
    await line.answer("sign_in", **NOVAK)
    async with connected(tmp_path / "s") as other:
        no(await other.answer("supervisor", **COMMAND))
    assert (await line.answer("supervisor", **COMMAND))["ok"]


async def test_who_is_removed_is_signed_out(line: Talk) -> None:
    await line.answer("sign_in", **NOVAK)
    line.roll.people["Novak"].stands = False
    no(await line.answer("supervisor", **COMMAND))


async def _signed_out(line: Line) -> None:
    while (told := await line.read())["ok"]:
        pass
    assert told["id"] is None
    assert no(told, "signed-out") == conversation.SIGNED_OUT
    assert await line.read() is None


@pytest.mark.parametrize("brought", [{}, TAN])
@pytest.mark.parametrize("do", ["capture", "try"])
async def test_a_stream_ends_with_the_rights_that_permitted_it(
    line: Talk, monkeypatch: pytest.MonkeyPatch, do: str, brought: dict[str, str]
) -> None:
    no(await line.answer(do, device="shoe"))
    if not brought:
        await line.answer("sign_in", **TAN)
    assert (await line.answer(do, device="shoe", **brought))["ok"]
    assert (await line.read())["ok"]
    monkeypatch.setattr(rights, "IDLE_S", 0.0)
    await _signed_out(line)


@pytest.mark.parametrize("ends", ["sign_out", "removal"])
async def test_a_stream_ends_with_the_session(line: Talk, ends: str) -> None:
    await line.answer("sign_in", **TAN)
    assert (await line.answer("capture", device="shoe"))["ok"]
    if ends == "removal":
        line.roll.people["Tan"].stands = False
    else:
        line.ask("sign_out")
    await _signed_out(line)


@pytest.mark.parametrize("line", [SUPERVISOR], indirect=True)
async def test_a_stream_of_the_groups_own_rights_goes_on(
    line: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await line.answer("sign_in", **TAN)
    await line.answer("capture", device="shoe")
    monkeypatch.setattr(rights, "IDLE_S", 0.0)
    for _number in range(3):
        assert (await line.read())["ok"]


def test_a_session_by_the_clock() -> None:
    now = [100.0]
    one = Session(DEALER, lambda: now[0])
    assert one.asks() == DEALER
    one.sign_in(Person("Novak", "supervisor"))
    lasting = one.lasting(None)
    for _ in range(5):
        now[0] += 119.9
        assert one.asks() == replace(
            DEALER, roles=frozenset({"dealer", "supervisor"}), person="Novak"
        )
        assert lasting()
    now[0] += 120.0
    assert not lasting()
    assert one.asks() == DEALER
    now[0] += 1.0
    assert one.asks() == DEALER
    assert not lasting()


@pytest.mark.parametrize("pin", [None, 1234, "", "123", "1" * 13, "12 4", "١٢٣٤", "12345x"])
@pytest.mark.parametrize("do", ["sign_in", "dealer"])
def test_a_pin_is_4_to_12_digits(do: str, pin: object) -> None:
    more = {"command": "open"} if do == "dealer" else {}
    told = {"v": 1, "id": 1, "do": do, "person": "Novak", "pin": pin, **more}
    with pytest.raises(BadRequest, match="pin: expected 4 to 12 digits") as bad:
        parse_request(json.dumps(told).encode())
    assert not pin or str(pin) not in str(bad.value)


@pytest.mark.parametrize(
    "told",
    [
        {"do": "dealer", "command": "open", "pin": "1234"},
        {"do": "dealer", "command": "open", "person": "Novak"},
        {"do": "sign_in", "pin": "1234"},
        {"do": "person_remove", "person": "Novak", "pin": "1234"},
        {"do": "watch", "person": "Novak", "pin": "1234"},
        {"do": "people", "pin": "1234"},
    ],
)
def test_person_and_pin_come_together_where_they_are_wanted(told: dict[str, str]) -> None:
    with pytest.raises(BadRequest):
        parse_request(json.dumps({"v": 1, "id": 1, **told}).encode())


def test_a_pin_is_not_in_the_log_of_what_fails(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    request = Request(1, "sign_in", person="Novak", pin=PIN)
    failure(request, DEALER, RuntimeError("unforeseen"))
    assert "Novak" in caplog.text
    assert PIN not in caplog.text
