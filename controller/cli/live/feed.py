"""What feeds the view: the stream of states, and a question every half second.

The rules:

- The stream tells a change at once and says nothing while the table is quiet. That the controller
  is there at all is known by asking it: it answers from its loop, once all that it has told is on
  disk, so neither a stopped process nor a disk that hangs looks like a quiet table.
- A connection that ends is made anew every half second, for ever; meanwhile the last state stays,
  with its age.
- What is the supervisor's is not asked for by others.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from controller.cli.devices.link_counters import RecentCounts, by_device, tables
from controller.cli.table.status import device_table
from controller.control.client import NoController, RefusedByController
from controller.control.loop_client import Asker, asking
from controller.forms.json_values import JsonObject, WrongForm
from controller.game.round.result_fields import RoundResult
from controller.local_time import local
from controller.sheets.accounts import account
from controller.table.showing.changes import Change, changes
from controller.table.showing.status_fields import Status, status_of

EVERY_S: Final = 0.5
FROZEN_AFTER_S: Final = 1.5
"""The controller is asked twice a second. Who has not answered for so long is not quiet."""
EVENTS: Final = 100


@dataclass(frozen=True, slots=True)
class SeenChange:
    """Something that was seen to change, when, in words. ``alarm``: it is trouble."""

    at: datetime
    text: str
    alarm: bool = False

    def __str__(self) -> str:
        return f"{self.at.strftime('%H:%M:%S')} {'! ' if self.alarm else ''}{self.text}"


class Feed:
    """All that is known of the table at ``path``. ``first`` is its state at the beginning, empty
    where the controller has not answered for ``unanswered_s``; ``may_ask``: rounds may be asked
    for. Who sets ``tell`` is called with every change; the last ones are ``events``."""

    def __init__(
        self, path: Path, first: JsonObject, *, may_ask: bool, unanswered_s: float = 0.0
    ) -> None:
        self.path = path
        self.state: Status = status_of(first)
        self.tell: Callable[[SeenChange], object] = lambda _: None
        self.events: deque[SeenChange] = deque(maxlen=EVENTS)
        self._may_ask = may_ask
        self._raw = first
        self._changed = self._answered = time.monotonic() - unanswered_s
        self._trouble: dict[str, str] = {}
        self._was_frozen = False
        self._round: tuple[Status, list[str]] | None = None

    @property
    def trouble(self) -> str:
        """Why there is no connection; empty while there is one."""
        return next(iter(self._trouble.values()), "")

    @property
    def answered_s(self) -> float:
        """Seconds since the controller's last answer."""
        return time.monotonic() - self._answered

    @property
    def quiet_s(self) -> float:
        """Seconds since the table last changed."""
        return time.monotonic() - self._changed

    @property
    def frozen(self) -> bool:
        """Whether what is shown may not be so any more."""
        return bool(self._trouble) or self.answered_s >= FROZEN_AFTER_S

    async def feed_view(self) -> None:
        """Feed until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._for_ever("stream", self._stream))
            tasks.create_task(self._for_ever("question", self._pulse))

    def observe(self) -> None:
        """Have it be a change that the controller froze, or answers again."""
        frozen, said = self.frozen, self.trouble or "it does not answer"
        if frozen and not self._was_frozen:
            self._happened(Change(f"no controller: {said}", alarm=True))
        elif self._was_frozen and not frozen:
            self._happened(Change("the controller answers again"))
        self._was_frozen = frozen

    async def last_round(self) -> list[str]:
        """The last round that has a card, as ``round show`` tells it; asked for once a state."""
        if not self._may_ask:
            return ["A round is told to supervisors only."]
        state = self.state
        if self._round is None or self._round[0] is not state:
            try:
                async with asking(self.path) as asker:
                    told = account(await asker.ask("round", RoundResult, number="last"))
            except NoController as failure:
                return [f"No round: {failure}"]
            except RefusedByController as rejected:
                told = iter([f"No round: {rejected}"])
            self._round = state, [line for text in told for line in text.splitlines()]
        return self._round[1]

    async def devices(self) -> list[str]:
        """The devices and the counters of their links, as ``devices list --stats`` tells them."""
        try:
            async with asking(self.path) as asker:
                start = await asker.ask("links", dict[str, dict[str, int]])
                lately = await asker.ask("links_lately", dict[str, RecentCounts])
        except (NoController, RefusedByController) as failure:
            return [f"No counters: {failure}"]
        listed = device_table(self.state.get("devices", {}))
        return [*listed.splitlines(), *tables(by_device(start, lately))]

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
            self._answered = time.monotonic()
            self._trouble.pop("question", None)
            await asyncio.sleep(EVERY_S)

    def _note_state(self, raw: JsonObject) -> None:
        if raw == self._raw:
            return
        state = status_of(raw)
        for change in changes(self.state, state) if self._raw else ():  # the first is no change
            self._happened(change)
        self.state, self._raw = state, raw
        self._changed = time.monotonic()

    def _happened(self, change: Change) -> None:
        event = SeenChange(local(datetime.now(UTC)), *change)
        self.events.append(event)
        self.tell(event)
