"""What is tested of a device without a person, and how it went: ``devices test NAME``.

Link, identity, the device's own self-test, the faults that it reports, whether it takes its
commands, and what its line has counted within the last minute. Each is ``name``, ``ok``, and
``what`` in plain words, which say what to do where it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.cli.devices.link_counters import MEANINGS, TROUBLE
from controller.cli.output import ago, columns
from controller.commissioning.outcome import SUPPORT, Test, own_test
from controller.control.technician import SelfTest
from controller.json_values import JsonObject

OF_PORT = frozenset(("down", "line_open_failed", "line_lost"))
"""Counters of a link that was interrupted: that it is up again is another test."""
LOOK = "look at its plug, supply and port"
CABLE = "exchange the cable, then the adapter"


def tests_of(device: JsonObject, minute: Mapping[str, int], result: SelfTest) -> Iterator[Test]:
    """All tests of a device of a running table: as its status has it, with the ``minute`` that its
    line has counted."""
    up = device.get("link") == "up"
    since = ago(device.get("since") or "-")
    reason = f" ({device['reason']})" if device.get("reason") else ""
    look = "" if up else f"{reason}: {device.get('next_step') or LOOK}"
    yield {"name": "link", "ok": up, "what": f"{device.get('link')} since {since}{look}"}
    who = f"{device.get('kind')} {device.get('serial')}, firmware {device.get('firmware')}"
    yield {"name": "identity", "ok": bool(device.get("serial")), "what": who}
    yield own_test(result)
    stopped = str(device.get("stopped") or "")
    state = f"it {stopped}: put that right" if stopped else "nothing keeps it from working"
    yield {"name": "state", "ok": not stopped, "what": state}
    faults = str(device.get("faults") or "")
    told = f"it reports {faults}: put that right, or {SUPPORT}" if faults else "it reports none"
    yield {"name": "faults", "ok": not faults, "what": told}
    refused = device.get("refused")
    because = f"{refused}: put its state right" if stopped else f"{refused}: switch it off and on"
    said = because if refused else "it has taken its last one"
    yield {"name": "commands", "ok": not refused, "what": said}
    bad = {name: count for name, count in minute.items() if name in TROUBLE - OF_PORT and count}
    counted = "; ".join(f"{count} {MEANINGS[name]}" for name, count in bad.items())
    clean = "nothing sent again, nothing damaged within the last minute"
    yield {
        "name": "line",
        "ok": not bad,
        "what": f"within the last minute {counted}: {device.get('next_step') or CABLE}"
        if bad
        else clean,
    }


def in_words(device: str, tests: list[Test]) -> str:
    """The tests as a person reads them, those that failed first."""
    failed = [test["name"] for test in tests if not test["ok"]]
    verdict = f"NOT WELL: {', '.join(failed)}" if failed else f"well, {len(tests)} tests"
    ordered = sorted(tests, key=lambda test: test["ok"])
    rows = [("ok" if test["ok"] else "!!", test["name"], test["what"]) for test in ordered]
    return f"{device}: {verdict}\n{columns(rows)}"
