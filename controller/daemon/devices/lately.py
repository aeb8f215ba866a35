"""What every link has counted lately: over the last minute and the last hour.

A counter since the start says little about a line that has begun to fail. So the differences are
kept, of ten seconds for a minute and of a minute for an hour, those that are not 0: some dozen
kilobytes at most, whatever happens. They are added up once for all who ask until the next look:
whoever may look at the table may ask.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from typing import Final

from controller.daemon.health.selftests import FaultFinding
from controller.daemon.health.watches import EVERY_S
from controller.forms.json_values import JsonObject

Counts = Mapping[str, Mapping[str, int]]
"""Counters by device and name."""

MINUTE: Final = round(60 / EVERY_S)
"""Differences that make up a minute."""
HOUR: Final = 60
"""Minutes."""


class Lately:
    """Looks at ``counts`` as often as every :class:`~controller.daemon.health.watches.Watch`;
    ``now`` is monotonic seconds."""

    faults: Collection[str] = ()

    def __init__(self, counts: Callable[[], Counts], now: Callable[[], float]) -> None:
        self._counts = counts
        self._now = now
        self._last = {name: Counter(counted) for name, counted in counts().items()}
        self._last_at = now()
        self._looks = 0
        self._short: deque[tuple[float, dict[str, Counter[str]]]] = deque(maxlen=MINUTE)
        self._long: deque[tuple[float, dict[str, Counter[str]]]] = deque(maxlen=HOUR)
        self._sums: dict[str, tuple[float, dict[str, Counter[str]]]] = {}

    def findings(self) -> list[FaultFinding]:
        """Keep what was counted since the last look; it finds nothing by itself."""
        present = {name: Counter(counted) for name, counted in self._counts().items()}
        seconds, since = self._since(present)
        self._last, self._last_at = present, self._last_at + seconds
        self._short.append((seconds, since))
        self._sums = {}
        self._looks += 1
        if self._looks % MINUTE == 0:
            self._long.append(_summed(self._short))
        return []

    def recent_counts(self) -> JsonObject:
        """``minute`` and ``hour``, each with the ``seconds`` that it covers and ``links``: the
        counters by device, without those that are 0."""
        if not self._sums:
            begun = list(self._short)[len(self._short) - self._looks % MINUTE :]
            hour = [*self._long, *begun]
            self._sums = {"minute": _summed(self._short), "hour": _summed(hour)}
        rest = self._rest()
        return {name: _as_told([past, rest]) for name, past in self._sums.items()}

    def minute(self) -> Mapping[str, Mapping[str, int]]:
        """What each link has counted within the last minute, as :meth:`recent_counts` has it."""
        return _summed([*self._short, self._rest()])[1]

    def _rest(self) -> tuple[float, dict[str, Counter[str]]]:
        """Since the last look."""
        return self._since({name: Counter(counted) for name, counted in self._counts().items()})

    def _since(self, present: Mapping[str, Counter[str]]) -> tuple[float, dict[str, Counter[str]]]:
        since = {name: counted - self._last[name] for name, counted in present.items()}
        return self._now() - self._last_at, since


def _summed(
    parts: Collection[tuple[float, Mapping[str, Counter[str]]]],
) -> tuple[float, dict[str, Counter[str]]]:
    links: dict[str, Counter[str]] = {}
    for _, part in parts:
        for name, counted in part.items():
            links.setdefault(name, Counter()).update(counted)
    return sum(seconds for seconds, _ in parts), links


def _as_told(parts: Collection[tuple[float, Mapping[str, Counter[str]]]]) -> JsonObject:
    seconds, links = _summed(parts)
    return {
        "seconds": round(seconds),
        "links": {name: dict(counted) for name, counted in links.items()},
    }
