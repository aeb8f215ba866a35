"""What a monitor is told of a collector: its own work, since it started, and how far each table is
by the database, which all collectors tell alike (floor/alerts has the rules)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

from floor.store.progress import TableProgress

KIND: Final = "text/plain; version=0.0.4; charset=utf-8"
_PLACE: Final = "table_floor"
_BUCKETS: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


def _stored(table: TableProgress) -> float:
    return table.stored_at.timestamp() if table.stored_at else 0.0


_OF_TABLES: Final[Sequence[tuple[str, str, Callable[[TableProgress], float]]]] = (
    ("entries", "Entries stored of the table's newest log", lambda table: table.entries),
    ("facts", "Entries of it that facts are derived of", lambda table: table.facts),
    ("pending", "Size of the checkpoint that was taken last", lambda table: table.pending),
    ("mirrored", "Size of the checkpoint that was cosigned last", lambda table: table.mirrored),
    ("stored_timestamp_seconds", "When an entry was stored last", _stored),
    (
        "refusals",
        "Checkpoints that are kept as evidence",
        lambda table: table.refused,
    ),
)


class CollectorMetrics:
    """The metrics of one process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._answers = Counter(
            "answers",
            "Requests that were answered, by what was asked and the status",
            ("request", "status"),
            namespace=_PLACE,
            registry=self._registry,
        )
        self._seconds = Histogram(
            "answer_seconds",
            "Time from a request's head to its answer",
            ("request",),
            namespace=_PLACE,
            registry=self._registry,
            buckets=_BUCKETS,
        )
        self._entries = Counter(
            "entries", "Entries that were stored", namespace=_PLACE, registry=self._registry
        )
        self._database = self._gauge("database_up", "Whether the database did what was asked last")
        self._logs = self._gauge("known_logs", "Logs that the house knows")
        self._tables = [
            (self._gauge(f"table_{name}", text, "table"), value) for name, text, value in _OF_TABLES
        ]
        ProcessCollector(namespace=f"{_PLACE}_collector", registry=self._registry)

    def answered(self, request: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._answers.labels(request, str(status)).inc()
        self._seconds.labels(request).observe(seconds)

    def stored(self, entries: int) -> None:
        """Entries are durably stored."""
        self._entries.inc(entries)

    def database(self, *, up: bool) -> None:
        """The database has done what it was asked, or has not."""
        self._database.set(up)

    def tables(self, tables: Sequence[TableProgress]) -> None:
        """How far each table is; none where that is not known."""
        for gauge, value in self._tables:
            gauge.clear()
            for table in tables:
                gauge.labels(table.table).set(value(table))

    def text(self, logs: int) -> bytes:
        """All of it, as a monitor reads it."""
        self._logs.set(logs)
        return generate_latest(self._registry)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(name, text, labels, namespace=_PLACE, registry=self._registry)
