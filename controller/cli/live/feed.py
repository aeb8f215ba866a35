"""What feeds the view: the stream of states, a question every half second, the links' counters.

The rules:

- The stream tells a change at once and says nothing while the table is quiet. That the controller
  is there at all is known by asking it: it answers from its loop, once all that it has told is on
  disk, so neither a stopped process nor a disk that hangs looks like a quiet table.
- A connection that ends is made anew every half second, for ever; meanwhile the last state stays,
  with its age.
- What is the supervisor's is not asked for by others (:mod:`~controller.cli.live.watch`).
- It grows with nothing but the number of devices: the last :data:`EVENTS` events are kept.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypedDict

from controller.cli.live.known_table import Counted, SeenChange, SeenTable, ToldRound
from controller.cli.live.links import links
from controller.cli.live.traffic import TrafficWindow
from controller.control.client import NoController, RefusedByController
from controller.control.loop_client import Asker, asking
from controller.control.technician import Portion
from controller.forms.json_values import JsonObject, WrongForm
from controller.game.round.result_fields import RoundResult
from controller.game.rules.cards import suited
from controller.local_time import local
from controller.sheets.accounts import account
from controller.table.showing.changes import Change, changes
from controller.table.showing.status_fields import Status, status_of

EVERY_S: Final = 0.5
EVENTS: Final = 500
WITHHELD: Final = "this controller tells counters to supervisors only"
"""An earlier one: counters are for whoever may look."""


class _Window(TypedDict):
    links: dict[str, dict[str, int]]


class Feed:
    """All that is known of the table at ``path``. ``first`` is its state at the beginning, empty
    where the controller has not answered for ``unanswered_s``; ``may_ask``: rounds and traffic may
    be asked for; ``now`` gives monotonic seconds. Who sets ``tell`` is called with every event."""

    def __init__(
        self,
        path: Path,
        first: JsonObject,
        *,
        may_ask: bool,
        unanswered_s: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self.may_ask = may_ask
        self.state: Status = status_of(first)
        self._raw = first
        self.tell: Callable[[SeenChange], None] | None = None
        self._now = now
        self._changed = self._answered = now() - unanswered_s
        self._trouble: dict[str, str] = {}
        self._events: deque[SeenChange] = deque(maxlen=EVENTS)
        self._received: dict[str, tuple[int, float]] = {}
        self._start: Mapping[str, Mapping[str, int]] = {}
        self._lately: Mapping[str, _Window] = {}
        self._called: dict[str, int] = {}
        self._withheld = ""
        self._frozen = False

    async def feed_view(self) -> None:
        """Feed until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._for_ever("stream", self._stream))
            tasks.create_task(self._for_ever("question", self._pulse))

    def known_table(self) -> SeenTable:
        """What is known now."""
        now = self._now()
        counted = Counted(withheld=self._withheld)
        if not self._withheld:
            counted = Counted(
                self._window("minute"),
                self._window("hour"),
                self._start,
                {name: now - at for name, (_, at) in self._received.items()},
            )
        return SeenTable(
            self.state,
            local(datetime.now(UTC)),
            now - self._answered,
            now - self._changed,
            next(iter(self._trouble.values()), ""),
            counted,
            tuple(self._events),
        )

    def observe(self) -> SeenTable:
        """What is known now; that it froze, or answers again, becomes an event."""
        seen = self.known_table()
        if seen.frozen != self._frozen:
            self._frozen = seen.frozen
            said = seen.trouble or "it does not answer"
            self._happened(
                Change(f"no controller: {said}", alarm=True)
                if seen.frozen
                else Change("the controller answers again")
            )
        return self.known_table()

    async def round(self, number: str) -> ToldRound:
        """A round (``last``, or its number)."""
        if not self.may_ask:
            return ToldRound(["A round is told to supervisors only."])
        try:
            async with asking(self.path) as asker:
                found = await asker.ask("round", RoundResult, number=number)
        except (NoController, RefusedByController) as failure:
            return ToldRound([f"No round: {failure}"])
        lines = [suited(line) for text in account(found) for line in text.splitlines()]
        return ToldRound(lines, found.get("round", 0))

    async def traffic(self, device: str, into: TrafficWindow, changed: Callable[[], None]) -> None:
        """Have the traffic of a device taken until cancelled."""
        if not self.may_ask:
            into.trouble = "Traffic is told to supervisors only."
            changed()
            return
        while True:
            try:
                async with (
                    asking(self.path) as asker,
                    aclosing(asker.stream("capture", Portion, device=device)) as portions,
                ):
                    async for portion in portions:
                        into.trouble = ""
                        into.add_portion(portion)
                        changed()
            except (NoController, RefusedByController, WrongForm) as failure:
                into.trouble = f"no traffic: {failure}"
                changed()
            await asyncio.sleep(EVERY_S)

    def _window(self, name: str) -> Mapping[str, Mapping[str, int]]:
        window = self._lately.get(name)
        return window["links"] if window else {}

    # What is asked

    async def _for_ever(self, name: str, ask: Callable[[Asker], Awaitable[None]]) -> None:
        while True:
            try:
                async with asking(self.path) as asker:
                    await ask(asker)
            except (NoController, RefusedByController) as failure:
                self._trouble[name] = str(failure)
            except WrongForm as wrong:
                self._trouble[name] = f"it is of another version: {wrong}"
            await asyncio.sleep(EVERY_S)

    async def _stream(self, asker: Asker) -> None:
        async with aclosing(asker.stream("watch", dict[str, object])) as states:
            async for raw in states:
                self._note_state(raw)
                self._trouble.pop("stream", None)

    async def _pulse(self, asker: Asker) -> None:
        while True:
            await asker.ask("status", dict[str, object])
            self._answered = self._now()
            self._trouble.pop("question", None)
            if not self._withheld:
                await self._counters(asker)
            await asyncio.sleep(EVERY_S)

    async def _counters(self, asker: Asker) -> None:
        try:
            start = await asker.ask("links", dict[str, dict[str, int]])
            lately = await asker.ask("links_lately", dict[str, _Window])
        except RefusedByController as rejected:
            if rejected.kind == "not_allowed":  # anything else may be otherwise the next time
                self._withheld = WITHHELD
            return
        now = self._now()
        for name, counts in start.items():
            received = counts.get("received", 0)
            if self._received.get(name, (-1, 0.0))[0] != received:
                self._received[name] = received, now
        self._start, self._lately = start, lately
        self._degrading()

    # What becomes of it

    def _note_state(self, raw: JsonObject) -> None:
        if raw == self._raw:
            return
        state = status_of(raw)
        for change in changes(self.state, state) if self._raw else ():  # the first is no change
            self._happened(change)
        self.state, self._raw = state, raw
        self._changed = self._now()

    def _degrading(self) -> None:
        """A line of which something is to be said is an event, and again once it is called so."""
        worse = {link.name: link.worse for link in links(self.known_table()) if link.up}
        for link in links(self.known_table()):
            if link.up and link.worse > self._called.get(link.name, 0):
                self._happened(Change(f"{link.name}: {link.word}", alarm=True))
        self._called = worse

    def _happened(self, change: Change) -> None:
        event = SeenChange(local(datetime.now(UTC)), *change)
        self._events.append(event)
        if self.tell is not None:
            self.tell(event)
