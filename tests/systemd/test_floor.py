"""The units of a floor's server: what they must agree on."""

from __future__ import annotations

from pathlib import Path

import pytest

from floor.main import COMMANDS, CONFIG
from tests.systemd.test_units import UNITS, settings

COLLECTOR = UNITS / "table-floor-collector.service"
PAGE = UNITS / "table-floor-page.service"
NIGHTLY = UNITS / "table-floor-nightly.service"
EACH = pytest.mark.parametrize("unit", [COLLECTOR, PAGE, NIGHTLY], ids=lambda path: path.stem)


@EACH
def test_it_runs_a_verb_with_the_usual_configuration(unit: Path) -> None:
    (command,) = settings(unit)["ExecStart"]
    _, verb, *rest = command.split()
    assert verb in COMMANDS
    assert rest == ["--config", CONFIG]


@pytest.mark.parametrize("unit", [COLLECTOR, PAGE], ids=lambda path: path.stem)
def test_a_bad_configuration_is_not_tried_again(unit: Path) -> None:
    assert settings(unit)["RestartPreventExitStatus"] == ["2"]
