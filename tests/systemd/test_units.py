"""The files in systemd/, and what they must agree on."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest

from controller.cli.journal.key import STORE
from controller.commissioning.configuration_text import VIEWERS
from controller.commissioning.place import RULES as RULES_OF_SETUP
from controller.commissioning.place import bound, read_names
from controller.daemon.health.memory import LOW_BYTES, MOST_OWN_BYTES
from controller.daemon.health.watches import MIB
from controller.evidence.keys.credential import drop_in
from hil_tests.benches.vm.controller_machine import SERIALS

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "systemd"
SERVICE = UNITS / "table-controller.service"
EXPORTER = UNITS / "table-controller-exporter.service"


def settings(unit: Path = SERVICE) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in unit.read_text().splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found[key].append(value)
    return found


def rendered(directory: Path, source: Path = SERVICE) -> Path:
    """The unit with a program that exists on this machine."""
    unit = directory / source.name
    program = f"ExecStart={sys.executable} "
    text, count = re.subn(r"(?m)^ExecStart=\S+ ", lambda _: program, source.read_text())
    assert count == 1
    unit.write_text(text)
    return unit


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *arguments], capture_output=True, text=True, check=False
    )


def test_the_program_runs_from_its_source_and_from_nothing_that_was_compiled_before() -> None:
    """What is compiled beside the source is in no digest: a forged file must not be run."""
    (line,) = settings()["Environment"]
    variables = dict(one.split("=", 1) for one in line.split())
    told = subprocess.run(
        [sys.executable, "-v", "-c", "import json.decoder"],
        env=variables,
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    assert "json/decoder.py" in told
    assert [one for one in told.splitlines() if "matches" in one or "wrote" in one] == []


def test_stopping_leaves_the_daemon_its_two_seconds() -> None:
    assert int(settings()["TimeoutStopSec"][0]) > 2


def test_no_memory_of_the_daemon_reaches_a_disk() -> None:
    unit = settings()
    assert (unit["LimitCORE"], unit["MemorySwapMax"]) == (["0"], ["0"])


def test_the_daemon_holds_play_before_the_kernel_ends_it() -> None:
    """What may be taken leaves room for what is told and held first
    (controller/daemon/health/memory.py)."""
    (most,) = settings()["MemoryMax"]
    assert most.endswith("M")
    assert int(most[:-1]) * MIB >= MOST_OWN_BYTES + LOW_BYTES
    assert "MemoryHigh" not in settings()


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("tpm", [False, True])
def test_systemd_has_nothing_to_say_about_the_drop_in_of_an_installed_key(
    tpm: bool, tmp_path: Path
) -> None:
    unit = rendered(tmp_path)
    folder = tmp_path / f"{SERVICE.name}.d"
    folder.mkdir()
    (folder / "key.conf").write_text(drop_in(STORE, tpm=tpm))
    done = analyze("verify", str(unit))
    assert (done.returncode, done.stderr) == (0, "")


def test_users_and_groups_are_those_of_the_unit_and_the_configuration() -> None:
    lines = (UNITS / "table-controller.sysusers").read_text().splitlines()
    entries = [line.split() for line in lines if line and not line.startswith("#")]
    users = {entry[1] for entry in entries if entry[0] == "u"}
    groups = {entry[1] for entry in entries if entry[0] == "g"} | users
    memberships = {tuple(entry[1:3]) for entry in entries if entry[0] == "m"}
    unit, exporter = settings(), settings(EXPORTER)
    assert {*unit["User"], *exporter["User"]} <= users
    daemons = {(unit["User"][0], group) for group in unit["SupplementaryGroups"][0].split()}
    assert daemons == {one for one in memberships if one[0] == unit["User"][0]}
    assert {one for one in memberships if one[0] == exporter["User"][0]} == {
        (exporter["User"][0], VIEWERS)
    }
    control = tomllib.loads((ROOT / "config" / "table.example.toml").read_text())["control"]
    assert {control["dealers"], control["supervisors"], VIEWERS} <= groups


def test_the_daemon_has_no_rights_over_the_people_who_use_it() -> None:
    """The socket is given to no group (controller/control/address.py): no chown, no membership."""
    unit = settings()
    control = tomllib.loads((ROOT / "config" / "table.example.toml").read_text())["control"]
    memberships = set(unit["SupplementaryGroups"][0].split())
    assert not memberships & {control["dealers"], control["supervisors"]}
    assert not any("@chown" in value for value in unit["SystemCallFilter"])


def test_every_kind_of_device_in_the_unit_has_its_driver_loaded_at_boot() -> None:
    modules = set((UNITS / "table-controller.modules").read_text().split("\n"))
    driver = {"char-ttyUSB": "usbserial", "char-ttyACM": "cdc_acm", "char-usb_device": None}
    allowed = [value.split()[0] for value in settings()["DeviceAllow"]]
    assert {driver[kind] for kind in allowed} - {None} <= modules


MATCH = {"ACTION", "SUBSYSTEM", "SUBSYSTEMS", "DRIVER", "ENV", "ATTR", "ATTRS"}
ASSIGN = {"MODE", "GROUP", "SYMLINK", "ENV", "ATTR", "GOTO", "LABEL"}
TERM = re.compile(r'([A-Z]+)(?:\{([^}]+)\})?(==|!=|\+=|=)"([^"]*)"')


RULES = sorted(UNITS.glob("*.rules"))
"""As udev reads them: by name."""


def rules(files: list[Path] = RULES) -> list[list[tuple[str, str, str, str]]]:
    """Every rule as (key, attribute, operator, value); a term that cannot be read fails."""
    parsed = []
    for line in [line for file in files for line in file.read_text().splitlines()]:
        if not line or line.startswith("#"):
            continue
        terms = []
        for text in line.split(", "):
            term = TERM.fullmatch(text)
            assert term, f"not a udev term: {text!r}"
            key, attribute, operator, value = term.groups(default="")
            assert key in (MATCH if operator in {"==", "!="} else ASSIGN), text
            assert bool(attribute) == (key in {"ENV", "ATTR", "ATTRS"}), text
            terms.append((key, attribute, operator, value))
        parsed.append(terms)
    return parsed


def test_udev_reads_rights_behind_the_names_that_they_are_for() -> None:
    """A rule sees only what earlier files have set."""
    generic, names, rights = RULES
    assert names.name == RULES_OF_SETUP.name
    assert not [rule for rule in rules([generic]) if "TABLE_PORT" in str(rule)]
    for rule in rules([names]):
        assert ("ENV", "TABLE_PORT", "=", "1") in rule
        assert ("SUBSYSTEM", "", "==", "tty") in rule, "else the adapter itself takes the name"
    assert ("ENV", "TABLE_PORT", "==", "1") in rules([rights])[-1]


def test_the_example_of_names_is_what_setup_writes() -> None:
    text = (UNITS / "99-table-controller.rules").read_text()
    assert bound("", SERIALS) == text
    assert read_names(text) == SERIALS


def test_udev_names_are_the_ports_of_the_example_configuration() -> None:
    named = {value for rule in rules() for key, _, _, value in rule if key == "SYMLINK"}
    assert named == {"table/shoe", "table/shuffler", "table/keypad", "table/jackpot"}
    example = tomllib.loads((ROOT / "config" / "table.example.toml").read_text())
    ports = {device["port"] for device in example["devices"].values() if "port" in device}
    assert ports <= {f"/dev/{name}" for name in named}


def test_udev_gives_the_ports_to_the_daemons_group() -> None:
    given = {value for rule in rules() for key, _, _, value in rule if key == "GROUP"}
    assert given == set(settings()["Group"])


def test_the_system_log_is_kept_and_bounded() -> None:
    lines = (UNITS / "table-controller.journald").read_text().splitlines()
    told = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    assert told["Storage"] == "persistent"
    assert {"SystemMaxUse", "SystemMaxFileSize", "RuntimeMaxUse"} <= told.keys()
