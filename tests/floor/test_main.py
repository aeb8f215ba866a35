"""``table-floor``: its options, and what ``init`` makes."""

from __future__ import annotations

import os
import shlex
import socket
import stat
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from pytest_mock import MockerFixture

from controller import __version__
from controller.evidence.tree.cosignature import WitnessKey
from controller.not_done import NOT_WELL
from controller.verbs import INTERRUPTED, UNREAD
from floor.main import COMMANDS, build, main
from tests.floor.collectors import CONFIGURATION, Floor, collecting
from tests.floor.collectors import said as logged
from tests.witness.logs import Log


def test_version_examples_and_wrong_options(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"table-floor {__version__}\n"
    for command in COMMANDS.values():
        for words, _ in command.examples:
            build().parse_args(shlex.split(words)[1:])
    for wrong in ([], ["init"], ["nothing", "--config", "x"]):
        with pytest.raises(SystemExit) as ended:
            main(wrong)
        assert ended.value.code == 2


@pytest.mark.needs("postgresql")
def test_init_makes_what_is_not_there_and_keeps_what_is(
    tmp_path: Path, empty_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = Floor(tmp_path, empty_database)
    first = capsys.readouterr().out
    assert "database: made its schema" in first
    for name in ("mirror", "witness"):
        key = tmp_path / f"{name}.key"
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert f"{name}: made {key}" in first
    assert floor.run("init") == 0
    again = capsys.readouterr().out
    assert "made" not in again
    assert "schema" not in again
    assert again in first, "the lines for tables are the same"
    vkeys = [line.split('"')[1] for line in again.splitlines() if line.startswith("vkey")]
    assert [WitnessKey.of_vkey(vkey) for vkey in vkeys] == [floor.mirror, floor.witness]
    with psycopg.connect(empty_database) as connection:
        assert connection.execute("select count(*) from floor.watermarks").fetchone() == (0,)


@pytest.mark.needs("postgresql")
def test_init_names_a_file_with_a_fault_when_all_else_is_done(
    tmp_path: Path, empty_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = Floor(tmp_path, empty_database)
    floor.knows(Log(tmp_path / "key"), "P1")
    (floor.tables / "P2.vkey").write_text("nonsense\n", encoding="ascii")
    capsys.readouterr()
    assert floor.run("init") == 2
    said = capsys.readouterr()
    assert "[floor]" in said.out
    assert f"{floor.tables}: P2.vkey: 'nonsense' is no verifier key of a table" in said.err
    with collecting(floor):
        pass  # it starts with the table that is well
    assert f"{floor.tables}/P2.vkey: 'nonsense' is no verifier key" in logged(floor)


@pytest.mark.needs("postgresql")
def test_nobody_reads_what_it_prints(tmp_path: Path, database: str) -> None:
    floor = Floor(tmp_path, database)
    program = [sys.executable, "-m", "floor.main", "init", "--config", str(floor.configuration)]
    read, write = os.pipe()
    os.close(read)
    try:
        ended = subprocess.run(program, stdout=write, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(write)
    assert (ended.returncode, ended.stderr) == (UNREAD, b"")


@pytest.mark.needs("postgresql")
def test_a_full_disk_is_said(tmp_path: Path, database: str) -> None:
    floor = Floor(tmp_path, database)
    program = [sys.executable, "-m", "floor.main", "init", "--config", str(floor.configuration)]
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, check=False)
    said = b"table-floor: standard output: it cannot be used: No space left on device\n"
    assert (ended.returncode, ended.stderr) == (NOT_WELL, said)


@pytest.mark.needs("postgresql")
def test_ctrl_c_ends_it_without_a_word(
    tmp_path: Path, database: str, mocker: MockerFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = Floor(tmp_path, database)
    capsys.readouterr()
    mocker.patch("floor.main.make_schema", side_effect=KeyboardInterrupt)
    assert floor.run("init") == INTERRUPTED
    assert capsys.readouterr().err == ""


def test_a_key_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "floor.toml"
    text = CONFIGURATION.format(database="dbname=nothing")
    name = 'name = "floor.example/mirror"\n'
    config.write_text(text.replace(name, f'{name}key = "none/mirror.key"\n'), encoding="utf-8")
    assert main(["init", "--config", str(config)]) == 2
    said = capsys.readouterr().err
    assert f"the key {tmp_path}/none/mirror.key cannot be made" in said
    assert "[state]" not in said


@pytest.mark.needs("postgresql")
def test_what_a_collector_cannot_begin_with(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = Floor(tmp_path, database)
    capsys.readouterr()

    def ends(status: int, words: str) -> None:
        assert floor.run("collector") == status
        assert words in capsys.readouterr().err

    key = tmp_path / "mirror.key"
    text = key.read_text(encoding="ascii")
    key.unlink()
    ends(2, "mirror.key is not there: 'table-floor init' makes it")
    key.write_text(text, encoding="ascii")
    key.chmod(0o644)
    ends(2, "has mode 0644, expected 0600")
    key.chmod(0o600)
    key.write_text("rubbish\n", encoding="ascii")
    ends(2, "without one take it away, have 'table-floor init' make another")
    key.write_text(text, encoding="ascii")
    (tmp_path / "tables" / "P1.vkey").write_text("nonsense\n", encoding="ascii")
    ends(2, "P1.vkey")
    (tmp_path / "tables" / "P1.vkey").unlink()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        config = CONFIGURATION.format(database=database).replace(":0", f":{port}")
        floor.configuration.write_text(config, encoding="utf-8")
        ends(1, f"cannot listen at 127.0.0.1 port {port}")
    floor.configuration.write_text(
        CONFIGURATION.format(database=f"host={tmp_path} dbname=nothing"), encoding="utf-8"
    )
    ends(1, "the floor's database: it does not answer")
    config = CONFIGURATION.format(database=f"{database} dbname=nothing")
    floor.configuration.write_text(config, encoding="utf-8")
    ends(1, "the floor's database: there is no such database")
    config = CONFIGURATION.format(database=f"{database} user=nobody")
    floor.configuration.write_text(config, encoding="utf-8")
    ends(1, "the floor's database: it does not let this user in")
