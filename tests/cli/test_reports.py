"""``rules`` and ``draw``, options that are wrong, and readers that stop reading."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.rules.loader import dump_rules, load_rules, rule_files
from controller.rules.schema import PAY_KEYS
from tests.cli.support import CONFIGURATION, ROOT, Tablectl

MBS = "mbs-pontoon-pandemonium-v5"


def test_rules_list(tablectl: Tablectl) -> None:
    assert [row["id"] for row in tablectl("rules", "list", "--json").json] == list(rule_files())
    assert MBS in tablectl("rules", "list").out


@pytest.mark.parametrize("name", sorted(rule_files()))
def test_rules_show_every_value_with_its_clause(tablectl: Tablectl, name: str) -> None:
    data = dump_rules(load_rules(name))
    assert tablectl("rules", "show", name, "--json").json == json.loads(json.dumps(data))
    told = tablectl("rules", "show", name).out
    for section, entries in data.items():
        for key, entry in entries.items():
            if isinstance(entry, dict):
                assert key in told, (section, key)
                assert entry["clause"] in told
    assert all(key in told for key in PAY_KEYS if key in data["pays"])


def test_rules_check(tablectl: Tablectl, tmp_path: Path) -> None:
    good = ROOT / "config" / "rules" / f"{MBS}.toml"
    assert tablectl("rules", "check", good).code == 0
    assert tablectl("rules", "check", good, "--json").json["well"] is True
    bad = tmp_path / "bad.toml"
    text = good.read_text(encoding="utf-8")
    bad.write_text(text.replace("decks_min = { value = 4", "decks_min = { value = 40"), "utf-8")
    ran = tablectl("rules", "check", bad, "--json")
    assert ran.code == 1
    assert ran.json["faults"]
    assert "decks_min = 40" in ran.err
    bad.write_bytes(b"\xff")
    assert tablectl("rules", "check", bad).code == 1
    for nothing, why in (("none", "No such file"), (".", "Is a directory"), ("a\0b", "null byte")):
        ran = tablectl("rules", "check", tmp_path / nothing)
        assert ran.code == 2
        assert why in ran.err


def test_rules_that_may_not_be_read(
    tablectl: Tablectl, tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch("pathlib.Path.open", side_effect=PermissionError(13, "Permission denied"))
    ran = tablectl("rules", "check", tmp_path / "rules.toml")
    assert ran.code == 2
    assert "Permission denied" in ran.err


def test_rules_that_are_not_there(tablectl: Tablectl) -> None:
    ran = tablectl("rules", "show", "whist")
    assert ran.code == 2
    assert MBS in ran.err
    assert tablectl("rules", "show", "x" * 5000).code == 2
    assert tablectl("rules", "show", "a\0b").code == 2


def test_draw_odds(tablectl: Tablectl) -> None:
    ran = tablectl("draw", "odds", "--config", CONFIGURATION, "--json")
    assert ran.code == 0
    assert ran.json["house_edge"] == "1051/9575"
    told = tablectl("draw", "odds", "--config", CONFIGURATION).out
    assert "10.977 %" in told
    assert "100 to 1" in told


def test_draw_test(tablectl: Tablectl) -> None:
    ran = tablectl("draw", "test", "--config", CONFIGURATION, "--json")
    assert ran.code == 0
    assert [test["passed"] for test in ran.json["tests"]] == [True] * 3
    assert "passed  mapping" in tablectl("draw", "test", "--config", CONFIGURATION).out


def test_a_configuration_with_faults(tablectl: Tablectl, tmp_path: Path) -> None:
    bad = tmp_path / "table.toml"
    bad.write_text("[table]\ncolour = 5\n", "utf-8")
    ran = tablectl("draw", "odds", "--config", bad)
    assert ran.code == 2
    assert f"{bad}: table.colour is unknown" in ran.err
    assert tablectl("draw", "test", "--config", tmp_path / "none").code == 2


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["dance"],
        ["status", "now"],
        ["status", "--stat", "x"],
        ["dealer"],
        ["round"],
        ["round", "run"],
        ["journal", "mend"],
        ["status", "--state", "x"],
        ["dealer", "open", "--by", "Ida"],
        ["devices", "probe", "x", "--baud", "fast"],
        ["devices", "probe", "x", "--baud", "0"],
        ["devices", "probe", "x", "--baud", "-9600"],
        ["devices", "probe", "x", "--baud", "9" * 5000],
    ],
)
def test_wrong_use(tablectl: Tablectl, argv: list[str]) -> None:
    ran = tablectl(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert "usage: tablectl" in ran.err


def test_help(tablectl: Tablectl) -> None:
    ran = tablectl("--help")
    assert ran.code == 0
    for verb in ("status", "watch", "dealer", "supervisor", "round", "rules", "draw", "demo"):
        assert verb in ran.out


def unread(*argv: object, errors_too: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command with nobody behind its standard output."""
    read, wrote = os.pipe()
    os.close(read)
    try:
        return subprocess.run(
            [sys.executable, "-m", "controller.cli.main", *map(str, argv)],
            stdout=wrote,
            stderr=wrote if errors_too else subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=False,
        )
    finally:
        os.close(wrote)


def test_who_does_not_read_still_gets_the_exit_code(state: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}", "utf-8")
    assert (unread("--help").returncode, unread("--help").stderr) == (0, "")
    assert unread("journal", "export", "--state", state).returncode == 0
    assert unread("rules", "check", bad, "--json").returncode == 1
    assert unread("round", "run", bad, errors_too=True).returncode == 2
    assert unread("status", "--socket", tmp_path / "none", errors_too=True).returncode == 4


def test_a_full_disk_behind_standard_output_is_told() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "controller.cli.main", "rules", "list"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("tablectl: ")
    assert "No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("argv", "code"), [("--help", 0), ("rules list", 0), ("rules show nothing", 2), ("round", 2)]
)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_change_no_exit_code(argv: str, code: int, closed: str) -> None:
    command = f"'{sys.executable}' -m controller.cli.main {argv} {closed}"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_help_on_a_terminal_of_ascii_only() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli.main", "--help"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
