"""The box of a real bench: what the rig may do to it, and what it must be told before it does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hil_tests.bench import Setup
from hil_tests.rig.description import BadBench, BenchFile
from hil_tests.rig.opening import open_bench
from hil_tests.table.box import Box, BoxFailed
from hil_tests.table.console import Console
from hil_tests.table.power import power


@contextmanager
def _box(folder: Path, **told: str) -> Iterator[Box]:
    box = Box({"driver": "remote", "state": str(folder / "state"), **told})
    try:
        yield box
    finally:
        box.close()


def test_a_state_directory_that_may_be_a_real_tables_is_refused(tmp_path: Path) -> None:
    """Whether it holds anything or not: what is empty today may be a real table's next month."""
    state = tmp_path / "state"
    state.mkdir()
    with _box(tmp_path, state=f"{state}/") as box:
        for _ in range(2):
            with pytest.raises(BadBench, match=f"run there, as root: touch {state}.bench$"):
                box.empty_state()
        (state / "journal.sqlite3").write_bytes(b"a year of play")
        with pytest.raises(BadBench, match="may be a real table's journal"):
            box.empty_state()
        assert (state / "journal.sqlite3").read_bytes() == b"a year of play"
        (tmp_path / "state.bench").touch()
        box.empty_state()
        assert not list(state.iterdir())
        assert (tmp_path / "state.bench").exists()


def test_a_state_directory_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    made = f"install -d -o table-controller -m 700 {tmp_path}/state"
    with _box(tmp_path) as box:
        with pytest.raises(BadBench, match=f"{made} && touch {tmp_path}/state.bench$"):
            box.empty_state()
        (tmp_path / "state.bench").touch()
        with pytest.raises(BadBench, match=f"{made}$"):
            box.empty_state()


@pytest.mark.parametrize("state", [{}, {"state": ""}, {"state": "state"}, {"state": 7}])
def test_the_state_directory_must_be_named(state: dict[str, object]) -> None:
    with pytest.raises(BadBench, match="the bench's own state directory on the box"):
        Box({"driver": "remote", **state})


def test_the_service_of_what_may_be_a_real_table_is_let_run(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    stop = ["touch", str(tmp_path / "stopped")]
    told = {"driver": "remote", "state": str(tmp_path / "state"), "stop": stop}
    file = BenchFile("ours", "ours", told, {})
    with pytest.raises(BadBench, match="may be a real table's"), open_bench(file, Setup()):
        pass
    assert not (tmp_path / "stopped").exists()


def test_a_box_that_cannot_be_asked_is_no_bench_without_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text("#!/bin/sh\necho no route to host >&2\nexit 255\n", encoding="ascii")
    ssh.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with _box(tmp_path, host="bench-1") as box, pytest.raises(BoxFailed, match="no route to host"):
        box.empty_state()


def test_the_configuration_that_was_there_is_put_back(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("the house's", encoding="utf-8")
    with _box(tmp_path, config=str(config)) as box:
        for told in ("one", "another"):
            box.install(told)
            assert config.read_text(encoding="utf-8") == told
        box.put_back()
        assert config.read_text(encoding="utf-8") == "the house's"


def test_power_by_commands(tmp_path: Path) -> None:
    off, on = tmp_path / "off", tmp_path / "on"
    power({"off": ["touch", str(off)], "on": ["mv", str(off), str(on)]}, Console()).cycle()
    assert on.exists()
    with pytest.raises(BadBench, match="labgrid = PLACE"):
        power({"hub": "1-1"}, Console())
