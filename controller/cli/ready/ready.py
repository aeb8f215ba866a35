"""``ready``: whether the table may be opened, and what is missing first.

The controller makes the report; here it is shown. Where a supervisor asked, it is an entry of the
journal as well. With ``--html`` the same report is one sheet of paper to be signed.
"""

from __future__ import annotations

import argparse
from itertools import chain

from controller.causes.port_holders import readers
from controller.cli.connection import connect
from controller.cli.exits import DONE, NOT_WELL
from controller.cli.group import Group, add_path
from controller.cli.output import tell
from controller.cli.ready.sheet import lines, page
from controller.control.readiness import Check, ReadinessReport, check
from controller.files.new_files import check_new, write_new
from controller.forms.json_values import checked

CODES = (
    "marks: ok; !! not well; -- there was nothing to look at (nothing is approved, no night yet, "
    "no copy), which keeps no table shut\n"
    "exit status: 0 ready, 1 not ready, 4 no controller answers"
)


def register(top: Group) -> None:
    """Add the command."""
    ready = top.command("ready", _ready)
    ready.epilog = CODES
    add_path(ready, "--html", "FILE", "write the report as a sheet to be signed, too")


def _ready(options: argparse.Namespace) -> int:
    if options.html is not None:
        check_new(options.html)
    with connect(options) as client:
        told = client.ready()
    report = with_readers(checked(ReadinessReport, told, "report"))
    if options.html is not None:
        write_new(options.html, page(report))
    sheet_told = [] if options.html is None else [f"the sheet to be signed: {options.html}"]
    seen = {**told, "ready": report["ready"], "checks": report["checks"]}
    tell(options, seen, chain(lines(report), sheet_told))
    return DONE if report["ready"] else NOT_WELL


def with_readers(report: ReadinessReport) -> ReadinessReport:
    """The report as it is where nobody else reads a port; else that device is not well."""
    found = readers(checked(dict[str, dict[str, object]], report["devices"], "devices"))
    if not found:
        return report

    def seen(one: Check) -> Check:
        cause = found.get(one["name"])
        if cause is None:
            return one
        what = cause.what if one["ok"] else f"{cause.what}; {one['what']}"
        return check(one["name"], what, cause.next_step)

    checks = sorted(map(seen, report["checks"]), key=lambda one: one["ok"])
    return {**report, "ready": False, "checks": checks}
