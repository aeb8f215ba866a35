"""Who has a port open beside its controller: real processes on a real line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from controller.causes.port_holders import beside_the_controller
from drivers.carriers.serial_port import close_port, open_port
from simulators.hands import Hands
from tests.drivers.test_probe import HOLDS, reading


def test_another_reader_is_named_and_the_device_is_not(tmp_path: Path) -> None:
    port = str(tmp_path / "shoe")
    with Hands.start("shoe", tmp_path / "shoe"):
        assert beside_the_controller([port, str(tmp_path / "none")]) == {}
        cat = reading(tmp_path / "shoe")
        try:
            [found] = beside_the_controller([port])[port]
        finally:
            cat.kill()
            cat.wait()
        assert (found.pid, found.program) == (cat.pid, "cat")
        assert beside_the_controller([port]) == {}


def test_who_has_locked_it_is_its_controller(tmp_path: Path) -> None:
    port = str(tmp_path / "shoe")
    with Hands.start("shoe", tmp_path / "shoe"):
        ours = open_port(port, 115200)
        assert beside_the_controller([port]) == {}, "this process asks"
        close_port(ours)
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDS, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        assert beside_the_controller([port]) == {}
        holder.communicate()
