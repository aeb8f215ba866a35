"""What is found wrong with the controller itself: by its self-tests, and told to the table.

The rules for self-tests at a start, before any byte is sent to a device (PWR-04, PWR-15):

- They run between the start record and the opening of ports. Their findings are reported to the
  table as conditions, so they are in the journal and latched before anything else happens.
- A test names every fault that it can find. A fault that was present and is not found again has
  ended; whether play then goes on by itself the catalogue says.
- A fault that a test could not check this time (a medium does not answer) stays as it was: it is
  not known to be over.
- A test that cannot be carried out has not been passed: that is a fault of its own, and devices
  stay closed.

The rules for reports, at a rate that the journal can take:

- What the table already knows is not reported again; that is decided here, before anything is
  submitted.
- The begin or end of a condition is reported at once, up to ``MOST_CHANGES`` times in a minute for
  each; changed particulars of the same condition once in the time that the catalogue gives.
- Held-back reports are not lost: when the time is over the latest one is sent, with the number of
  those held back. So the table's state is right again within that time, however often the condition
  changes.
- A remark (a clock that jumped) is reported in the same way, but is never present as a condition.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from controller.faults.catalogue import fault_of
from controller.faults.model import Severity

_log = logging.getLogger(__name__)

FAILED: Final = "self-test-failed"

Found = tuple[str, str]
"""A fault's code in the catalogue, and its particulars in plain words."""

Tested = tuple[str, str | None]
"""A fault that was found; or with None the code of one that could not be checked."""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Finds ``faults``, by their codes; not passed where ``run`` raises any exception."""

    name: str
    faults: Collection[str]
    run: Callable[[], Iterable[Tested]]


@dataclass(frozen=True, slots=True)
class FaultFinding:
    """A finding for the table: a fault that is present, or no longer is."""

    fault: str
    detail: str
    present: bool


def run_self_tests(tests: Iterable[SelfTest], standing: Mapping[str, str]) -> list[FaultFinding]:
    """Run all in order; what is ``standing`` in the same words is not reported again."""
    able: set[str] = {FAILED}
    unknown: set[str] = set()
    found: dict[str, list[str]] = {}
    for test in tests:
        try:
            for fault, detail in test.run():
                if detail is None:
                    unknown.add(fault)
                else:
                    found.setdefault(fault, []).append(detail)
        except Exception as error:
            _log.exception("the self-test of %s failed", test.name)
            why = str(error) or type(error).__name__
            found.setdefault(FAILED, []).append(f"{test.name}: {why}")
            continue
        able.update(test.faults)
    details = {fault: "; ".join(more) for fault, more in found.items()}
    come = [FaultFinding(fault, detail, present=True) for fault, detail in details.items()]
    over = [
        FaultFinding(fault, "the self-test finds it no more", present=False)
        for fault in sorted(able - unknown - set(details))
        if fault in standing
    ]
    return [one for one in come if standing.get(one.fault) != one.detail] + over


MOST_CHANGES: Final = 6
CHANGES_IN_S: Final = 60.0
LONGEST: Final = 250
"""Characters of particulars that are told."""

_MORE: Final = re.compile(r" \[[0-9]+ more in the meantime\]$")


@dataclass(slots=True)
class _ReportedCondition:
    """One condition: ``changes`` are the times at which it recently began or ended, ``words_at``
    when it was last reported; ``back`` is what is held back, ``count`` how often something was."""

    changes: deque[float] = field(default_factory=deque)
    words_at: float | None = None
    back: FaultFinding | None = None
    count: int = 0
    timer: asyncio.TimerHandle | None = None


class Telling:
    """``standing`` gives the conditions that the table knows of; ``submit`` has it reported one."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        standing: Callable[[], Mapping[str, str]],
        submit: Callable[[FaultFinding], None],
    ) -> None:
        self._loop = loop
        self._standing = standing
        self._submit = submit
        self._told: dict[str, _ReportedCondition] = {}

    def report_finding(self, verdict: FaultFinding) -> None:
        """Report the verdict now, when its time has come, or not if it is known already."""
        verdict = replace(verdict, detail=verdict.detail[:LONGEST])
        told = self._told.setdefault(verdict.fault, _ReportedCondition())
        if self._is_known(verdict):
            told.back = None
            return
        wait = self._wait(told, verdict)
        if wait > 0:
            told.back = verdict
            told.count += 1
            if told.timer is None:
                told.timer = self._loop.call_later(wait, self._report_held_back, told)
            return
        self._let_out(told, verdict)

    def anew(self) -> None:
        """Report now what is held back, for who asks; not what comes and goes too often."""
        for told in self._told.values():
            if told.back is not None and not self._changes(told.back):
                if told.timer is not None:
                    told.timer.cancel()
                self._report_held_back(told)

    def close(self) -> None:
        """Nothing is reported from now on."""
        for told in self._told.values():
            if told.timer is not None:
                told.timer.cancel()

    def _is_known(self, verdict: FaultFinding) -> bool:
        known = self._standing().get(verdict.fault)
        if not verdict.present:
            return known is None
        return known is not None and _MORE.sub("", known) == verdict.detail

    def _changes(self, verdict: FaultFinding) -> bool:
        """Whether it comes or goes, and is not only put into other words."""
        return not verdict.present or verdict.fault not in self._standing()

    def _wait(self, told: _ReportedCondition, verdict: FaultFinding) -> float:
        now, fault = self._loop.time(), fault_of(verdict.fault)
        if fault.severity is Severity.REMARK or not self._changes(verdict):
            since = told.words_at
            return 0.0 if since is None else since + fault.throttle_s - now
        while told.changes and told.changes[0] <= now - CHANGES_IN_S:
            told.changes.popleft()
        full = len(told.changes) >= MOST_CHANGES
        return told.changes[0] + CHANGES_IN_S - now if full else 0.0

    def _report_held_back(self, told: _ReportedCondition) -> None:
        told.timer = None
        verdict = told.back
        if verdict is None or self._is_known(verdict):
            return
        told.back, told.count = None, told.count - 1
        self._let_out(told, verdict)

    def _let_out(self, told: _ReportedCondition, verdict: FaultFinding) -> None:
        now = self._loop.time()
        told.words_at = now
        if self._changes(verdict):
            told.changes.append(now)
        if told.count:
            more = f" [{told.count} more in the meantime]"
            verdict = replace(verdict, detail=verdict.detail + more)
        told.back, told.count = None, 0
        self._submit(verdict)
