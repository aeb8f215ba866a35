"""The metrics and alerts of ``docs/monitoring.md``.

The metrics come from the exporter's catalogue, the alerts from the rules, read in the form in which
they are written: there is no reader of YAML among our libraries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from exporter.catalogue import SECTIONS
from pages.generated import ROOT, as_table

RULES: Final = ROOT / "exporter" / "alerts" / "table-controller.rules.yml"
ALERT: Final = re.compile(
    r"- alert: (\w+)\n(?:.*\n)*?\s+labels: \{severity: (\w+)\}\n\s+annotations:\n"
    r"\s+summary: \"(.+)\"\n\s+description: (?:\"(.+)\"|>-\n((?: {12}.+\n?)+))"
)
FILLED: Final = re.compile(r"\{\{ (?:or )?\$(?:labels\.)?(\w+)[^}]*\}\}")
COMMAND: Final = re.compile(r"(?<!\w)'([^']+)'")
WHERE: Final = "{{ $labels.instance }}: "


class Alert(NamedTuple):
    """An alert as the rules have it; what Prometheus fills in is a word in capitals."""

    name: str
    severity: str
    summary: str
    description: str


def alerts() -> list[Alert]:
    """In the order of the rules."""
    return [
        Alert(name, severity, _plain(summary.removeprefix(WHERE)), _plain(line or lines))
        for name, severity, summary, line, lines in ALERT.findall(RULES.read_text("utf-8"))
    ]


def _plain(text: str) -> str:
    filled = FILLED.sub(lambda found: found[1].upper(), " ".join(text.split()))
    return COMMAND.sub(r"`\1`", filled)


def alert_sections() -> Iterator[str]:
    """A section for each alert."""
    for alert in alerts():
        summary = alert.summary[0].upper() + alert.summary[1:]
        yield from (f"### {alert.name}", "", f"*{alert.severity}*: {summary}.", "")
        yield from (alert.description, "")


def metrics() -> Iterator[str]:
    """A table for each section of the exporter's catalogue."""
    for heading, section in SECTIONS.items():
        rows = (
            (f"`{one.name}`", one.kind, ", ".join(f"`{name}`" for name in one.labels), one.text)
            for one in section
        )
        yield from (f"**{heading}**", "", *as_table(("metric", "kind", "labels", ""), rows), "")
