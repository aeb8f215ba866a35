"""The units of a floor's server: what systemd says of them, and what they must agree on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from floor.main import COMMANDS, CONFIG
from tests.systemd.test_units import UNITS, analyze, rendered, settings

COLLECTOR = UNITS / "table-floor-collector.service"
PAGE = UNITS / "table-floor-page.service"
NIGHTLY = UNITS / "table-floor-nightly.service"
TIMER = UNITS / "table-floor-nightly.timer"
EACH = pytest.mark.parametrize("unit", [COLLECTOR, PAGE, NIGHTLY], ids=lambda path: path.stem)
LIMIT = 15  # tenths


@pytest.mark.needs("systemd-analyze")
@EACH
def test_systemd_has_nothing_to_say_about_it(unit: Path, tmp_path: Path) -> None:
    done = analyze("verify", str(rendered(tmp_path, unit)))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.needs("systemd-analyze")
@EACH
def test_its_sandbox_stays_closed(unit: Path, tmp_path: Path) -> None:
    done = analyze(
        "security", "--offline=true", f"--threshold={LIMIT}", str(rendered(tmp_path, unit))
    )
    assert done.returncode == 0, done.stdout


@EACH
def test_it_runs_a_verb_with_the_usual_configuration(unit: Path) -> None:
    (command,) = settings(unit)["ExecStart"]
    _, verb, *rest = command.split()
    assert verb in COMMANDS
    assert rest == ["--config", CONFIG]


@pytest.mark.parametrize("unit", [COLLECTOR, PAGE], ids=lambda path: path.stem)
def test_a_bad_configuration_is_not_tried_again(unit: Path) -> None:
    assert settings(unit)["RestartPreventExitStatus"] == ["2"]


@pytest.mark.needs("systemd-analyze")
def test_the_night_begins_by_a_timer(tmp_path: Path) -> None:
    rendered(tmp_path, NIGHTLY)
    timer = Path(shutil.copy(TIMER, tmp_path))
    done = analyze("verify", str(timer))
    assert (done.returncode, done.stderr) == (0, "")
