"""What clients ask of the table: shown as it was committed, commands answered once they are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Final, cast

from controller.control.attempts import Attempt
from controller.control.handler import BadCommand, Refusal, Unavailable
from controller.control.peers import Peer
from controller.counters.report import report
from controller.daemon.owner import Owner
from controller.json_values import JsonObject
from controller.round.refusal import Refused
from controller.round.steps.step import Malformed
from controller.table.entering.commands import dealer_commands
from controller.table.entering.supervisors_list import supervisor_commands
from controller.table.events import Event, Outcome
from controller.table.showing.status import status
from controller.table.showing.status_fields import Status

LOOKS_S: Final = 3.0
"""How long who only looks waits for the disk, in seconds: less than his program does for an
answer."""


class TableHandler:
    """Of the owner's table (:class:`controller.control.handler.Handler`). ``facts`` are added to
    the table's fields in the status; ``before_open`` may be set to what is waited for before a
    dealer opens a round."""

    def __init__(self, owner: Owner, facts: JsonObject | None = None) -> None:
        self._owner = owner
        self._facts = dict(facts or {})
        self._shown: dict[str, Callable[[], JsonObject]] = {}
        self.before_open: Callable[[], Awaitable[None]] = _at_once

    async def status(self) -> Status:
        """The committed state."""
        answer: JsonObject = {**status(self._owner.table), **self._facts}
        for name, facts in self._shown.items():
            answer = _merged(answer, {name: facts()})
        await self._stored()
        return cast("Status", answer)

    async def counters(self) -> JsonObject:
        """The counters, as committed."""
        answer = report(self._owner.counted.counters)
        await self._stored()
        return answer

    async def _stored(self) -> None:
        """Wait until what somebody is to be shown is durable.

        Raises:
            Unavailable: the disk takes longer than he is to wait.
        """
        if not await self._owner.settled_within(LOOKS_S):
            raise Unavailable(
                f"the journal's disk has not stored for {self._owner.unstored_s:.0f} s what was "
                "entered; nothing is lost, and nothing is shown before it is stored. Wait and "
                "enter nothing twice; 'dmesg' and 'systemctl status table-controller' may say why",
                "not-stored",
            )

    def show(self, name: str, facts: Callable[[], JsonObject]) -> None:
        """Have the status say under ``name`` what ``facts`` says when it is asked, beside what the
        table says there."""
        self._shown[name] = facts

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have ``changed`` called after commits; returns what ends it."""
        return self._owner.subscribe(changed)

    async def dealer(self, command: str, who: Peer) -> JsonObject:
        """A dealer's command; ``before_open`` is awaited before it opens a round."""
        if command.split() == ["open"]:
            await self.before_open()
        return await self._submit_command(Event("dealer", {"command": command, "user": who.name}))

    async def supervisor(
        self, command: str, by: str | None, why: str | None, who: Peer
    ) -> JsonObject:
        """A supervisor's command."""
        body = {"command": command, "by": by, "why": why, "user": who.name}
        return await self._submit_command(Event("supervisor", body))

    def refused_attempt(self, attempt: Attempt) -> None:
        """A client was refused a command beyond its role: stored as an event."""
        self._owner.submit(Event("refused-attempt", asdict(attempt)))

    async def _submit_command(self, event: Event) -> JsonObject:
        try:
            outcome = self._owner.submit(event)
        except Refused as refused:
            supervises = event.type == "supervisor"
            table = self._owner.table
            commands = supervisor_commands(table) if supervises else dealer_commands(table)
            await self._owner.settled()
            raise Refusal(refused.reason, refused.clause, commands, code=refused.code) from refused
        except Malformed as error:
            raise BadCommand(str(error), error.code) from error
        if outcome.entry is not None:
            outcome = await self._answer_of(outcome.entry)
        table = self._owner.table
        owed, shown = [one.as_result() for one in table.dealing.owed], status(table)
        answer: JsonObject = {
            "state": table.state,
            "prompt": shown["prompt"],
            "settlements": owed,  # the name of earlier versions
            "owed": owed,
            "account": shown["account"],
            "dealer": shown["dealer"],
            "boxes": shown["boxes"],
            "notes": outcome.notes,
        }
        await self._owner.settled()
        return answer

    async def _answer_of(self, entry: int) -> Outcome:
        """The result of a command that had to wait, once it was processed; or its refusal."""
        answer, outcome = await self._owner.answer_of(entry)
        if answer.refused:
            commands = dealer_commands(self._owner.table)
            await self._owner.settled()
            raise Refusal(answer.refused, answer.clause, commands, code=answer.code)
        return outcome


async def _at_once() -> None:
    """Nothing is waited for."""


def _merged(one: JsonObject, other: JsonObject) -> JsonObject:
    """Both, and so for mappings within them; ``other`` goes before ``one``."""
    result = dict(one)
    for name, new in other.items():
        old = result.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            result[name] = _merged(old, new)
        else:
            result[name] = new
    return result
