"""The report before opening on a terminal: what is missing first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from controller.cli.output import columns
from controller.control.readiness import NOT_OK, NOTHING, OK, Report

INDENT = "     "
SHOWN: Final = {OK: "ok", NOT_OK: "NOT WELL", NOTHING: "--"}
"""The mark of a check; two lines: there was nothing to look at."""


def lines(report: Report) -> Iterator[str]:
    """The report as a person reads it."""
    missing = [one for one in report["checks"] if not one["ok"]]
    verdict = f"NOT READY: {', '.join(one['name'] for one in missing)}" if missing else "READY"
    yield f"Table {report['table']}, {moment(report['at'])}: {verdict}"
    for one in missing:
        yield f"  !!  {one['name']}: {one['what']}"
        yield f"{INDENT} next step: {one['next_step']}"
    well = [one for one in report["checks"] if one["ok"]]
    yield columns((SHOWN[one["mark"]], one["name"], one["what"]) for one in well)
    yield f"rules {report['rules']['id']}, {report['rules']['version']}, {report['decks']} decks"
    yield f"limits {limits(report)}"
    if odds := "  ".join(f"{figure}x {share}" for figure, share in shares(report)):
        yield f"multiplier  {odds}"
    if "counted" in report:
        since = report.get("since")
        begun = f"since the report of {moment(since)}" if since else "since commissioning"
        yield f"{begun}: {counted(report)}"
        yield "this report is an entry of the journal"
    else:
        yield "asked by one who is no supervisor: it is no entry of the journal"


def limits(report: Report) -> str:
    """The limits of the table, in words."""
    told = report["limits"]
    said = f"main {told['min']} to {told['max']}, side {told['side_min']} to {told['side_max']}"
    said += f", in steps of {told['increment']}"
    for key, words in (("box_max", "on a box"), ("player_max", "of a player on a box")):
        if told.get(key):
            said += f", {told[key]} {words}"
    return said


def shares(report: Report) -> list[tuple[int, str]]:
    """Each multiplier and how often it comes, in percent."""
    whole = sum(weight for _, weight in report["weights"])
    return [(figure, f"{weight * 100 / whole:.2f}\u00a0%") for figure, weight in report["weights"]]


def counted(report: Report) -> str:
    """What was counted since the last report; what did not come is left out."""
    came = ((name.replace("_", " "), count) for name, count in report["counted"].items() if count)
    return ", ".join(f"{count} {name}" for name, count in came) or "nothing"


def moment(written: str) -> str:
    """A time of ISO 8601 as people write it: day, hour, minute, UTC."""
    return f"{written[:16].replace('T', ' ')} UTC"
