"""Every metric: its name after Prometheus's conventions, what it says, and its labels.

``docs/monitoring.md`` has the table of them from here (``python -m pages.monitoring``). A name that
was published stays what it is; one that has to mean something else gets another name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from exporter.metrics import Kind, Metric

PREFIX: Final = "table_controller"

SECTIONS: Final[dict[str, list[Metric]]] = {}
"""By heading, in the order in which they are shown."""


def _under(heading: str) -> None:
    SECTIONS[heading] = []


def _metric(name: str, kind: Kind, text: str, *labels: str) -> Metric:
    metric = Metric(f"{PREFIX}_{name}", kind, text, labels)
    list(SECTIONS.values())[-1].append(metric)
    return metric


def all_metrics() -> Iterator[Metric]:
    """All of them."""
    for metrics in SECTIONS.values():
        yield from metrics


_under("The controller")
UP = _metric("up", "gauge", "Whether the controller answers: 1 or 0. At 0 nothing else is told.")
INFO = _metric(
    "info",
    "info",
    "Which table and rules, and which program plays them; always 1.",
    *("table", "rules", "version", "engine", "digest", "libraries_digest"),
)
STARTED = _metric("start_timestamp_seconds", "gauge", "When the controller was started.")
ROUND = _metric("round_number", "gauge", "The number of the last round that was opened.")
STATE = _metric(
    "state", "gauge", "1 for the state that the table is in, 0 for the others.", "state"
)
HELD = _metric("held", "gauge", "Whether play is held: 1 or 0.")
HELD_INFO = _metric("held_info", "info", "A fault for which play is held; always 1.", "fault")
CONDITION = _metric("condition", "gauge", "A condition of the machine that stands: 1.", "fault")

_under("Devices")
DEVICE_UP = _metric("device_up", "gauge", "Whether the link is up: 1 or 0.", "device", "kind")
DEVICE_CHANGED = _metric(
    "device_link_changed_timestamp_seconds",
    "gauge",
    "When the link last came up or went down.",
    *("device", "kind"),
)
DEVICE_FAULT = _metric(
    "device_fault",
    "gauge",
    "Whether the device has stopped or reports a fault of its own: 1 or 0.",
    *("device", "kind"),
)
DEVICE_INFO = _metric(
    "device_info",
    "info",
    "Who answers at the link; always 1.",
    *("device", "kind", "serial", "firmware"),
)

_under("Links: counted since the controller's start")
LINK_RECEIVED = _metric(
    "link_received_messages_total", "counter", "Messages received.", "device", "kind"
)
LINK_EVENTS = _metric("link_events_total", "counter", "Events taken.", "device", "kind")
LINK_GREETINGS = _metric(
    "link_greetings_total", "counter", "Times that the link came up.", "device", "kind"
)
LINK_TROUBLE = _metric(
    "link_trouble_total",
    "counter",
    "What a good link does not have, by the counter of `devices list --stats`.",
    *("device", "kind", "trouble"),
)
LINK_IN = _metric("link_received_bytes_total", "counter", "Bytes received.", "device", "kind")
LINK_OUT = _metric("link_sent_bytes_total", "counter", "Bytes sent.", "device", "kind")
LINK_PING = _metric(
    "link_ping_seconds", "summary", "Times from a PING to its answer.", "device", "kind"
)

_under("Journal, copy and upkeep")
JOURNAL_HEAD = _metric("journal_head_entry", "gauge", "The number of the journal's last entry.")
JOURNAL_SIGNED = _metric(
    "journal_signed_entry", "gauge", "The number of the entry that was signed last."
)
JOURNAL_INFO = _metric(
    "journal_info", "info", "The fingerprint of the key that signs; always 1.", "key"
)
SCRUB_WALKS = _metric(
    "scrub_walks_total", "counter", "Times that every entry was read again since the start."
)
SCRUB_ENTRY = _metric("scrub_entry", "gauge", "The entry that the scrubber has come to.")
SCRUB_DAMAGED = _metric("scrub_damaged", "gauge", "Whether the scrubber found damage: 1 or 0.")
COPY_CONFIGURED = _metric("copy_configured", "gauge", "Whether there is a second copy: 1 or 0.")
COPY_ENTRY = _metric("copy_entry", "gauge", "The number of the last entry in the second copy.")
COPY_FAILING = _metric("copy_failing", "gauge", "Whether the second copy has a fault: 1 or 0.")
COPY_SAME_DISK = _metric(
    "copy_same_disk", "gauge", "Whether the second copy lies on the journal's own disk: 1 or 0."
)
TREE_ENTRY = _metric("tree_entry", "gauge", "Entries that the Merkle tree has.")
TREE_LEFT = _metric("tree_left_entries", "gauge", "Entries that the Merkle tree is behind.")

_under("The night")
NIGHTLY_READABLE = _metric(
    "nightly_report_readable", "gauge", "Whether there is a report that can be read: 1 or 0."
)
NIGHTLY_BEGAN = _metric(
    "nightly_began_timestamp_seconds", "gauge", "When the last nightly run began."
)
NIGHTLY_ENDED = _metric(
    "nightly_ended_timestamp_seconds", "gauge", "When the last nightly run ended."
)
NIGHTLY_SUCCESS = _metric(
    "nightly_success_timestamp_seconds",
    "gauge",
    "When the last run ended that was well and had no problem.",
)
NIGHTLY_TOOK = _metric("nightly_duration_seconds", "gauge", "How long the last nightly run took.")
NIGHTLY_WELL = _metric(
    "nightly_well", "gauge", "Whether the last run found nothing wrong with any journal: 1 or 0."
)
NIGHTLY_FINDINGS = _metric(
    "nightly_findings", "gauge", "What the last run has found amiss in the journal."
)
NIGHTLY_PROBLEMS = _metric("nightly_problems", "gauge", "What the last run could not do.")
NIGHTLY_BYTES = _metric("nightly_journal_bytes", "gauge", "Size of the journal that is in use.")
NIGHTLY_VERIFIED = _metric(
    "nightly_verified_entry", "gauge", "The number of the last entry that was verified."
)
NIGHTLY_WHOLE = _metric(
    "nightly_whole_timestamp_seconds", "gauge", "When the whole journal was last verified."
)
CLOSED = _metric("closed_journals", "gauge", "Closed journals on this machine.")
CLOSED_DAMAGED = _metric("closed_journals_damaged", "gauge", "Those that were found damaged.")
CLOSED_WAITING = _metric("closed_journals_waiting", "gauge", "Those that nobody has taken yet.")
CLOSED_WAITING_BYTES = _metric(
    "closed_journals_waiting_bytes", "gauge", "Size of those that nobody has taken yet."
)
CLOSED_OLDEST = _metric(
    "closed_journals_waiting_oldest_timestamp_seconds",
    "gauge",
    "When the oldest was closed that nobody has taken yet.",
)
CLOSED_REMOVED = _metric(
    "closed_journals_removed", "gauge", "Those that the last run has removed, being taken."
)

_under("The exporter itself")
EXPORTER_INFO = _metric("exporter_info", "info", "The exporter's version; always 1.", "version")
EXPORTER_TIME = _metric(
    "exporter_time_seconds",
    "gauge",
    "When these values were put together; a file that is not written any more has an old one.",
)
EXPORTER_QUESTIONS = _metric(
    "exporter_questions_total",
    "counter",
    "Questions to the controller, by what came of them; late: not within three seconds.",
    "outcome",
)
EXPORTER_CONNECTIONS = _metric(
    "exporter_connections_total",
    "counter",
    "Connections to the controller that came about: one more after each start of it.",
)
EXPORTER_UNREADABLE = _metric(
    "exporter_unreadable",
    "gauge",
    "A part of the status that this exporter cannot read: 1.",
    "part",
)
EXPORTER_WRITES_FAILED = _metric(
    "exporter_textfile_failures_total", "counter", "Times that the text file was not written."
)
