"""The only writer of the table's state: every event is applied here, one after the other.

Law 1 is enforced here: an event is applied to the table, submitted for commit, and whatever follows
from it (acknowledgement, command, draw, answer, what watchers see) leaves only when it is durable,
in commit order. The state may be ahead of the disk for a moment; nothing outside sees it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace

from controller.daemon.health.findings import FaultFinding, Telling
from controller.daemon.outside import Committing
from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from controller.journal.model import Draft, Entry
from controller.replay.recovery import Recovered
from controller.replay.replay import as_stored, draft_of
from controller.table.events.event import Event, OfDevice, Reported
from controller.table.events.of_controller import ConditionChanged
from controller.table.outcome import CommandResult, Outcome
from controller.table.showing.wanted import Wants, wants

_log = logging.getLogger(__name__)


class Owner:
    """Owns the table that was ``recovered``; ``stop`` is called with why it cannot continue."""

    def __init__(
        self,
        recovered: Recovered,
        committer: Committing,
        loop: asyncio.AbstractEventLoop,
        stop: Callable[[str], None],
    ) -> None:
        self.counted = recovered.counted
        self.table = recovered.counted.table
        self.shown = recovered.shown
        self.published = Wants()
        self.committer = committer
        committer.handed_over, committer.durable = self._keep_wants, self._publish
        committer.settled = self._tell_watchers
        self._loop = loop
        self._stop = stop
        self.submitted = 0
        """How many entries have been submitted by this owner."""
        self._committed = 0
        self._wants_of_submitted: deque[tuple[int, Wants]] = deque()
        self._settled: list[tuple[int, asyncio.Future[None]]] = []
        self._asked: dict[int, asyncio.Future[tuple[CommandResult, Outcome]]] = {}
        self._companions: list[Callable[[Event], None]] = []
        self._followers: list[Callable[[Wants], None]] = []
        self._watchers: list[Callable[[], None]] = []
        self._given_up = False
        telling = Telling(loop, lambda: self.table.holds.conditions, self._submit_condition)
        self.report_finding, self.tell_anew = telling.report_finding, telling.anew
        self.close = telling.close

    # ---- events -------------------------------------------------------------------------------

    def submit(
        self,
        event: Event,
        then: Callable[[Entry], None] | None = None,
        *,
        t_ms: int | None = None,
        renumbered: bool = False,
    ) -> Outcome:
        """Apply an event, as a replay will be given it, and have it committed, and ``then`` called.
        Refused, Malformed: it is not permitted; nothing has changed or is stored."""
        if self._given_up:
            return Outcome()  # the table may be partly changed, so its state cannot be trusted
        try:
            event = as_stored(event)
            self.shown.before(event.type)
            outcome = self.counted.apply(event)
            draft = draft_of(event, outcome, t_ms=t_ms, renumbered=renumbered)
            self.shown.happened(event, outcome)
        except (Refused, Malformed):
            raise
        except Exception:
            self.give_up(_named(event))
            raise
        self._commit(draft, outcome, then)
        for companion in self._companions:
            companion(event)
        return outcome

    def record(self, draft: Draft) -> None:
        """Have an entry committed that is not an event of the table."""
        if not self._given_up:
            self.shown.stored()
            self._commit(draft, Outcome(), None)

    def _commit(self, draft: Draft, outcome: Outcome, then: Callable[[Entry], None] | None) -> None:
        self.submitted += 1
        number = self.submitted

        def committed(entry: Entry) -> None:
            if then is not None:
                then(entry)
            self._has_committed(number, outcome)

        self.committer.submit(draft, committed)

    def device_event(
        self, event: Reported, t_ms: int, then: Callable[[Entry], None] | None = None
    ) -> None:
        """Apply an event of a device; one that cannot be taken stops the controller."""
        try:
            self.submit(event, then, t_ms=t_ms)
        except Exception:
            _log.exception("event %s of %s cannot be taken", event.type, event.device)
            self.give_up(_named(event))

    def condition(self, fault: str, detail: str = "", *, present: bool = True) -> None:
        """A condition of the controller itself, by its code in the catalogue, has begun or ended;
        frequent changes are limited before this (:class:`Telling`)."""
        self.report_finding(FaultFinding(fault, detail, present))

    def _submit_condition(self, verdict: FaultFinding) -> None:
        self.submit(
            ConditionChanged(fault=verdict.fault, present=verdict.present, detail=verdict.detail)
        )

    def give_up(self, event: str) -> None:
        """Stop taking, storing and answering events because of that ``event``: a later one would
        take its place in the journal, and the device would never send it again."""
        if not self._given_up:
            self._given_up = True
            self._stop(f"the table cannot take {event}")

    def _has_committed(self, number: int, outcome: Outcome) -> None:
        self._committed = number
        for answer in outcome.answered:
            asked = self._asked.pop(answer.entry, None)
            if asked is not None:
                asked.set_result((answer, outcome))
        while self._settled and self._settled[0][0] <= number:
            _, waiter = self._settled.pop(0)
            if not waiter.done():
                waiter.set_result(None)

    def _keep_wants(self) -> None:
        """Derive the wants from all that is handed over, to be published once it is committed."""
        asked = self.shown.prompt if self.table.started else None
        self._wants_of_submitted.append((self.submitted, wants(self.table, asked)))

    def _publish(self) -> None:
        while self._wants_of_submitted and self._wants_of_submitted[0][0] <= self._committed:
            self.published = self._wants_of_submitted.popleft()[1]
        for attend in tuple(self._followers):
            attend(self.published)

    def _tell_watchers(self) -> None:
        for changed in tuple(self._watchers):
            changed()
        if self.table.started:
            self.shown.compare()  # before the next event, which would wait for it

    def say_waiting(self, words: str) -> None:
        """Have the keypad's second row say so until the next commit; nothing of what waits."""
        said = replace(self.published, rows=(self.published.rows[0], words))
        if said == self.published:
            return
        self.published = said
        for attend in tuple(self._followers):
            attend(self.published)

    @property
    def all_durable(self) -> bool:
        """Whether all of them are on stable storage, and more are taken."""
        return self._committed == self.submitted and not self._given_up

    def settled(self) -> Awaitable[None]:
        """Done when everything submitted so far is durable."""
        waiter: asyncio.Future[None] = self._loop.create_future()
        if self._given_up:
            return waiter  # for ever: the table's state cannot be trusted
        if self._committed >= self.submitted:
            waiter.set_result(None)
        else:
            self._settled.append((self.submitted, waiter))
        return waiter

    async def settled_within(self, seconds: float) -> bool:
        """Wait for that, at most so long; whether it is done."""
        try:
            async with asyncio.timeout(seconds):
                await self.settled()
        except TimeoutError:
            self._settled = [known for known in self._settled if not known[1].done()]
            return False
        return True

    async def answer_of(self, entry: int) -> tuple[CommandResult, Outcome]:
        """What came of a command that had to wait, once it was processed; several may ask."""
        asked = self._asked.get(entry)
        if asked is None:
            asked = self._asked[entry] = self._loop.create_future()
        return await asyncio.shield(asked)  # one who leaves does not end it for the others

    # ---- who acts with it ---------------------------------------------------------------------

    def accompany(self, companion: Callable[[Event], None]) -> None:
        """Have it called with each applied event: what it submits is in the same transaction."""
        self._companions.append(companion)

    def follow(self, attend: Callable[[Wants], None]) -> Callable[[], None]:
        """Have ``attend`` called after commits with what the table wants, in the order of followers
        (by whom: :mod:`controller.daemon.committer`); returns what ends it."""
        self._followers.append(attend)
        return lambda: self._followers.remove(attend)

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have ``changed`` called by the loop after commits."""
        self._watchers.append(changed)
        return lambda: self._watchers.remove(changed)


def _named(event: Event) -> str:
    """An event as a technician finds it in a log."""
    number = f" {event.event_no}" if isinstance(event, Reported) else ""
    return f"{event.type}{number}" + (f" of {event.device}" if isinstance(event, OfDevice) else "")
