"""What systemd itself says of every unit: nothing that it does not understand, and a sandbox that
stays closed (`systemd-analyze verify` exits 0 for unknown keys and values it cannot read: only an
empty standard error counts). The services beside the controller's are below whatever plays, apart
from it, and of one mind with the programs that they start."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Final

import pytest

from console.main import CONFIG as CONSOLE_CONFIG
from controller.configuration.model import STATE_DIRECTORY
from controller.control.peers import WITNESS
from controller.journal.reader import ARCHIVE
from controller.upkeep.night_report import USUAL
from controller.witness.main import build
from exporter.options import TEXTFILE, read_options
from floor.main import COMMANDS, CONFIG
from tests.systemd.test_units import EXPORTER, ROOT, SERVICE, UNITS, analyze, rendered, settings

WITNESSES = UNITS / "table-controller-witness.service"
NIGHT = UNITS / "table-controller-nightly.service"
CONSOLE = UNITS / "table-console.service"
KIOSK = UNITS / "table-console-kiosk.service"
COLLECTOR, PAGE, FLOORS_NIGHT = (
    UNITS / f"table-floor-{name}.service" for name in ("collector", "page", "nightly")
)


def units(*some: Path) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("unit", some, ids=lambda path: path.stem)


@units(EXPORTER, WITNESSES, CONSOLE, KIOSK)
def test_neither_it_nor_the_controller_pulls_the_other_up_or_down(unit: Path) -> None:
    said = [key for key, values in settings(unit).items() if SERVICE.name in " ".join(values)]
    assert said == ["After"] or (unit == KIOSK and not said)
    assert unit.name not in [
        word for key in settings() for word in " ".join(settings()[key]).split()
    ]


@units(EXPORTER, WITNESSES, CONSOLE, KIOSK)
def test_it_is_below_whatever_plays(unit: Path) -> None:
    said, daemons = settings(unit), settings(SERVICE)
    assert int(said["OOMScoreAdjust"][0]) > 0 > int(daemons["OOMScoreAdjust"][0])
    assert int(said["Nice"][0]) > 0
    assert {"MemoryMax", "TasksMax"} <= said.keys()
    assert "CPUQuota" in said or unit in (CONSOLE, KIOSK)


@units(SERVICE, WITNESSES, CONSOLE, COLLECTOR, PAGE)
def test_a_bad_configuration_is_not_tried_again(unit: Path) -> None:
    assert settings(unit)["RestartPreventExitStatus"] == ["2"]


@units(SERVICE, EXPORTER, WITNESSES)
def test_it_starts_a_program_that_the_project_installs(unit: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    program, option, *_ = settings(unit)["ExecStart"][0].split()
    assert Path(program).name in project["scripts"]
    assert option == "--config" or unit == EXPORTER


@units(COLLECTOR, PAGE, FLOORS_NIGHT)
def test_a_floors_runs_a_verb_with_the_usual_configuration(unit: Path) -> None:
    (command,) = settings(unit)["ExecStart"]
    _, verb, *rest = command.split()
    assert verb in COMMANDS
    assert rest == ["--config", CONFIG]


def test_the_console_runs_with_its_usual_configuration() -> None:
    (command,) = settings(CONSOLE)["ExecStart"]
    assert command.split()[1:] == ["--config", CONSOLE_CONFIG]


def test_the_exporter_has_options_that_it_takes_and_no_network_until_somebody_opens_it() -> None:
    unit = settings(EXPORTER)
    assert unit["RestrictAddressFamilies"] == ["AF_UNIX"]
    assert (unit["PrivateNetwork"], unit["IPAddressDeny"]) == (["yes"], ["any"])
    variable = unit["ExecStart"][0].split()[1]
    given = dict(word.split("=", 1) for line in unit["Environment"] for word in shlex.split(line))
    options = read_options(given[variable.removeprefix("$")].split())
    assert options.textfile == Path(TEXTFILE)
    assert options.textfile.parent == Path("/run", unit["RuntimeDirectory"][0])
    assert options.listen is None


def test_what_the_exporter_writes_again_and_again_wears_no_disk_and_outlives_it() -> None:
    unit = settings(EXPORTER)
    assert not unit.keys() & {"StateDirectory", "CacheDirectory", "LogsDirectory", "ReadWritePaths"}
    assert unit["RuntimeDirectoryPreserve"] == ["yes"]


def test_who_speaks_to_witnesses_has_its_own_user_and_alone_a_network() -> None:
    unit = settings(WITNESSES)
    assert build().parse_args(unit["ExecStart"][0].split()[1:]).config == Path(
        "/etc/table-controller/table.toml"
    )
    users = (UNITS / "table-controller.sysusers").read_text("utf-8").splitlines()
    assert unit["User"] == [WITNESS]
    assert [line.split()[:2] for line in users if WITNESS in line] == [["u", WITNESS]]
    assert unit["RestrictAddressFamilies"] == ["AF_UNIX AF_INET AF_INET6"]
    assert settings(SERVICE)["RestrictAddressFamilies"] == ["AF_UNIX AF_NETLINK"]
    assert settings(SERVICE)["IPAddressDeny"] == ["any"]
    assert not {key for key in unit if key.endswith("Directory") or key == "ReadWritePaths"}
    assert unit["Restart"] == ["on-failure"], "one that has nothing to do stays ended"


@pytest.mark.needs("systemd-analyze")
def test_the_night_comes_once_a_night() -> None:
    (when,) = re.findall(r"(?m)^OnCalendar=(.+)$", NIGHT.with_suffix(".timer").read_text())
    command = ["systemd-analyze", "calendar", when]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "05:00:00" in done.stdout


def test_the_night_writes_the_report_that_everybody_reads() -> None:
    unit = settings(NIGHT)
    words = unit["ExecStart"][0].split()
    assert words[1] == "nightly"
    assert words[words.index("--report") + 1] == str(USUAL)
    assert f"/var/lib/{unit['StateDirectory'][0]}" == str(USUAL.parent)
    assert unit["StateDirectoryMode"] == ["0755"]


def test_the_night_can_write_no_journal_and_reaches_neither_key_nor_controller() -> None:
    unit = settings(NIGHT)
    (writable,) = unit["ReadWritePaths"]
    assert f"-{STATE_DIRECTORY}/{ARCHIVE}" in writable.split()
    assert STATE_DIRECTORY not in [path.lstrip("-") for path in writable.split()]
    hidden = unit["InaccessiblePaths"][0].split()
    assert {f"-{STATE_DIRECTORY}/key", "-/run/credentials", "-/run/table-controller"} == {*hidden}
    assert unit["RestrictAddressFamilies"] == ["none"]
    refused = unit["SystemCallFilter"][-1]
    assert refused.startswith("~")
    assert {"kill", "tgkill", "pidfd_send_signal"} <= {*refused[1:].split()}


def test_play_never_waits_for_the_night() -> None:
    unit = settings(NIGHT)
    assert unit["CPUQuota"] == ["20%"]
    assert unit["IOSchedulingClass"] == unit["CPUSchedulingPolicy"] == ["idle"]
    assert {"MemoryHigh", "MemoryMax"} <= unit.keys()


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
@pytest.mark.needs("systemd-analyze")
def test_systemd_has_nothing_to_say_about_it(unit: str, folder: Path) -> None:
    done = analyze("verify", "--man=no", str(folder / unit))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize(("name", "limit"), EXPOSED.items())
def test_its_sandbox_stays_closed(name: str, limit: int, folder: Path) -> None:
    unit = str(folder / f"{name}.service")
    done = analyze("security", "--offline=true", f"--threshold={limit}", unit)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.needs("systemd-analyze")
def test_verify_would_tell_an_unknown_key(folder: Path) -> None:
    unit = folder / "table-controller.service"
    unit.write_text(unit.read_text("utf-8").replace("WatchdogSec=", "WatchdogSecs="))
    assert "WatchdogSecs" in analyze("verify", str(unit)).stderr
