"""Metrics, alerts and their page, of a table and of a floor's collector, as Prometheus's own tool
and each other have them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client import generate_latest

import floor
from controller.faults import catalogue as faults
from controller.faults.model import Severity
from exporter.catalogue import all_metrics
from floor.collector.metrics import CollectorMetrics
from floor.store.progress import TableProgress
from pages.generated import DOCS
from pages.monitoring import RULES, alerts
from tests.control.support import controller
from tests.control.technicians import Bench
from tests.exporter.support import exporter, night
from tests.exporter.test_status import STATUS

OF_FLOOR = Path(floor.__file__).parent / "alerts" / "table-floor.rules.yml"
EVERY = pytest.mark.parametrize("rules", [RULES, OF_FLOOR], ids=["table", "floor"])
NAME = re.compile(r"table_controller_\w+")


def promtool(*arguments: str | Path, given: bytes = b"") -> tuple[int, str]:
    done = subprocess.run(
        ["promtool", *arguments], input=given, capture_output=True, check=False, cwd=RULES.parent
    )
    return done.returncode, (done.stdout + done.stderr).decode()


def of_floor() -> bytes:
    """What a collector tells."""
    metrics = CollectorMetrics()
    metrics.answered("mirror add-entries", 200, 0.01)
    metrics.tables([TableProgress("P12", 21, 21, 42, 21, None, 1)])
    return metrics.text(1)


@pytest.mark.needs("promtool")
def test_promtool_finds_nothing_in_the_metrics(tmp_path: Path) -> None:
    assert promtool("check", "metrics", given=of_floor()) == (0, "")
    closed = [{"bytes": 1, "closed": "2026-11-01T00:00:00Z", "taken": None}]
    path = night(tmp_path, closed=closed)
    with (
        controller(tmp_path / "s", {**STATUS, "program": 1}, Bench()),
        exporter(tmp_path / "s", path) as one,
    ):
        text = generate_latest(one.registry)
    assert promtool("check", "metrics", given=text) == (0, "")


@EVERY
@pytest.mark.needs("promtool")
def test_promtool_takes_the_rules_and_every_alert_fires_when_it_should(rules: Path) -> None:
    for verb, file in (("check", rules), ("test", trials_of(rules))):
        code, said = promtool(verb, "rules", file)
        assert code == 0, said


def trials_of(rules: Path) -> Path:
    return rules.with_name(rules.name.replace(".rules.", ".test."))


@pytest.mark.needs("promtool")
def test_promtool_would_tell_an_alert_that_does_not_fire(tmp_path: Path) -> None:
    (tmp_path / RULES.name).write_text(RULES.read_text("utf-8").replace("_up == 0", "_up == 2"))
    tests = trials_of(RULES)
    first = tests.read_text("utf-8").partition("  - name: TableControllerRestarting")[0]
    (tmp_path / tests.name).write_text(first)
    code, said = promtool("test", "rules", str(tmp_path / tests.name))
    assert code == 1
    assert "TableControllerDown" in said


@EVERY
def test_every_alert_is_tested_firing_and_not_firing(rules: Path) -> None:
    text = trials_of(rules).read_text("utf-8")
    names = re.findall(r"- alert: (\w+)", rules.read_text("utf-8"))
    assert len(names) >= 8
    for name in names:
        asked = re.findall(rf'alertname="{name}".*\n.*\n        exp_samples:(.*)', text)
        assert {one.strip() for one in asked} == {"", "[]"}, name


def test_every_alert_has_its_section_and_no_section_is_without_an_alert() -> None:
    sections = re.findall(r"(?m)^### (Table\w+)\n\n\*(?:critical|warning)\*: .+\n\n.+\n", page())
    assert sections == [alert.name for alert in alerts()]
    assert RULES.read_text("utf-8").count("- alert:") == len(sections)
    assert "{{" not in page()


def test_every_metric_and_fault_in_the_rules_exists() -> None:
    series = {name for metric in all_metrics() for name in metric.series}
    text = RULES.read_text("utf-8")
    assert set(NAME.findall(text)) <= series | {"table_controller_nightly"}
    named = set(re.findall(r'fault=~?"([^"]+)"', text))
    codes = {fault.code for _, section in faults.SECTIONS for fault in section}
    assert {code for value in named for code in value.split("|")} <= codes
    told = {re.split("[{ ]", line)[0] for line in of_floor().decode().splitlines()}
    assert set(re.findall(r"\btable_floor_\w+", OF_FLOOR.read_text("utf-8"))) <= told


def test_every_standing_condition_has_an_alert() -> None:
    """By name, or by the one for those that have none of their own."""
    text = RULES.read_text("utf-8")
    (others,) = re.findall(r'fault!~"([^"]+)"', text)
    for _, section in faults.SECTIONS:
        for fault in section:
            if fault.severity is Severity.NOTICE and re.fullmatch(others, fault.code):
                assert re.search(rf'"[^"]*\b{fault.code}\b', text) or fault.code in ALIKE, (
                    fault.code
                )


ALIKE = {
    "copy-failing": "copy_failing",
    "copy-same-medium": "copy_same_disk",
    "copy-differs": "a hold",
}
"""Conditions that another value tells too."""


def test_names_are_after_the_conventions() -> None:
    for metric in all_metrics():
        assert re.fullmatch(r"table_controller_[a-z_]+", metric.name)
        assert metric.name.endswith("_total") == (metric.kind == "counter")
        assert metric.name.endswith("_info") == (metric.kind == "info")
        assert metric.text.endswith(".")
    assert len({metric.name for metric in all_metrics()}) == len(list(all_metrics()))


def test_the_page_tells_nothing_that_is_not() -> None:
    series = {name for metric in all_metrics() for name in metric.series}
    known = series | {metric.name for metric in all_metrics()}
    assert {name for name in NAME.findall(page()) if not name.endswith("_")} <= known


def test_the_controller_does_without_the_library() -> None:
    """In its process there is neither, whatever imports what."""
    script = (
        "import sys, controller.daemon.main, controller.daemon.app; "
        "print(*(name for name in sys.modules if name.startswith(('exporter', 'prometheus'))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n"


def page() -> str:
    return (DOCS / "monitoring.md").read_text("utf-8")
