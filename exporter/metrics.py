"""A metric as it is declared, and the values that a look at the controller gives to it.

The rules:

- What a metric is called, means and has for labels stands once, in :mod:`exporter.catalogue`; text
  and types are written by the library.
- Values come from other programs: one that is no finite number is left out, a label is cut and made
  plain, and no metric has more than ``MOST_SERIES`` rows of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    SummaryMetricFamily,
)

from controller.forms.json_values import WrongForm

MOST_SERIES: Final = 200
"""Of one metric: more would be a fault of whoever tells them, and would fill a monitor's disk."""
MOST_OF_A_LABEL: Final = 100
"""Characters; a digest has 64."""

Kind = Literal["gauge", "counter", "info", "summary"]
Family: TypeAlias = CounterMetricFamily | GaugeMetricFamily | InfoMetricFamily | SummaryMetricFamily


@dataclass(frozen=True, slots=True)
class Metric:
    """``name`` is the whole name as a monitor sees it; of a summary without ``_sum`` and
    ``_count``."""

    name: str
    kind: Kind
    text: str
    labels: tuple[str, ...] = ()

    @property
    def series(self) -> tuple[str, ...]:
        """The names under which its values are found."""
        if self.kind == "summary":
            return (f"{self.name}_count", f"{self.name}_sum")
        return (self.name,)


@dataclass(frozen=True, slots=True)
class Summed:
    """A summary's value: how many there were, and what they came to."""

    count: int
    total: float


class Readings:
    """The values of one look. Two with the same labels are one series: the first counts."""

    def __init__(self) -> None:
        self._values: dict[Metric, dict[tuple[str, ...], float | Summed]] = {}

    def add(self, metric: Metric, value: object, *labels: str) -> None:
        """One value; what is no finite number is left out. True is 1."""
        plain = value if isinstance(value, Summed) else number(value)
        values = self._values.setdefault(metric, {})
        assert len(labels) == len(metric.labels), metric.name
        if plain is not None and len(values) < MOST_SERIES:
            values.setdefault(tuple(label(text) for text in labels), plain)

    def families(self, order: Sequence[Metric]) -> Iterator[Family]:
        """The metrics that have values, for the library."""
        for metric in order:
            if values := self._values.get(metric):
                yield _family(metric, values)


def _family(metric: Metric, values: dict[tuple[str, ...], float | Summed]) -> Family:
    name, text, labels = metric.name, metric.text, metric.labels
    if metric.kind == "info":
        info = InfoMetricFamily(name.removesuffix("_info"), text)
        for given in values:
            info.add_metric((), dict(zip(labels, given, strict=True)))
        return info
    if metric.kind == "summary":
        summary = SummaryMetricFamily(name, text, labels=labels)
        for given, value in values.items():
            assert isinstance(value, Summed)
            summary.add_metric(given, value.count, value.total)
        return summary
    of_kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    family = of_kind(name, text, labels=labels)
    for given, value in values.items():
        assert not isinstance(value, Summed)
        family.add_metric(given, value)
    return family


def number(value: object) -> float | None:
    """The value as a number; None where it is none, or too large or none that is finite."""
    if not isinstance(value, int | float):
        return None
    try:
        plain = float(value)
    except OverflowError:
        return None
    return plain if math.isfinite(plain) else None


def label(text: str, most: int = MOST_OF_A_LABEL) -> str:
    """The text as a label's value, or for the log: one short line that every file can hold."""
    return "".join(c if c.isprintable() else "?" for c in text[:most])


def timestamp(text: str, where: str) -> float:
    """Seconds since 1970 of a time as ISO 8601 writes it, with its zone.

    Raises:
        WrongForm: it is none; ``where`` is its name in the message.
    """
    try:
        time = datetime.fromisoformat(text)
        if time.tzinfo is None:
            raise ValueError("no zone")
        return time.timestamp()
    except (ValueError, OverflowError) as error:
        raise WrongForm(f"{where} = {text[:40]!r}: expected a time with its zone") from error
