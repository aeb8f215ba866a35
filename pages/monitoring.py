"""Write the metrics and alerts into ``docs/monitoring.md``.

The metrics come from the exporter's catalogue, the alerts from the rules, read in the form in which
they are written: there is no reader of YAML among our libraries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from exporter.catalogue import SECTIONS
from exporter.metrics import Metric
from pages.generated import ROOT, between, heads

RULES: Final = ROOT / "exporter" / "alerts" / "table-controller.rules.yml"
ALERT: Final = re.compile(
    r"- alert: (\w+)\n(?:.*\n)*?\s+labels: \{severity: (\w+)\}\n\s+annotations:\n"
    r"\s+summary: \"(.+)\"\n\s+description: (?:\"(.+)\"|>-\n((?: {12}.+\n?)+))"
)
FILLED: Final = re.compile(r"\{\{ (?:or )?\$(?:labels\.)?(\w+)[^}]*\}\}")
COMMAND: Final = re.compile(r"(?<!\w)'([^']+)'")
WHERE: Final = "{{ $labels.instance }}: "


@dataclass(frozen=True, slots=True)
class Alert:
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


def make_page(present: str) -> str:
    """The page with its tables anew."""
    text = between(present, "alerts", [line for alert in alerts() for line in _section(alert)])
    return between(text, "metrics", list(_metrics()))


def _section(alert: Alert) -> Iterator[str]:
    summary = alert.summary[0].upper() + alert.summary[1:]
    yield from (f"### {alert.name}", "", f"*{alert.severity}*: {summary}.", "")
    yield from (f"{alert.description}", "")


def _metrics() -> Iterator[str]:
    for heading, metrics in SECTIONS.items():
        yield f"**{heading}**"
        yield ""
        yield from heads("metric", "kind", "labels", "")
        yield from (_row(metric) for metric in metrics)
        yield ""


def _row(metric: Metric) -> str:
    labels = ", ".join(f"`{name}`" for name in metric.labels)
    return f"| `{metric.name}` | {metric.kind} | {labels} | {metric.text} |"
