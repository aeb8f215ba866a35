"""The units of a floor's server: what systemd says of them, and what they must agree on."""

from __future__ import annotations

from pathlib import Path

import pytest

from floor.main import COMMANDS, CONFIG
from tests.systemd.test_units import UNITS, analyze, rendered, settings

COLLECTOR = UNITS / "table-floor-collector.service"
BOTH = pytest.mark.parametrize("unit", [COLLECTOR], ids=lambda path: path.stem)
LIMIT = 15  # tenths


@pytest.mark.needs("systemd-analyze")
@BOTH
def test_systemd_has_nothing_to_say_about_it(unit: Path, tmp_path: Path) -> None:
    done = analyze("verify", str(rendered(tmp_path, unit)))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.needs("systemd-analyze")
@BOTH
def test_its_sandbox_stays_closed(unit: Path, tmp_path: Path) -> None:
    done = analyze(
        "security", "--offline=true", f"--threshold={LIMIT}", str(rendered(tmp_path, unit))
    )
    assert done.returncode == 0, done.stdout


@BOTH
def test_it_runs_a_verb_with_the_usual_configuration(unit: Path) -> None:
    (command,) = settings(unit)["ExecStart"]
    _, verb, *rest = command.split()
    assert verb in COMMANDS
    assert rest == ["--config", CONFIG]
    assert settings(unit)["RestartPreventExitStatus"] == ["2"]
