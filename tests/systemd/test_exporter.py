"""The exporter's unit: what it is to the controller's, and that its options are the program's."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

from exporter.options import TEXTFILE, read_options
from tests.systemd.test_units import EXPORTER, ROOT, SERVICE, settings


def test_neither_unit_is_pulled_up_or_down_by_the_other() -> None:
    for unit, other in ((EXPORTER, SERVICE), (SERVICE, EXPORTER)):
        said = [key for key, values in settings(unit).items() if other.name in " ".join(values)]
        assert said == (["After"] if unit == EXPORTER else [])


def test_it_is_below_whatever_plays() -> None:
    unit, daemons = settings(EXPORTER), settings(SERVICE)
    assert int(unit["OOMScoreAdjust"][0]) > 0 > int(daemons["OOMScoreAdjust"][0])
    assert {"MemoryMax", "CPUQuota", "Nice", "TasksMax"} <= unit.keys()


def test_it_has_no_network_until_somebody_opens_it() -> None:
    unit = settings(EXPORTER)
    assert unit["RestrictAddressFamilies"] == ["AF_UNIX"]
    assert (unit["PrivateNetwork"], unit["IPAddressDeny"]) == (["yes"], ["any"])


def test_it_starts_a_program_that_the_project_installs_with_options_that_it_takes() -> None:
    unit = settings(EXPORTER)
    program, variable = unit["ExecStart"][0].split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert Path(program).name in project["scripts"]
    given = dict(word.split("=", 1) for line in unit["Environment"] for word in shlex.split(line))
    options = read_options(given[variable.removeprefix("$")].split())
    assert options.textfile == Path(TEXTFILE)
    assert options.textfile.parent == Path("/run", unit["RuntimeDirectory"][0])
    assert options.listen is None


def test_what_it_writes_again_and_again_wears_no_disk_and_outlives_it() -> None:
    unit = settings(EXPORTER)
    assert not unit.keys() & {"StateDirectory", "CacheDirectory", "LogsDirectory", "ReadWritePaths"}
    assert unit["RuntimeDirectoryPreserve"] == ["yes"]
