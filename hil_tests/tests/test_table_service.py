"""A service without systemd: it is started once, ended for certain, and how it ended is noted."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hil_tests.bench.configuration import configuration_text
from hil_tests.bench.setup import Setup
from simulators.hands import ROOT


class Service:
    """Its verbs, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "table.toml"
        self.config.write_text(configuration_text(Setup(), ()), encoding="utf-8")

    def do(self, verb: str, *arguments: Path) -> str:
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
        self.do("start", self.config)
        return int((self.folder / "pid").read_text(encoding="ascii"))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    service = Service(tmp_path)
    yield service
    service.do("kill")


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
        service.do(verb)
        assert not runs(process)
        assert int(service.do("exit-status")) == status


def test_what_does_not_run_needs_no_end(service: Service) -> None:
    service.do("stop")
    assert not (service.folder / "pid").exists()
