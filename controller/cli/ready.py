"""``ready``: whether the table may be opened, and what is missing first.

The controller makes the report; here it is shown. Where a supervisor asked, it is an entry of the
journal as well. With ``--html`` the same report is one sheet of paper to be signed.

The sheet is A4 or Letter, one side: verdict and checks, identity and digests, devices with their
last tests, rules with limits and odds, counters, and two lines to sign on."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from typing import Final

from controller.causes.port_holders import readers
from controller.cli.arguments import add_option
from controller.cli.connection import connect
from controller.cli.group import Group
from controller.cli.output import DONE, print_answer
from controller.control.answers import (
    NOT_OK,
    NOTHING,
    OK,
    Check,
    DevicePart,
    ReadinessReport,
    check,
)
from controller.files.new_files import check_new, write_new
from controller.forms.json_values import checked
from controller.not_done import NOT_WELL
from controller.plain_text import columns
from controller.sheets.sheet import facts, mono, row, sheet, signatures, table, text

INDENT = "     "
SHOWN: Final = {OK: "ok", NOT_OK: "NOT WELL", NOTHING: "--"}
"""The mark of a check; two lines: there was nothing to look at."""

STYLE: Final = """<style>
@page { margin: 9mm 12mm; }
.page { padding: 1mm 4mm; }
h1 { font-size: 14pt; }
h2 { font-size: 9.5pt; margin: 2.4mm 0 .6mm; padding-bottom: .3mm; }
p, table { font-size: 7.8pt; }
th, td { padding: .2mm 2mm .2mm 0; line-height: 1.25; }
.facts th { width: 24mm; }
.verdict { font-size: 12pt; font-weight: 700; border: .7mm solid #000; padding: .8mm 3mm; }
.sign { margin-top: 9mm; }
.mono { font-size: 7pt; }
</style>"""


def page(report: ReadinessReport) -> str:
    """The whole sheet."""
    return sheet(f"Before opening: table {report['table']}, {moment(report['at'])}", _parts(report))


def _parts(report: ReadinessReport) -> Iterator[str]:
    yield STYLE
    yield f"<h1>Table {text(report['table'])}: report before opening</h1>"
    missing = [one["name"] for one in report["checks"] if not one["ok"]]
    said = f"NOT READY: {', '.join(missing)}" if missing else "READY"
    yield f'<p class="verdict">{text(said)}</p>'
    yield _identity(report)
    yield "<h2>What was looked at</h2>"
    yield table(
        ("", "what", "found", "next step"),
        (
            row(
                [
                    SHOWN[one["mark"]] if one["ok"] else f"<strong>{SHOWN[NOT_OK]}</strong>",
                    text(one["name"]),
                    text(_finding(report, one)),
                    text(one["next_step"]),
                ]
            )
            for one in report["checks"]
        ),
        widths=(10, 11, 49, 30),
        name="fixed",
    )
    yield "<h2>Devices and their last tests</h2>"
    yield table(
        ("device", "serial number", "firmware", "tests"),
        (
            row(
                [
                    text(name),
                    text(one.get("serial") or "-"),
                    text(one.get("firmware") or "-"),
                    _tests(one),
                ]
            )
            for name, one in report["devices"].items()
        ),
        widths=(11, 16, 25, 48),
        name="fixed",
    )
    yield "<h2>Rules, limits, odds</h2>"
    yield _rules(report)
    if "counted" in report:
        since = moment(report["since"]) if report["since"] else "commissioning"
        yield f"<h2>Counted since {text(since)}</h2><p>{text(counted(report))}</p>"
    stored = (
        "This report is an entry of the journal."
        if report["stored"]
        else ("Asked by one who is no supervisor: this report is no entry of the journal.")
    )
    yield f'<p class="quiet">{stored}</p>'
    yield signatures("Technician", "Supervisor")


def _finding(report: ReadinessReport, one: Check) -> str:
    """What was found; of a device that is well the table below says the rest."""
    return "connected" if one["ok"] and one["name"] in report["devices"] else one["what"]


def _identity(report: ReadinessReport) -> str:
    program, journal = report["program"], report["journal"]
    name = f"{program['name']} {program['version']}, engine {program['engine']}"
    entry = f"entry {journal.get('head')}, signed to {journal.get('sealed_to')}"
    return facts(
        [
            ("Made", text(moment(report["at"]))),
            ("Program", f"{text(name)}, {mono(program['digest'])}"),
            ("Libraries", mono(program["libraries_digest"])),
            ("Configuration", mono(report["configuration"].get("digest", ""))),
            ("Rule file", mono(report["rules"]["digest"])),
            ("Readings", mono(report["rules"]["readings"])),
            ("Approved", _approved(report)),
            ("Journal", f"{text(entry)}, {mono(str(journal.get('digest')))}"),
            ("Key", mono(str(journal.get("key") or "none"))),
        ]
    )


def _approved(report: ReadinessReport) -> str:
    told = [f"{name} {digest}" for name, digest in report["approved"].items() if digest]
    return mono("; ".join(told)) if told else "nothing is named as approved"


def _tests(device: DevicePart) -> str:
    told = [
        f"{text(name)}{' (by hand)' if test['by_hand'] else ''}: "
        f"{'well' if test['ok'] else '<strong>NOT WELL</strong>'}, {text(moment(test['at']))}"
        for name, test in device.get("tests", {}).items()
    ]
    return "; ".join(told) or "none yet"


def _rules(report: ReadinessReport) -> str:
    rules = report["rules"]
    odds = ", ".join(f"{figure}x {share}" for figure, share in shares(report))
    played = f"{rules['title']}, {rules['version']} ({rules['id']})"
    return facts(
        [
            ("Rules", text(played)),
            ("Played with", f"{report['decks']} decks, {report['boxes']} boxes"),
            ("Limits", text(limits(report))),
            ("Multiplier", text(odds or "none is drawn")),
        ]
    )


def lines(report: ReadinessReport) -> Iterator[str]:
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


def limits(report: ReadinessReport) -> str:
    """The limits of the table, in words."""
    told = report["limits"]
    said = f"main {told['min']} to {told['max']}, side {told['side_min']} to {told['side_max']}"
    said += f", in steps of {told['increment']}"
    for key, words in (("box_max", "on a box"), ("player_max", "of a player on a box")):
        if told.get(key):
            said += f", {told[key]} {words}"
    return said


def shares(report: ReadinessReport) -> list[tuple[int, str]]:
    """Each multiplier and how often it comes, in percent."""
    whole = sum(weight for _, weight in report["weights"])
    return [(figure, f"{weight * 100 / whole:.2f}\u00a0%") for figure, weight in report["weights"]]


def counted(report: ReadinessReport) -> str:
    """What was counted since the last report; what did not come is left out."""
    came = ((name.replace("_", " "), count) for name, count in report["counted"].items() if count)
    return ", ".join(f"{count} {name}" for name, count in came) or "nothing"


def moment(written: str) -> str:
    """A time of ISO 8601 as people write it: day, hour, minute, UTC."""
    return f"{written[:16].replace('T', ' ')} UTC"


CODES = (
    "marks: ok; !! not well; -- there was nothing to look at (nothing is approved, no night yet, "
    "no copy), which keeps no table shut\n"
    "exit status: 0 ready, 1 not ready, 4 no controller answers"
)


def register(top: Group) -> None:
    """Add the command."""
    ready = top.command("ready", _ready)
    ready.epilog = CODES
    add_option(ready, "--html FILE", "write the report as a sheet to be signed, too")


def _ready(options: argparse.Namespace) -> int:
    if options.html is not None:
        check_new(options.html)
    with connect(options) as client:
        told = client.request("ready")
    report = with_readers(checked(ReadinessReport, told, "report"))
    if options.html is not None:
        write_new(options.html, page(report))
    sheet_told = [] if options.html is None else [f"the sheet to be signed: {options.html}"]
    seen = {**told, "ready": report["ready"], "checks": report["checks"]}
    print_answer(options, seen, chain(lines(report), sheet_told))
    return DONE if report["ready"] else NOT_WELL


def with_readers(report: ReadinessReport) -> ReadinessReport:
    """The report as it is where nobody else reads a port; else that device is not well."""
    found = readers(checked(dict[str, dict[str, object]], report["devices"], "devices"))
    if not found:
        return report

    def with_cause(one: Check) -> Check:
        cause = found.get(one["name"])
        if cause is None:
            return one
        what = cause.what if one["ok"] else f"{cause.what}; {one['what']}"
        return check(one["name"], what, cause.next_step)

    checks = sorted(map(with_cause, report["checks"]), key=lambda one: one["ok"])
    return {**report, "ready": False, "checks": checks}
