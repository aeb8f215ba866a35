"""Commands with ``at``, ``key`` and ``dry`` at a house."""

from __future__ import annotations

from typing import Any

from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.journal.model import Draft
from controller.replay.recovery import snapshot
from controller.replay.replay import SNAPSHOT
from tests.daemon.house import DEALER, House


async def say(
    house: House, command: str, who: Peer = DEALER, *, do: str = "dealer", **given: Any
) -> dict[str, Any]:
    """Give a command; the answer."""
    answer = dict(await house.handler.command(Request(1, do, command, **given), who))
    await house.quiet()
    return answer


async def order(house: House, command: str, who: Peer = DEALER, **given: Any) -> dict[str, Any]:
    """The same of a supervisor, with name and reason."""
    given = {"by": "Ida", "why": "as seen", **given}
    return await say(house, command, who, do="supervisor", **given)


async def at(house: House) -> int:
    """The status's ``at``."""
    return int((await house.handler.status())["at"])


def take_snapshot(house: House) -> None:
    """Have a snapshot stored."""
    house.owner.record(Draft(SNAPSHOT, snapshot(house.owner.counted, house.owner.shown)))
