"""What came of a test: of a device or of the machine, with a person or without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

from controller.control.technician import SelfTestOutcome

if TYPE_CHECKING:
    from drivers.self_test import SelfTestReport

SUPPORT: Final = "exchange it or call support"


class TestOutcome(TypedDict):
    """One test of a device, as ``devices test --json`` lists it."""

    name: str
    ok: bool
    what: str


def outcome(name: str, what: str, *, ok: bool = True) -> TestOutcome:
    """What came of the test of that name."""
    return {"name": name, "ok": ok, "what": what}


def as_told(device: str, report: SelfTestReport) -> SelfTestOutcome:
    """A self-test that was ordered here, as the controller tells of one."""
    return {
        "device": device,
        "well": not report.failed,
        "failed": list(report.failed),
        "duration_ms": report.duration_ms,
        "trouble": "",
    }


def own_test(result: SelfTestOutcome) -> TestOutcome:
    """The device's own self-test."""
    from drivers.self_test import test_name

    took = f"in {(result['duration_ms'] or 0) / 1000:.1f} s"
    if result["trouble"]:
        what = f"not tested, {result['trouble']}"
    elif result["well"]:
        what = f"passed {took}"
    else:
        what = f"FAILED {took}, test {', '.join(map(test_name, result['failed']))}; {SUPPORT}"
    return {"name": "self-test", "ok": result["well"], "what": what}
