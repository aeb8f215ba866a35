"""What clients ask of the table: shown as it was committed, commands answered once they are; and
what the daemon does for each request at the control socket (docs/control-socket.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Final, cast

from controller.control.handler import (
    Attempt,
    BadCommand,
    Changed,
    Daemon,
    RequestRefused,
    Unavailable,
)
from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.counters.report import report
from controller.daemon.health.pace import what_waits
from controller.daemon.journaling.played_rounds import PlayedRounds
from controller.daemon.owner import Owner
from controller.daemon.people_desk import Desk
from controller.daemon.witnesses import Witnesses
from controller.daemon.workshop import Workshop
from controller.forms.json_values import JsonObject
from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from controller.replay.shown_state import Keyed, identity, unpacked
from controller.table.dry_run import DryRun
from controller.table.entering.choices import offered
from controller.table.entering.commands import dealer_commands
from controller.table.entering.supervising import supervisor_commands
from controller.table.events.of_people import (
    AttemptRefused,
    DealerCommanded,
    PersonCommanded,
    SupervisorCommanded,
)
from controller.table.outcome import Outcome
from controller.table.showing.actions import Action, actions_of
from controller.table.showing.status_fields import Choices, Status
from controller.table.state.table import Table


def answering(
    table: TableHandler,
    workshop: Workshop,
    rounds: PlayedRounds,
    witnesses: Witnesses,
    people: Desk,
) -> Daemon:
    """What a server serves; each part says what it answers."""
    return Daemon(
        table.status,
        table.subscribe,
        table.refused_attempt,
        people.known,
        streams={
            "capture": workshop.capture,
            "try": workshop.trial,
        },
        answers={
            "counters": lambda *_: table.counters(),
            "choices": lambda *_: table.choices(),
            "dealer": table.command,
            "supervisor": table.command,
            "round": lambda request, _: rounds.round(request.number),
            "course": lambda request, _: rounds.course(request.number),
            "proof": lambda request, _: rounds.proof(request.number),
            "shift": lambda request, _: rounds.shift(request.which),
            "ready": lambda _, who: workshop.ready(who),
            "links": lambda *_: workshop.links(),
            "links_lately": lambda *_: workshop.links_lately(),
            "self_test": lambda request, who: workshop.self_test(request.device, who),
            "device_command": lambda request, who: workshop.device_command(
                request.device, request.command, who
            ),
            "device_tested": lambda request, who: workshop.device_tested(
                request.device, request.test, request.verdict, request.what, who
            ),
            "entries": lambda request, _: witnesses.entries(request.after, request.most),
            "checkpoint": lambda request, _: witnesses.checkpoint(request.after, request.old),
            "subtree": lambda request, _: witnesses.subtree(
                request.start, request.end, request.size
            ),
            "witnessed": lambda request, _: witnesses.witnessed(request),
            "people": lambda *_: people.listed(),
            **dict.fromkeys(("person_add", "person_pin", "person_remove"), people.change),
        },
    )


CROSSED: Final = frozenset({"card-came-first", "changed"})
"""Codes of what is refused because the table has changed while it waited."""

WAITS_S: Final = 10.0
"""How long a command waits for the card shoe before its client is told so, in seconds: less than a
program waits for an answer, and more than a shoe has for what it names
(:mod:`drivers.table_link.pace`)."""

LOOKS_S: Final = 3.0
"""How long who only looks waits for the disk, in seconds: less than his program does for an
answer."""


class TableHandler:
    """Of the owner's table; the status has the ``facts`` too."""

    def __init__(self, owner: Owner, facts: JsonObject | None = None) -> None:
        self._owner, self.subscribe = owner, owner.subscribe
        self._facts = dict(facts or {})
        self._shown: dict[str, Callable[[], JsonObject]] = {}

    async def status(self) -> Status:
        """The committed state."""
        shown = self._owner.shown
        answer: JsonObject = {**shown.find_status(), "at": shown.at, **self._facts}
        for name, facts in self._shown.items():
            answer = _merged(answer, {name: facts()})
        await self._stored()
        return cast("Status", answer)

    async def counters(self) -> JsonObject:
        """The counters, as committed."""
        answer = report(self._owner.counted.counters)
        await self._stored()
        return answer

    async def choices(self) -> Choices:
        """What may be said now of what went wrong, as committed."""
        table = self._owner.table
        dealer, supervisor = (offered(table, supervisor=may) for may in (False, True))
        told: Choices = {
            "at": self._owner.shown.at,
            "dealer": list(map(str, dealer)),
            "supervisor": list(map(str, supervisor)),
            "dealer_actions": actions_of(table, dealer, "dealer"),
            "supervisor_actions": actions_of(table, supervisor, "supervisor"),
            "clauses": {
                str(one): clause for one, clause in (dealer | supervisor).items() if clause
            },
        }
        await self._stored()
        return told

    async def _stored(self) -> None:
        """Wait until what is to be shown is durable; Unavailable where that takes too long."""
        if not await self._owner.settled_within(LOOKS_S):
            why = self._owner.committer.journal_holder() or (
                "'dmesg' and 'systemctl status table-controller' may say why"
            )
            waits = what_waits(self._owner.committer.age_s())
            raise Unavailable(
                f"{waits}; nothing is lost, and nothing is shown "
                f"before it is stored. Wait and enter nothing twice; {why}",
                "not-stored",
            )

    def show_facts(self, name: str, facts: Callable[[], JsonObject]) -> None:
        """Have the status say under ``name`` also what ``facts`` says when it is asked."""
        self._shown[name] = facts

    async def command(self, request: Request, who: Peer) -> JsonObject:
        """A command of a dealer or a supervisor."""
        try:
            return await self._command(request, who)
        except Refused as refused:
            commands = _permitted(self._owner.table, request)
            await self._owner.settled()
            raise RequestRefused(
                refused.reason, refused.clause, commands, code=refused.code
            ) from refused
        except Malformed as error:
            raise BadCommand(str(error), error.code) from error

    def refused_attempt(self, attempt: Attempt) -> None:
        """A client was refused a command beyond its role: stored as an event."""
        self._owner.submit(AttemptRefused(**asdict(attempt)))

    async def _command(self, request: Request, who: Peer) -> JsonObject:
        events = [_event(request, text, who) for text in request.commands or (request.command,)]
        shown = self._owner.shown
        if request.key is not None and (known := shown.answers.known(request.key)):
            return await self._repeat_answer(request, known, events[0])
        if request.at is not None:
            now = self._changed()
            if request.at != now.at:
                await self._owner.settled()
                raise now
        if request.dry:
            return await self._tried(request, events)
        outcome = self._owner.submit(events[0])
        if outcome.entry is not None:
            outcome = await self._result_of(outcome.entry, request)
        kept = shown.answers.known(request.key) if request.key is not None else None
        answer = unpacked(kept.answer) if kept and kept.answer else shown.answer(outcome)
        await self._owner.settled()
        return answer

    async def _tried(self, request: Request, events: list[PersonCommanded]) -> JsonObject:
        """The answer to a dry run; of several commands the one that is refused is named."""
        shown, run = self._owner.shown, DryRun(self._owner.table)
        shown.compare()
        at = shown.at
        try:
            answer = run.answer(events, at)
        except (Refused, Malformed) as error:
            await self._owner.settled()
            where = f"{run.command}: " if len(events) > 1 else ""
            if isinstance(error, Malformed):
                raise BadCommand(f"{where}{error}", error.code) from error
            permitted = _permitted(run.tried, request)
            said = f"{where}{error.reason}"
            raise RequestRefused(said, error.clause, permitted, code=error.code) from error
        await self._owner.settled()
        return answer

    def _changed(self) -> Changed:
        look = self._owner.shown.find_status()  # first: it says since when
        return Changed(self._owner.shown.at, look["prompt"], look["asks"])

    async def _repeat_answer(
        self, request: Request, known: Keyed, event: PersonCommanded
    ) -> JsonObject:
        if known.said != identity(event):
            raise BadCommand(
                f"key: {request.key!r} is that of another command; choose a new one", "key-used"
            )
        again: Keyed | None = known
        if known.entry is not None:
            await self._result_of(known.entry, request)
            again = self._owner.shown.answers.known(str(request.key))
        await self._owner.settled()
        if again is None or not again.answer:
            raise Unavailable(
                "the command was given before, and its answer is not known any more", "answer-lost"
            )
        return {**unpacked(again.answer), "again": True}

    async def _result_of(self, entry: int, request: Request) -> Outcome:
        try:
            async with asyncio.timeout(WAITS_S):
                answer, outcome = await self._owner.answer_of(entry)
        except TimeoutError:
            raise Unavailable(
                f"the card shoe has not locked its gate for it within {WAITS_S:.0f} s, or keeps a "
                "card that left before; it waits, and is done or refused when the shoe is ready. "
                "Enter nothing twice; 'tablectl devices list' says what is wrong with the shoe",
                "shoe-silent",
            ) from None
        if answer.refused:
            commands = _permitted(self._owner.table, request)
            now = self._changed()
            await self._owner.settled()
            if request.at is not None and answer.code in CROSSED:
                raise now
            raise RequestRefused(answer.refused, answer.clause, commands, code=answer.code)
        return outcome


def _permitted(table: Table, request: Request) -> list[Action]:
    if request.do == "dealer":
        return actions_of(table, dealer_commands(table), "dealer")
    return actions_of(table, supervisor_commands(table), "supervisor")


def _event(request: Request, command: str, who: Peer) -> PersonCommanded:
    if request.do == "dealer":
        return DealerCommanded(
            command=command, by=who.person, at=request.at, key=request.key, **who.as_fields
        )
    return SupervisorCommanded(
        command=command,
        by=request.by if who.person is None else who.person,
        why=request.why,
        at=request.at,
        key=request.key,
        **who.as_fields,
    )


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
