"""Self-tests of the controller at its start, before any byte is sent to a device (PWR-04, PWR-15).

The rules:

- They run between the start record and the opening of ports. Their findings are reported to the
  table as conditions, so they are in the journal and latched before anything else happens.
- A test names every fault that it can find. A fault that was present and is not found again has
  ended; whether play then goes on by itself the catalogue says.
- A fault that a test could not check this time (a medium does not answer) stays as it was: it is
  not known to be over.
- A test that cannot be carried out has not been passed: that is a fault of its own, and devices
  stay closed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_log = logging.getLogger(__name__)

FAILED: Final = "self-test-failed"

Found = tuple[str, str]
"""A fault's code in the catalogue, and its particulars in plain words."""

Tested = tuple[str, str | None]
"""A fault that was found; or with None the code of one that could not be checked."""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One test: its ``name`` in plain words, the codes of all ``faults`` that it can find, and what
    it does. ``run`` may raise any exception: then the test was not passed."""

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
    """Run all of them, in order; ``standing`` are the conditions that the table knows of, with
    their particulars. What stands and is found again in the same words is not reported again."""
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
