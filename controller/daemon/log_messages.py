"""What is logged, and how: one line each, whatever stands in the values that it tells, and at most
a fixed number of equal ones a minute; the rest is counted.

Messages are the same when logger, text before its values are filled in, and first value are: a
device that flaps is throttled by itself. Errors with a traceback are throttled like all others.
What was left out is said with the next message that the log takes a minute later, or at its end.

What holds play and which conditions are present is logged when it begins, when its text changes,
and when it ends; only once that is on stable storage.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

from controller.daemon.owner import Owner
from controller.table.state.holds import as_told
from drivers.printable import printable

_log = logging.getLogger(__name__)


class HoldLog:
    """Says what holds there are, and what comes, whenever something became durable."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._said: dict[str, str] = {}
        owner.subscribe(self._log_changes)
        self._log_changes()

    def _log_changes(self) -> None:
        if not self._owner.all_durable:
            return  # it is looked at again once it is
        table = self._owner.table
        holding = {hold.fault for hold in table.holds.standing}
        now = {
            f"note, {code}": detail
            for code, detail in table.holds.conditions.items()
            if code not in holding
        }
        for hold in as_told(table.holds.standing):
            whose = f" of the {hold.device}" if hold.device else ""
            now[f"play is held, {hold.fault}{whose}"] = hold.reason
        for what, words in now.items():
            if self._said.get(what) != words:
                _log.warning("%s: %s", what, words)
        for what in self._said.keys() - now.keys():
            _log.info("over: %s", what)
        self._said = now


_Error = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class PlainFormatter(logging.Formatter):
    """Passes nothing on which a terminal would obey; a traceback keeps its lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """The message as one line."""
        return printable(super().formatMessage(record))

    def formatException(self, ei: _Error) -> str:  # noqa: N802 - logging's own name
        """The traceback."""
        return printable(super().formatException(ei), lines=True)


def log_place() -> str:
    """Where the log goes, as the kernel names it: a path, or ``socket:[1234]`` (journald)."""
    try:
        return str(Path("/proc/self/fd/2").readlink())
    except OSError:
        return ""


MOST: Final = 10
IN_S: Final = 60.0
MOST_KEYS: Final = 500
"""Different messages that are counted at a time; beyond, the log begins to count again."""
LONGEST: Final = 80

Key = tuple[str, str, str]


@dataclass(slots=True)
class _Count:
    """Of one message: when its minute ``began``, how many came, its last full text."""

    began: float
    came: int = 0
    text: str = ""

    @property
    def left_out(self) -> int:
        return max(0, self.came - MOST)


class Throttle(logging.Handler):
    """Hands records on to ``handler``, not more than ``MOST`` of the same in ``IN_S`` seconds."""

    def __init__(self, handler: logging.Handler, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._handler = handler
        self._now = now
        self._counts: dict[Key, _Count] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write it, or count it."""
        now = self._now()
        self._sum_up(lambda count: now - count.began >= IN_S)
        if len(self._counts) >= MOST_KEYS:
            self._sum_up(lambda _: True)
        key = _key(record)
        count = self._counts.setdefault(key, _Count(now))
        count.came += 1
        if count.left_out:
            count.text = record.getMessage()
        else:
            self._handler.handle(record)

    def close(self) -> None:
        """Say what was left out and has not been said."""
        self._sum_up(lambda _: True)
        self._handler.close()
        super().close()

    def _sum_up(self, over: Callable[[_Count], bool]) -> None:
        for key in [key for key, count in self._counts.items() if over(count)]:
            count = self._counts.pop(key)
            if count.left_out:
                text = (
                    f"... {count.left_out} more like this within a minute, the last: {count.text}"
                )
                self._handler.handle(
                    logging.LogRecord(key[0], logging.WARNING, "", 0, text, None, None)
                )


def _key(record: logging.LogRecord) -> Key:
    values = record.args
    first = str(values[0])[:LONGEST] if isinstance(values, tuple) and values else ""
    return record.name, str(record.msg)[:LONGEST], first
