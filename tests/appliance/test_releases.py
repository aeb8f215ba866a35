"""Everything that says on which releases and with which Pythons the project runs says the same."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from appliance.readme import NAMED
from appliance.releases import RELEASES

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
README = (ROOT / "README.md").read_text("utf-8")
LANGUAGE = "Programming Language :: Python :: "


def minor(version: str) -> int:
    return int(version.removeprefix("3."))


def test_pythons() -> None:
    told = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", PROJECT["requires-python"])
    assert told is not None
    allowed = list(range(int(told[1]), int(told[2])))
    ours = [minor(release.python) for release in RELEASES.values()]
    assert (allowed[0], allowed[-1]) == (min(ours), max(ours))
    classified = [one.removeprefix(LANGUAGE) for one in PROJECT["classifiers"] if LANGUAGE in one]
    assert list(map(minor, classified)) == allowed
    assert f"Python 3.{allowed[0]} to 3.{allowed[-1]}" in README
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"(3, {allowed[0]}) <= sys.version_info < (3, {allowed[-1] + 1})" in makefile
    maintainer = (ROOT / "docs" / "maintainer.md").read_text("utf-8")
    assert f"for Python 3.{allowed[0]} to 3.{allowed[-1]} on" in maintainer


def test_releases() -> None:
    numbers = [str(release.number) for release in RELEASES.values()]
    assert f"Debian {' or '.join(numbers)}" in README
    technician = (ROOT / "docs" / "technician.md").read_text("utf-8")
    assert f"A package for Debian {' and '.join(numbers)}" in technician


def test_what_the_readme_asks_for_is_what_the_plain_system_has() -> None:
    asked = re.search(r"\(Python [\d. to]+\), with\n(.*);", README)
    assert asked is not None
    assert {*re.findall(r"`([\w-]+)`", asked[1]), "python3"} == set(NAMED)
