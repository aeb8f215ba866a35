"""The unit of the process that speaks to witnesses: apart from the controller's, which stays
without a network."""

from __future__ import annotations

import tomllib
from pathlib import Path

from controller.control.peers import WITNESS
from controller.witness.main import build
from tests.systemd.test_units import ROOT, SERVICE, UNITS, settings

UNIT = UNITS / "table-controller-witness.service"


def test_it_starts_a_program_that_the_project_installs_with_options_that_it_takes() -> None:
    program, *options = settings(UNIT)["ExecStart"][0].split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert Path(program).name in project["scripts"]
    assert build().parse_args(options).config == Path("/etc/table-controller/table.toml")


def test_its_user_is_the_one_that_the_controller_knows() -> None:
    users = (UNITS / "table-controller.sysusers").read_text("utf-8").splitlines()
    assert settings(UNIT)["User"] == [WITNESS]
    assert [line.split()[:2] for line in users if WITNESS in line] == [["u", WITNESS]]


def test_neither_unit_is_pulled_up_or_down_by_the_other() -> None:
    said = [key for key, values in settings(UNIT).items() if SERVICE.name in " ".join(values)]
    assert said == ["After"]
    assert UNIT.name not in SERVICE.read_text("utf-8")


def test_it_alone_has_a_network() -> None:
    assert settings(UNIT)["RestrictAddressFamilies"] == ["AF_UNIX AF_INET AF_INET6"]
    assert settings(SERVICE)["RestrictAddressFamilies"] == ["AF_UNIX AF_NETLINK"]
    assert settings(SERVICE)["IPAddressDeny"] == ["any"]


def test_it_is_below_whatever_plays_and_writes_nothing() -> None:
    unit, daemons = settings(UNIT), settings(SERVICE)
    assert int(unit["OOMScoreAdjust"][0]) > 0 > int(daemons["OOMScoreAdjust"][0])
    assert {"MemoryMax", "CPUQuota", "Nice", "TasksMax"} <= unit.keys()
    assert not {key for key in unit if key.endswith("Directory") or key == "ReadWritePaths"}


def test_one_that_has_nothing_to_do_stays_ended() -> None:
    assert settings(UNIT)["Restart"] == ["on-failure"]
    assert settings(UNIT)["RestartPreventExitStatus"] == ["2"]
