"""The shuffler: two card sets told apart by their backs, one of them shuffled at a time.

A shuffle takes ``shuffle_ms``; every five seconds it tells how far it is. It ends with one
CARD_DISCREPANCY per affected card, then SHUFFLE_DONE, then the set's state: ready when complete,
loaded when not (protocol section 5).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from simulators.cards import parse_card
from simulators.model import (
    BAD_BODY,
    BUSY,
    HARDWARE,
    NOT_NOW,
    Body,
    Event,
    Fields,
    Model,
    NakError,
    number,
)

EMPTY, LOADED, SHUFFLING, READY, JAM, DOOR_OPEN, FAULT = range(7)
STATES = ("empty", "loaded", "shuffling", "ready", "jam", "door open", "fault")
RESULTS = ("complete", "missing", "extra", "unreadable", "foreign")
MOTOR_BIT = 1 << 3
REPORT_EVERY_S = 5.0
PER_MILLE = 1000


class Shuffler(Model):
    """A shuffler and the hands that load and empty it."""

    kind: ClassVar[int] = 2
    name: ClassVar[str] = "shuffler"

    def __init__(self, body: Body, cards: int = 384, shuffle_ms: int = 20_000) -> None:
        super().__init__(body)
        self.full = cards
        self.shuffle_ms = shuffle_ms
        self.sets = {1: LOADED, 2: EMPTY}
        self.counts = {1: cards, 2: 0}
        self.blocked = 0
        self.last_set = 1
        self.planted: dict[int, list[tuple[int, int, int]]] = {1: [], 2: []}
        self.results: dict[int, int] = {1: 0, 2: 0}
        self.active: int | None = None
        self._began = self._ends = self._report_at = 0.0

    def on_start(self, fields: Fields) -> Fields:
        """START: for the set being shuffled it changes nothing."""
        which = self._which(fields)
        if self.active == which:
            return {}
        if self.active is not None:
            raise NakError(BUSY)
        if self.faults & MOTOR_BIT:
            raise NakError(HARDWARE)
        if self.blocked or self.sets[which] not in (LOADED, READY):
            raise NakError(NOT_NOW)
        self.active = self.last_set = which
        self._began = self.body.now
        self._ends = self._began + self.shuffle_ms / 1000
        self._report_at = self._began + REPORT_EVERY_S
        self._become(which, SHUFFLING)
        return {}

    def on_release(self, fields: Fields) -> Fields:
        """RELEASE: the set is given out."""
        which = self._which(fields)
        if self.blocked or self.sets[which] not in (LOADED, READY):
            raise NakError(NOT_NOW)
        self.counts[which] = 0
        self.last_set = which
        self._become(which, EMPTY)
        return {}

    def on_abort(self, _: Fields) -> Fields:
        """ABORT: the set stays, unshuffled."""
        self._stop()
        return {}

    def ping_state(self) -> int:
        """As SHUFFLER_STATE: what stands in the way, else the set last dealt with."""
        if self.faults & ~(1 << 6):
            return FAULT
        return self.blocked or self.sets[self.last_set]

    def present(self) -> Iterable[Event]:
        """SHUFFLER_STATE of each set begins every session."""
        return [self._state_event(which) for which in self.sets]

    def deadline(self) -> float | None:
        """The end of the shuffle, or the next report on it."""
        return None if self.active is None else min(self._ends, self._report_at)

    def tick(self) -> None:
        """Report, or finish."""
        if self.active is None:
            return
        if self.body.now >= self._ends:
            self._finish(self.active)
        elif self.body.now >= self._report_at:
            self._report_at += REPORT_EVERY_S
            self._emit_state(self.active)

    def do_load(self, set: int, count: int | None = None) -> dict[str, Any]:  # noqa: A002
        """Put ``count`` cards in as set 1 or 2; by default a whole set."""
        if self.active == set:
            raise ValueError("that set is being shuffled")
        self.counts[set] = self.full if count is None else count
        self._become(set, LOADED if self.counts[set] else EMPTY)
        return {}

    def do_plant(
        self,
        set: int,  # noqa: A002
        card: str | None = None,
        difference: int = 1,
        result: str | None = None,
    ) -> dict[str, Any]:
        """Let the next shuffle of a set find a card too many (+1) or too few (-1).

        ``result`` says the outcome itself: ``unreadable`` or ``foreign``.
        """
        if result is not None:
            self.results[set] = RESULTS.index(result)
        if card is not None:
            found = parse_card(card)
            self.planted[set].append((found.rank, found.suit, difference))
            self.counts[set] += difference
        return {}

    def do_jam(self) -> dict[str, Any]:
        """Cards get stuck; a shuffle stops."""
        return self._block(JAM)

    def do_door(self, *, open: bool) -> dict[str, Any]:  # noqa: A002 - the word on the wire
        """Open the door (a shuffle stops), or close it (which clears a jam too)."""
        if open:
            return self._block(DOOR_OPEN)
        self.blocked = 0
        for which in self.sets:
            self._emit_state(which)
        return {}

    def visible_state(self) -> dict[str, Any]:
        """Both sets and what stands in the way."""
        return {
            "sets": {str(which): STATES[state] for which, state in self.sets.items()},
            "counts": {str(which): count for which, count in self.counts.items()},
            "blocked": STATES[self.blocked] if self.blocked else None,
            "shuffling": self.active,
        }

    def remembered(self) -> dict[str, Any]:
        """The cards stay where they are; a shuffle under way is not finished by itself."""
        sets = [LOADED if state == SHUFFLING else state for state in self.sets.values()]
        return {"sets": sets, "counts": [*self.counts.values()], "blocked": self.blocked}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """See :meth:`remembered`."""
        self.sets = {which: memory["sets"][which - 1] for which in (1, 2)}
        self.counts = {which: memory["counts"][which - 1] for which in (1, 2)}
        self.blocked = memory["blocked"]

    def _which(self, fields: Fields) -> int:
        which = number(fields, "set")
        if which not in self.sets:
            raise NakError(BAD_BODY)
        return which

    def _finish(self, which: int) -> None:
        self.active = None
        planted, self.planted[which] = self.planted[which], []
        result, self.results[which] = self.results[which], 0
        for rank, suit, difference in planted:
            body = {"rank": rank, "suit": suit, "difference": difference}
            self.body.emit("CARD_DISCREPANCY", body)
            result = result or (2 if difference > 0 else 1)
        self.body.emit(
            "SHUFFLE_DONE", {"set": which, "count": self.counts[which], "result": result}
        )
        self._become(which, READY if result == 0 else LOADED)

    def _stop(self) -> None:
        if self.active is not None:
            which, self.active = self.active, None
            self._become(which, LOADED)

    def _block(self, state: int) -> dict[str, Any]:
        self._stop()
        self.blocked = state
        self._emit_state(self.last_set)
        return {}

    def _become(self, which: int, state: int) -> None:
        self.sets[which] = state
        self._emit_state(which)

    def _emit_state(self, which: int) -> None:
        self.body.emit(*self._state_event(which))

    def _state_event(self, which: int) -> Event:
        progress = PER_MILLE if self.sets[which] == READY else 0
        if self.active == which:
            span_s = max(self._ends - self._began, 1e-9)
            progress = min(int((self.body.now - self._began) / span_s * PER_MILLE), PER_MILLE)
        return "SHUFFLER_STATE", {
            "state": self.blocked or self.sets[which],
            "set": which,
            "count": self.counts[which],
            "progress": progress,
        }
