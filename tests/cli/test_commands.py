"""Each verb of ``tablectl`` comes from the module that is said to have it, and from that alone."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping

import pytest

from controller.cli import commands
from controller.game.commands.verbs import DEALERS, SUPERVISORS, VerbRow
from pages.commands import programs


def verbs_of(parser: argparse.ArgumentParser) -> dict[str, bool]:
    """The verbs that a parser knows, in the order of its help, and whether it can run them."""
    (choices,) = (one.choices for one in parser._actions if isinstance(one.choices, dict))
    return {verb: bool(one.get_default("run") or one._subparsers) for verb, one in choices.items()}


@pytest.mark.parametrize("own", commands.MODULES.values(), ids=" ".join)
def test_a_module_registers_its_verbs(own: dict[str, str]) -> None:
    for verb in own:
        known = verbs_of(commands.build({verb}))
        assert [one for one, runs in known.items() if runs] == list(own)
        assert set(known) == commands.VERBS


@pytest.mark.parametrize(
    "options", ["--state status", "--json --socket watch", "--socket=status", ""]
)
def test_the_verb_stands_behind_the_global_options(options: str) -> None:
    assert commands.parse([*options.split(), "counters"]).full_name == "counters"


@pytest.mark.parametrize(
    "argv", ["-h status", "statsu devices", "-- status -x", "- status", "-5 status"]
)
def test_all_verbs_are_named_to_who_asks_or_mistypes(
    argv: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        commands.parse(argv.split())
    said = "".join(capsys.readouterr())
    assert all(verb in said for verb in commands.VERBS)


@pytest.mark.parametrize("argv", ["journal -- verify", "journal --json -- verify", "twin -- press"])
def test_two_dashes_are_no_command_of_a_group(
    argv: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With no release of Python."""
    with pytest.raises(SystemExit) as ended:
        commands.parse(argv.split())
    assert ended.value.code == 2
    assert "invalid choice: '--' (choose from " in capsys.readouterr().err


def _groups() -> list[str]:
    parser = commands.build()
    (choices,) = (one.choices for one in parser._actions if isinstance(one.choices, dict))
    return ["", *(verb for verb, one in choices.items() if one._subparsers)]


@pytest.mark.parametrize("group", _groups())
def test_a_group_without_a_command_lists_its_own(
    group: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own = [
        one.name.split()[-1]
        for one in programs()["tablectl"].walk()
        if _path_of(one.name) == _path(group)
    ]
    assert own
    with pytest.raises(SystemExit) as ended:
        commands.parse(group.split())
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    first, *rest = told.err.splitlines()
    assert first == f"{_path(group)}: say which command:"
    assert [line.split()[0] for line in rest] == own
    assert all(len(line.split()) > 1 for line in rest), "nothing is said of one"


def _path(group: str) -> str:
    return f"tablectl {group}".strip()


def _path_of(name: str) -> str:
    return name.rpartition(" ")[0]


@pytest.mark.parametrize(
    ("role", "own", "others"),
    [("dealer", DEALERS, "play-on"), ("supervisor", SUPERVISORS, "close")],
)
def test_dealer_and_supervisor_without_a_command_list_theirs(
    role: str, own: Mapping[str, VerbRow], others: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        commands.parse([role, "--at", "3"])
    first, *words, now = capsys.readouterr().err.splitlines()
    assert (ended.value.code, first) == (2, f"tablectl {role}: say which command:")
    named = " ".join(words).replace(",", "").split()
    assert sorted(named) == sorted(name for name, row in own.items() if not row.device)
    assert others not in named
    assert now == "those of this moment: tablectl status"


def test_a_command_imports_no_other() -> None:
    """``faults`` needs no live table, and nothing that waits for one."""
    code = (
        "import sys; from controller.cli.main import main; main(['faults']); "
        f"print([m for m in {list(commands.MODULES)} if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.endswith(f"{['controller.cli.table.faults', commands.__name__]}\n")
