"""What systemd itself says of every unit: nothing that it does not understand, and a sandbox that
stays closed.

`systemd-analyze verify` exits 0 for unknown keys and values it cannot read: only an empty
standard error counts.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest

from tests.systemd.test_units import UNITS, analyze, rendered

EXPOSED: Final = {
    "table-controller": 15,
    "table-controller-exporter": 7,
    "table-controller-nightly": 10,
    "table-controller-witness": 15,  # the controller's own, less its devices, and a network
    "table-console": 15,
    "table-console-kiosk": 45,  # a browser compiles as it runs, and has a sandbox
    "table-floor-collector": 15,
    "table-floor-nightly": 15,
    "table-floor-page": 15,
}
"""How far each service may be, in tenths, with systemd 252."""
TIMERS: Final = sorted(UNITS.glob("*.timer"))

pytestmark = pytest.mark.needs("systemd-analyze")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """All of them, for some want others."""
    for timer in TIMERS:
        shutil.copy(timer, tmp_path)
    for name in EXPOSED:
        rendered(tmp_path, UNITS / f"{name}.service")
    return tmp_path


def test_every_service_is_looked_at() -> None:
    assert {unit.stem for unit in UNITS.glob("*.service")} == EXPOSED.keys()


@pytest.mark.parametrize(
    "unit", [*(f"{name}.service" for name in EXPOSED), *(t.name for t in TIMERS)]
)
def test_systemd_has_nothing_to_say_about_it(unit: str, folder: Path) -> None:
    done = analyze("verify", "--man=no", str(folder / unit))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("name", "limit"), EXPOSED.items())
def test_its_sandbox_stays_closed(name: str, limit: int, folder: Path) -> None:
    unit = str(folder / f"{name}.service")
    done = analyze("security", "--offline=true", f"--threshold={limit}", unit)
    assert done.returncode == 0, done.stdout + done.stderr


def test_verify_would_tell_an_unknown_key(folder: Path) -> None:
    unit = folder / "table-controller.service"
    unit.write_text(unit.read_text("utf-8").replace("WatchdogSec=", "WatchdogSecs="))
    assert "WatchdogSecs" in analyze("verify", str(unit)).stderr
