"""The only writer of the table's state: every event is applied here, one after the other.

Law 1 is enforced here: an event is applied to the table, submitted for commit, and whatever follows
from it (acknowledgement, command, draw, answer, what watchers see) leaves only when it is durable,
in commit order. The state may be ahead of the disk for a moment; nothing outside sees it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, replace
from typing import Final, cast

from controller.control.attempts import Attempt
from controller.control.handler import BadCommand, Refusal, Unavailable
from controller.control.peers import Peer
from controller.counters.report import report
from controller.daemon.health.selftests import Verdict
from controller.daemon.health.telling import Telling
from controller.daemon.outside import Committing
from controller.journal.model import Draft, Entry
from controller.json_values import JsonObject
from controller.replay.counted_table import CountedTable
from controller.replay.records import as_stored, draft_of
from controller.round.refusal import Refused
from controller.round.steps.step import Malformed
from controller.table.entering.commands import dealer_commands
from controller.table.entering.supervisors_list import supervisor_commands
from controller.table.events import CommandResult, Event, Outcome
from controller.table.showing.prompt import prompt
from controller.table.showing.status import status
from controller.table.showing.status_fields import Status
from controller.table.showing.wanted import wants
from controller.table.showing.wants import Wants

_log = logging.getLogger(__name__)

LOOKS_S: Final = 3.0
"""How long who only looks waits for the disk, in seconds: less than his program does for an
answer."""


class Owner:
    """Owns ``counted``, above all its table; ``stop`` is called with the reason when it cannot
    continue. ``facts`` are added to the table's fields in the status; ``before_open`` may be set to
    what is waited for before a dealer opens a round."""

    def __init__(
        self,
        counted: CountedTable,
        committer: Committing,
        loop: asyncio.AbstractEventLoop,
        stop: Callable[[str], None],
        facts: JsonObject | None = None,
    ) -> None:
        self.counted = counted
        self.table = counted.table
        self._facts = dict(facts or {})
        self._shown: dict[str, Callable[[], JsonObject]] = {}
        self.published = Wants()
        self._committer = committer
        committer.handed_over, committer.settled = self._keep_wants, self._publish
        self._loop = loop
        self._stop = stop
        self._submitted = 0
        self._committed = 0
        self._wants_of_submitted: deque[tuple[int, Wants]] = deque()
        self._settled: list[tuple[int, asyncio.Future[None]]] = []
        self._asked: dict[int, asyncio.Future[tuple[CommandResult, Outcome]]] = {}
        self._companions: list[Callable[[Event], None]] = []
        self._followers: list[Callable[[Wants], None]] = []
        self._watchers: list[Callable[[], None]] = []
        self._given_up = False
        self.before_open: Callable[[], Awaitable[None]] = _at_once
        self._telling = Telling(loop, lambda: self.table.holds.conditions, self._tell)

    # ---- events -------------------------------------------------------------------------------

    def submit(
        self,
        event: Event,
        then: Callable[[Entry], None] | None = None,
        *,
        t_ms: int | None = None,
        renumbered: bool = False,
    ) -> Outcome:
        """Apply an event and have it committed; ``then`` follows the commit. The table is given
        exactly what a replay will be given.

        Raises:
            Refused, Malformed: the entry is not permitted; nothing has changed or is stored.
        """
        if self._given_up:
            return Outcome()  # the table may be partly changed, so its state cannot be trusted
        try:
            event = as_stored(event)
            outcome = self.counted.apply(event)
            draft = draft_of(event, outcome, t_ms=t_ms, renumbered=renumbered)
        except (Refused, Malformed):
            raise
        except Exception:
            self._give_up(event)
            raise
        self._commit(draft, outcome, then)
        for companion in self._companions:
            companion(event)
        return outcome

    def record(self, draft: Draft) -> None:
        """Have an entry committed that is not an event of the table."""
        if not self._given_up:
            self._commit(draft, Outcome(), None)

    def _commit(self, draft: Draft, outcome: Outcome, then: Callable[[Entry], None] | None) -> None:
        self._submitted += 1
        number = self._submitted

        def committed(entry: Entry) -> None:
            if then is not None:
                then(entry)
            self._has_committed(number, outcome)

        self._committer.submit(draft, committed)

    def device_event(
        self, event: Event, t_ms: int, then: Callable[[Entry], None] | None = None
    ) -> None:
        """Apply an event of a device. One that the table cannot take stops the controller:
        continuing without it would lose its content."""
        try:
            self.submit(event, then, t_ms=t_ms)
        except Exception:
            _log.exception("event %s of %s cannot be taken", event.type, event.device)
            self._give_up(event)

    def condition(self, fault: str, detail: str = "", *, present: bool = True) -> None:
        """A condition of the controller itself has begun, or ended (``present`` False): ``fault``
        is its code in the catalogue, ``detail`` the particulars in words. Frequent changes are
        limited before this (:mod:`controller.daemon.health.telling`)."""
        self._telling.tell(Verdict(fault, detail, present))

    def _tell(self, verdict: Verdict) -> None:
        body = {"fault": verdict.fault, "present": verdict.present, "detail": verdict.detail}
        self.submit(Event("condition", body))

    def _give_up(self, event: Event) -> None:
        """Stop taking, storing and answering events. A later event would take the place of this one
        in the journal, and the device would never send this one again."""
        if not self._given_up:
            self._given_up = True
            number = f" {event.event_no}" if event.event_no is not None else ""
            of = f" of {event.device}" if event.device is not None else ""
            self._stop(f"the table cannot take {event.type}{number}{of}")

    def _has_committed(self, number: int, outcome: Outcome) -> None:
        self._committed = number
        for answer in outcome.answered:
            asked = self._asked.pop(answer.entry, None)
            if asked is not None and not asked.done():
                asked.set_result((answer, outcome))
        while self._settled and self._settled[0][0] <= number:
            _, waiter = self._settled.pop(0)
            if not waiter.done():
                waiter.set_result(None)

    def _keep_wants(self) -> None:
        """Derive the wants from all that is handed over, to be published once it is committed."""
        self._wants_of_submitted.append((self._submitted, wants(self.table)))

    def _publish(self) -> None:
        """Have followers and watchers act, once for all that became durable together."""
        while self._wants_of_submitted and self._wants_of_submitted[0][0] <= self._committed:
            self.published = self._wants_of_submitted.popleft()[1]
        for attend in tuple(self._followers):
            attend(self.published)
        for changed in tuple(self._watchers):
            changed()

    def say_waiting(self, words: str) -> None:
        """Have the keypad's second row say that something waits, until the next commit publishes
        what it says itself. The words tell nothing of what waits; said again, they change
        nothing."""
        said = replace(self.published, rows=(self.published.rows[0], words))
        if said == self.published:
            return
        self.published = said
        for attend in tuple(self._followers):
            attend(self.published)

    @property
    def submitted(self) -> int:
        """How many entries have been submitted by this owner."""
        return self._submitted

    @property
    def all_durable(self) -> bool:
        """Whether all of them are on stable storage, and more are taken."""
        return self._committed == self._submitted and not self._given_up

    def settled(self) -> Awaitable[None]:
        """Done when everything submitted so far is durable."""
        waiter: asyncio.Future[None] = self._loop.create_future()
        if self._given_up:
            return waiter  # for ever: the table's state cannot be trusted
        if self._committed >= self._submitted:
            waiter.set_result(None)
        else:
            self._settled.append((self._submitted, waiter))
        return waiter

    # ---- for clients --------------------------------------------------------------------------

    async def status(self) -> Status:
        """The committed state."""
        answer: JsonObject = {**status(self.table), **self._facts}
        for name, facts in self._shown.items():
            answer = _merged(answer, {name: facts()})
        await self._stored()
        return cast("Status", answer)

    async def counters(self) -> JsonObject:
        """The counters, as committed."""
        answer = report(self.counted.counters)
        await self._stored()
        return answer

    async def _stored(self) -> None:
        """Wait until what somebody is to be shown is durable.

        Raises:
            Unavailable: the disk takes longer than he is to wait.
        """
        try:
            async with asyncio.timeout(LOOKS_S):
                await self.settled()
        except TimeoutError:
            self._settled = [known for known in self._settled if not known[1].done()]
            raise Unavailable(
                f"the journal's disk has not stored for {self._committer.age_s():.0f} s what was "
                "entered; nothing is lost, and nothing is shown before it is stored. Wait and "
                "enter nothing twice; 'dmesg' and 'systemctl status table-controller' may say why"
            ) from None

    def show(self, name: str, facts: Callable[[], JsonObject]) -> None:
        """Have the status say under ``name`` what ``facts`` says when it is asked, beside what the
        table says there."""
        self._shown[name] = facts

    def accompany(self, companion: Callable[[Event], None]) -> None:
        """Have ``companion`` called with every event that was applied: what it submits becomes
        durable together with that event, in one transaction."""
        self._companions.append(companion)

    def follow(self, attend: Callable[[Wants], None]) -> Callable[[], None]:
        """Have ``attend`` called after commits with what the table then wants, in the order in
        which followers came and before the watchers; returns what ends it."""
        self._followers.append(attend)
        return lambda: self._followers.remove(attend)

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have ``changed`` called after commits."""
        self._watchers.append(changed)
        return lambda: self._watchers.remove(changed)

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
        self.submit(Event("refused-attempt", asdict(attempt)))

    async def _submit_command(self, event: Event) -> JsonObject:
        try:
            outcome = self.submit(event)
        except Refused as refused:
            supervises = event.type == "supervisor"
            commands = (
                supervisor_commands(self.table) if supervises else dealer_commands(self.table)
            )
            await self.settled()
            raise Refusal(refused.reason, refused.clause, commands) from refused
        except Malformed as error:
            raise BadCommand(str(error)) from error
        if outcome.entry is not None:
            outcome = await self._answer_of(outcome.entry)
        state, said = self.table.state, prompt(self.table).text
        await self.settled()
        return {
            "state": state,
            "prompt": said,
            "settlements": outcome.settlements,
            "notes": outcome.notes,
        }

    async def _answer_of(self, entry: int) -> Outcome:
        """The result of a command that had to wait, once it was processed; or its refusal."""
        asked: asyncio.Future[tuple[CommandResult, Outcome]] = self._loop.create_future()
        self._asked[entry] = asked
        try:
            answer, outcome = await asked
        finally:
            self._asked.pop(entry, None)
        if answer.refused:
            commands = dealer_commands(self.table)
            await self.settled()
            raise Refusal(answer.refused, answer.clause, commands)
        return outcome

    def close(self) -> None:
        """Stop all timers."""
        self._telling.close()


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
