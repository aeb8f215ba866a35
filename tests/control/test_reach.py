"""What can be reached through the control socket: events, and the committed state; nothing else.

Every kind of request is listed here with what it may touch, so a new one needs a line. That the
socket's code knows no way of its own to draw, weights, journal and table is an import contract
(``make lint``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.control import protocol
from controller.control.address import ControlAddress
from controller.control.handler import BadCommand, Person, RequestRefused
from controller.control.protocol import Request
from controller.control.serving.rights import SIGNING
from controller.control.serving.server import ControlServer
from controller.game.commands.verbs import STEPS, SUPERVISORS, VERBS
from tests.control.support import NOBODY, Nothing, answering_of, connected
from tests.control.technicians import Bench
from tests.daemon.conftest import house
from tests.daemon.house import DEALER, SETTINGS, House

__all__ = ["house"]

TEXTS = {"command": "open", "by": "Ida", "why": "as seen", "device": "shoe", "number": "last"} | {
    "test": "gate",
    "verdict": "well",
    "what": "it locks",
    "which": "present",
    "person": "Novak",
    "role": "dealer",
    "name": "w1",
    "answer": "200",
}
TOUCHES = {
    "status": {"status"},
    "watch": {"status"},
    "counters": {"counters"},
    "choices": {"choices"},
    "dealer": {"command"},
    "supervisor": {"command"},
    "self_test": {"self_test"},
    "capture": {"capture"},
    "ready": {"ready"},
    "try": {"trial"},
    "device_command": {"device_command"},
    "device_tested": {"device_tested"},
    "links": {"links"},
    "links_lately": {"links_lately"},
    "round": {"round"},
    "course": {"course"},
    "proof": {"proof"},
    "shift": {"shift"},
    "sign_in": {"known"},
    "sign_out": set(),
    "people": {"listed"},
    "person_add": {"change"},
    "person_pin": {"change"},
    "person_remove": {"change"},
    "entries": {"entries"},
    "checkpoint": {"checkpoint"},
    "subtree": {"subtree"},
    "witnessed": {"witnessed"},
}
"""By request: what of the daemon it may touch."""
AROUND = {"subscribe", "refused_attempt"}
"""What the server itself asks of the daemon: to hear of commits, to keep what it refused."""


class Everything:
    """A daemon that can do anything it is asked for, and notes what that was."""

    def __init__(self) -> None:
        self.touched: set[str] = set()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        async def answer(*_: object) -> Any:
            self.touched.add(name)
            return Person("Novak", "dealer") if name == "known" else {}

        def capture(*_: object) -> Bench:
            self.touched.add(name)
            return Bench()

        if name in ("capture", "trial"):
            return capture
        return (lambda *_: lambda: None) if name in AROUND else answer


def test_every_request_is_listed() -> None:
    assert set(protocol.REQUESTS) == set(TOUCHES)
    daemon = answering_of(Nothing())
    answered = {"status", "watch", *daemon.answers, *daemon.streams, *SIGNING}
    assert answered == set(TOUCHES)


@pytest.mark.parametrize("do", TOUCHES)
async def test_a_request_touches_what_it_is_for(tmp_path: Path, do: str) -> None:
    daemon = Everything()
    server = ControlServer(ControlAddress(tmp_path / "s"), answering_of(*[daemon] * 5), NOBODY)
    await server.start()
    try:
        async with connected(tmp_path / "s") as line:
            daemon.touched.clear()
            more = {key: TEXTS[key] for key in protocol.REQUESTS[do].texts}
            more |= {"pin": "1234"} if do in protocol.WITH_PIN else {}
            assert (await line.answer(do, **more))["ok"]
            assert daemon.touched == TOUCHES[do]
    finally:
        await server.close(grace_s=0.2)


def _texts() -> list[str]:
    """Every verb that anybody may say, whatever for, with words behind it that fit many."""
    verbs = {*STEPS, *VERBS, *SUPERVISORS, "draw", "weights", "journal", "start", "shift"}
    verbs |= {"condition", "refused-attempt"}
    behind = ("", "1", "on", "off", "1 25", "1 main 50", "1 staff", "25", "9D")
    return [f"{verb} {words}".strip() for verb in sorted(verbs) for words in behind]


async def test_whatever_is_said_is_an_entry_or_nothing(house: House) -> None:
    """At an armed button: nobody presses it, draws, or changes the weights by words."""
    await house.dealer("open", "wager 1 main 50", "wager 1 pandemonium 5", "close")
    await house.deal("AS", "9D", "KC")
    assert house.owner.table.state == "jackpot.armed"
    before = len(list(house.journal.iterate()))
    for text in _texts():
        for saying in (
            house.handler.command(Request(1, "dealer", text), DEALER),
            house.handler.command(Request(1, "supervisor", text, "Ida", "as seen"), DEALER),
        ):
            task = asyncio.ensure_future(saying)
            await house.quiet()
            if not task.done():  # it waits for a device, which does not answer here
                task.cancel()
            result = (await asyncio.gather(task, return_exceptions=True))[0]
            refusal = RequestRefused | BadCommand | asyncio.CancelledError
            assert isinstance(result, dict | refusal)
        assert house.owner.table.settings.weights == SETTINGS.weights
    new = list(house.journal.iterate())[before:]
    assert {entry.type for entry in new} <= {"dealer", "supervisor", "gate"}
    assert house.owner.table.jackpot.draws == []
