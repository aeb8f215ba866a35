"""Another program that has a device's port open, told in the report by who can see it."""

from __future__ import annotations

from controller.cli.devices.port_readers import readers
from controller.control.readiness import Check, Report, check
from controller.json_values import checked


def with_readers(report: Report) -> Report:
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
