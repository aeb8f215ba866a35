"""Write the metrics and alerts into ``docs/monitoring.md``: ``python -m pages.monitoring``.

The metrics come from the exporter's catalogue, the list of alerts from the rules, of which no more
is read than names and severities: there is no reader of YAML among our libraries.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Final

from exporter.catalogue import SECTIONS
from exporter.metrics import Metric
from pages.generated import DOCS, ROOT, between, run

MODULE: Final = "pages.monitoring"
DOCUMENT: Final = DOCS / "monitoring.md"
RULES: Final = ROOT / "exporter" / "alerts" / "table-controller.rules.yml"
ALERT: Final = re.compile(r"- alert: (\w+)\n(?:.*\n)*?\s+labels: \{severity: (\w+)\}")


def alerts() -> list[tuple[str, str]]:
    """The name and the severity of each alert, in the order of the rules."""
    return ALERT.findall(RULES.read_text(encoding="utf-8"))


def make(present: str) -> str:
    """The page with its tables anew."""
    listed = [f"| [{name}](#{name.lower()}) | {severity} |" for name, severity in alerts()]
    text = between(present, "alerts", ["| alert | severity |", "| --- | --- |", *listed])
    return between(text, "metrics", list(_metrics()))


def _metrics() -> Iterator[str]:
    for heading, metrics in SECTIONS.items():
        yield f"**{heading}**"
        yield ""
        yield "| metric | kind | labels | |"
        yield "| --- | --- | --- | --- |"
        yield from (_row(metric) for metric in metrics)
        yield ""


def _row(metric: Metric) -> str:
    labels = ", ".join(f"`{name}`" for name in metric.labels)
    return f"| `{metric.name}` | {metric.kind} | {labels} | {metric.text} |"


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or compare it."""
    return run(MODULE, DOCUMENT, make, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
