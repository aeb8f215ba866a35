"""The machine of a real bench and its service: what the rig may do, and what it is told before."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import pytest

from hil_tests.bench.description import BadBench, BenchFile
from hil_tests.bench.setup import Setup, configuration_text
from hil_tests.benches.table.bench import TableBench
from hil_tests.benches.table.console import Console
from hil_tests.benches.table.controller_machine import ControllerMachine, MachineFailed
from hil_tests.benches.table.power import power
from hil_tests.rig.opening import open_bench
from simulators.hands import ROOT


@contextmanager
def _machine(folder: Path, **told: str) -> Iterator[ControllerMachine]:
    machine = ControllerMachine({"driver": "remote", "state": str(folder / "state"), **told})
    try:
        yield machine
    finally:
        machine.close()


def test_a_state_directory_that_may_be_a_real_tables_is_refused(tmp_path: Path) -> None:
    """Whether it holds anything or not: what is empty today may be a real table's next month."""
    state = tmp_path / "state"
    state.mkdir()
    with _machine(tmp_path, state=f"{state}/") as machine:
        for _ in range(2):
            with pytest.raises(BadBench, match=f"run there, as root: touch {state}.bench$"):
                machine.empty_state()
        (state / "journal.sqlite3").write_bytes(b"a year of play")
        with pytest.raises(BadBench, match="may be a real table's journal"):
            machine.empty_state()
        assert (state / "journal.sqlite3").read_bytes() == b"a year of play"
        (tmp_path / "state.bench").touch()
        machine.empty_state()
        assert not list(state.iterdir())
        assert (tmp_path / "state.bench").exists()


def test_a_state_directory_that_is_not_there_is_told_of(tmp_path: Path) -> None:
    made = f"install -d -o table-controller -m 700 {tmp_path}/state"
    with _machine(tmp_path) as machine:
        with pytest.raises(BadBench, match=f"{made} && touch {tmp_path}/state.bench$"):
            machine.empty_state()
        (tmp_path / "state.bench").touch()
        with pytest.raises(BadBench, match=f"{made}$"):
            machine.empty_state()


@pytest.mark.parametrize("state", [{}, {"state": ""}, {"state": "state"}, {"state": 7}])
def test_the_state_directory_must_be_named(state: dict[str, object]) -> None:
    with pytest.raises(BadBench, match="the bench's own state directory there"):
        ControllerMachine({"driver": "remote", **state})


def test_the_service_of_what_may_be_a_real_table_is_let_run(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    told = {
        "driver": "remote",
        "config": str(tmp_path / "table.toml"),
        "state": str(tmp_path / "state"),
        "stop": ["touch", str(tmp_path / "stopped")],
    }
    file = BenchFile("ours", "ours", told, {})
    with pytest.raises(BadBench, match="may be a real table's"), open_bench(file, Setup()):
        pass
    assert not (tmp_path / "stopped").exists()


def test_a_machine_that_cannot_be_asked_is_no_bench_without_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text("#!/bin/sh\necho no route to host >&2\nexit 255\n", encoding="ascii")
    ssh.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with (
        _machine(tmp_path, host="bench-1") as machine,
        pytest.raises(MachineFailed, match="no route to host"),
    ):
        machine.empty_state()


def test_the_configuration_that_was_there_is_put_back(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("the house's", encoding="utf-8")
    with _machine(tmp_path, config=str(config)) as machine:
        for told in ("one", "another"):
            machine.install(told)
            assert config.read_text(encoding="utf-8") == told
        machine.put_back()
        assert config.read_text(encoding="utf-8") == "the house's"


@pytest.mark.parametrize(("said", "off_s"), [({}, 5.0), ({"off_s": 0}, 0), ({"off_s": 12.5}, 12.5)])
def test_power_by_commands(said: dict[str, float], off_s: float, tmp_path: Path) -> None:
    """A supply's capacitors have to be empty before the power is back, or nothing was cut."""
    off, on = tmp_path / "off", tmp_path / "on"
    waited: list[tuple[float, bool, bool]] = []
    power(
        {"off": ["touch", str(off)], "on": ["mv", str(off), str(on)], **said},
        Console(),
        lambda seconds: waited.append((seconds, off.exists(), on.exists())),
    )()
    assert waited == [(off_s, True, False)]
    assert on.exists()


@pytest.mark.parametrize(
    "told",
    [
        "somebody",
        {"hub": "1-1"},
        {"labgrid": "place", "off_s": -1},
        {"labgrid": "place", "off_s": "5"},
        {"labgrid": "place", "off_s": True},
        {"off_s": 5},
    ],
)
def test_a_power_that_is_none_is_told_with_those_that_are(told: str | dict[str, object]) -> None:
    with pytest.raises(BadBench, match="labgrid = PLACE"):
        power(told, Console())


@pytest.mark.parametrize("boot", ["cut", "not cut"])
def test_a_machine_that_did_not_lose_its_power_is_told_of(boot: str, tmp_path: Path) -> None:
    """Its controller answers in either case; only another boot tells that the power was away."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state.bench").touch()
    (tmp_path / "boot").write_text("not cut\n", encoding="ascii")
    told = {
        "driver": "remote",
        "config": str(tmp_path / "table.toml"),
        "state": str(tmp_path / "state"),
        "stop": ["true"],
        "socket": str(tmp_path / "control.sock"),
        "boot_id": str(tmp_path / "boot"),
        "power": {
            "off": ["sh", "-c", 'echo "$0" > "$1"', boot, str(tmp_path / "boot")],
            "on": ["true"],
            "off_s": 0,
        },
    }
    with closing(socket.socket(socket.AF_UNIX)) as controller:
        controller.bind(str(tmp_path / "control.sock"))
        controller.listen()
        kept = pytest.raises(
            MachineFailed, match="the machine did not lose its power: this machine is"
        )
        with (
            closing(TableBench(BenchFile("ours", "ours", told, {}), Setup())) as bench,
            nullcontext() if boot == "cut" else kept,
        ):
            bench.reboot()


class Service:
    """Its verbs, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "table.toml"
        self.config.write_text(configuration_text(Setup(), ()), encoding="utf-8")

    def run_verb(self, verb: str, *arguments: Path) -> str:
        words = (
            "-m",
            "hil_tests.benches.table.service",
            str(self.folder),
            verb,
            *map(str, arguments),
        )
        command = [sys.executable, *words]
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        return done.stdout

    def start(self) -> int:
        """The process that runs then."""
        self.run_verb("start", self.config)
        return int((self.folder / "pid").read_text(encoding="ascii"))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path)
    yield service
    service.run_verb("kill")


def runs(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


def test_it_is_started_once(service: Service) -> None:
    process = service.start()
    assert service.start() == process
    assert runs(process)


@pytest.mark.parametrize(
    ("verb", "status"), [("stop", 0), ("kill", -signal.SIGKILL)], ids=["stop", "kill"]
)
def test_its_end_is_noted_when_the_verb_returns(service: Service, verb: str, status: int) -> None:
    for _ in range(3):
        process = service.start()
        service.run_verb(verb)
        assert not runs(process)
        assert int(service.run_verb("exit-status")) == status


def test_what_does_not_run_needs_no_end(service: Service) -> None:
    service.run_verb("stop")
    assert not (service.folder / "pid").exists()
