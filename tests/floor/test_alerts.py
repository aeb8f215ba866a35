"""The collector's metrics and alerts, as Prometheus's own tool and each other have them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

import floor
from floor.collector.metrics import CollectorMetrics
from floor.store.progress import TableProgress

RULES: Final = Path(floor.__file__).parent / "alerts" / "table-floor.rules.yml"
TESTS: Final = RULES.with_name("table-floor.test.yml")


def promtool(*arguments: str, given: bytes = b"") -> tuple[int, str]:
    done = subprocess.run(
        ["promtool", *arguments], input=given, capture_output=True, check=False, cwd=RULES.parent
    )
    return done.returncode, (done.stdout + done.stderr).decode()


def text() -> bytes:
    metrics = CollectorMetrics()
    metrics.answered("mirror add-entries", 200, 0.01)
    metrics.tables([TableProgress("P12", 21, 21, 42, 21, None, 1)])
    return metrics.text(1)


@pytest.mark.needs("promtool")
def test_promtool_finds_nothing_in_the_metrics() -> None:
    assert promtool("check", "metrics", given=text()) == (0, "")


@pytest.mark.needs("promtool")
def test_promtool_takes_the_rules_and_every_alert_fires_when_it_should() -> None:
    for words in (("check", "rules", RULES.name), ("test", "rules", TESTS.name)):
        code, said = promtool(*words)
        assert code == 0, said


def test_every_alert_is_tested_firing_and_not_firing() -> None:
    names = re.findall(r"- alert: (\w+)", RULES.read_text("utf-8"))
    assert len(names) == 8
    for name in names:
        asked = re.findall(
            rf'alertname="{name}".*\n.*\n        exp_samples:(.*)', TESTS.read_text("utf-8")
        )
        assert {one.strip() for one in asked} == {"", "[]"}, name


def test_every_metric_in_the_rules_exists() -> None:
    told = {line.split("{")[0].split(" ")[0] for line in text().decode().splitlines()}
    asked = set(re.findall(r"\btable_floor_\w+", RULES.read_text("utf-8")))
    assert asked <= told
