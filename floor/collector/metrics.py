"""What a monitor is told of a collector: its own work, since it started. What is stored, of all
collectors together, is in the database."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

KIND: Final = "text/plain; version=0.0.4; charset=utf-8"
_PLACE: Final = "table_floor"
_BUCKETS: Final = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


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
        self._evidence = Counter(
            "refused_checkpoints",
            "Checkpoints that contradict what is held, under a good signature",
            ("table", "role", "status"),
            namespace=_PLACE,
            registry=self._registry,
        )
        self._database = Gauge(
            "database_up",
            "Whether the database did what it was asked last",
            namespace=_PLACE,
            registry=self._registry,
        )
        self._tables = Gauge(
            "known_logs", "Logs that the house knows", namespace=_PLACE, registry=self._registry
        )
        ProcessCollector(namespace=f"{_PLACE}_collector", registry=self._registry)

    def answered(self, request: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self._answers.labels(request, str(status)).inc()
        self._seconds.labels(request).observe(seconds)

    def stored(self, entries: int) -> None:
        """Entries are durably stored."""
        self._entries.inc(entries)

    def refused(self, table: str, role: str, status: int) -> None:
        """A checkpoint was kept as evidence."""
        self._evidence.labels(table, role, str(status)).inc()

    def database(self, *, up: bool) -> None:
        """The database has done what it was asked, or has not."""
        self._database.set(up)

    def text(self, logs: int) -> bytes:
        """All of it, as a monitor reads it."""
        self._tables.set(logs)
        return generate_latest(self._registry)
