"""What the virtual machine is made of: made once and whole, named after what it is made of.
Whatever goes wrong at its start, no process is left, and what it has complained of is known in the
end."""

from __future__ import annotations

import gzip
import lzma
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hil_tests.benches.vm import machine, machine_bench
from hil_tests.benches.vm.base import USED
from hil_tests.benches.vm.controller_machine import Tpm
from hil_tests.benches.vm.image import unwrapped
from hil_tests.benches.vm.machine import Machine, Parts
from hil_tests.benches.vm.machine_bench import VmBench
from hil_tests.benches.vm.places import ROOT, CannotBuild, digest, ensure_folder, run


class PoweredMachine(SimpleNamespace):
    """A machine as a bench knows it; ``log`` is that since its last start."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder=folder, powered=True, failed=False, log="INFO well\n")

    def logged(self) -> str:
        return str(self.log)

    def complaint(self) -> str:
        return next((line for line in self.log.splitlines() if line.startswith("ERROR")), "")

    def wait_for_cut(self, _: float) -> bool:
        return bool(self.failed)

    def power_cut(self, _: str) -> None:
        self.powered, self.log = False, ""

    def close(self) -> None:
        """Nothing is left anyway."""


@pytest.fixture
def opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[VmBench, PoweredMachine]]:
    """A bench and its machine."""
    machine = PoweredMachine(tmp_path)
    monkeypatch.setattr(machine_bench, "base", lambda: None)
    monkeypatch.setattr(machine_bench, "ControllerMachine", lambda *_: machine)
    made = VmBench()
    yield made, machine
    made.close()


def test_a_machine_that_is_well_has_no_complaints(opened: tuple[VmBench, PoweredMachine]) -> None:
    made, _ = opened
    assert made.complaints() == ""
    made.power_cut()
    assert made.complaints() == ""


def test_what_came_before_a_cut_is_complained_of_after_it(
    opened: tuple[VmBench, PoweredMachine],
) -> None:
    made, machine = opened
    machine.log += "ERROR before the cut\nINFO more\n"
    made.power_cut()
    before = "['ERROR before the cut']\nINFO well\nERROR before the cut\nINFO more"
    assert made.complaints() == before
    log = "INFO well\nTraceback (most recent call last):\n  its stack\n"
    machine.powered, machine.log = True, log
    assert made.complaints() == f"{before}\n['Traceback (most recent call last):']\n{log.strip()}"


def test_a_complaint_behind_which_the_power_failed_is_told_alone(
    opened: tuple[VmBench, PoweredMachine],
) -> None:
    made, machine = opened
    machine.log += "ERROR before the cut\nINFO more\n"
    machine.failed = True
    made.power_cut()
    told = "ERROR before the cut (its power failed: no lines behind it)"
    assert made.complaints() == told


CMD_GET_CAPABILITY = bytes([0, 0, 0, 1])
ANSWER_BYTES = 8


@pytest.mark.needs("swtpm", "setpriv")
@pytest.mark.parametrize("hung_up", [False, True])
def test_a_chip_answers_until_its_power_is_cut(hung_up: bool, tmp_path: Path) -> None:
    """QEMU may have ended before, and the chip with it."""
    chip = Tpm(tmp_path / "chip")
    try:
        with socket.socket(socket.AF_UNIX) as machine:
            machine.settimeout(20)
            machine.connect(str(chip.path))
            machine.sendall(CMD_GET_CAPABILITY)
            assert len(machine.recv(ANSWER_BYTES)) == ANSWER_BYTES
            if not hung_up:
                chip.close()
                assert machine.recv(1) == b""
    finally:
        chip.close()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started: each a program that stays, in QEMU's place."""
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        processes.append(popen(*arguments, **options))
        return processes[-1]

    monkeypatch.setattr(machine, "_command", lambda *_: ["sleep", "600"])
    monkeypatch.setattr(subprocess, "Popen", start)
    return processes


@pytest.mark.parametrize("error", [TimeoutError("it does not wake"), KeyboardInterrupt()])
def test_a_machine_that_does_not_wake_is_killed(
    error: BaseException,
    started: list[subprocess.Popen[bytes]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def does_not_wake(*_: object) -> None:
        raise error

    monkeypatch.setattr(Machine, "_connect", does_not_wake)
    parts = Parts(*[tmp_path / "part"] * 5)
    with pytest.raises(type(error)):
        Machine(parts, tmp_path)
    [qemu] = started
    assert qemu.returncode == -9


def _bzimage(packed: bytes) -> bytes:
    """Four setup sectors, then 16 bytes of code, the payload and its length."""
    image = bytearray(5 * 512 + 16)
    image[0x1F1] = 4
    image[0x202:0x206] = b"HdrS"
    struct.pack_into("<II", image, 0x248, 16, len(packed) + 4)
    return bytes(image) + packed + b"\0\0\0\1" + b"behind it"


@pytest.mark.parametrize("pack", [lzma.compress, gzip.compress])
def test_a_kernel_is_unwrapped(pack: Callable[[bytes], bytes]) -> None:
    assert unwrapped(_bzimage(pack(b"\x7fELF and so on"))) == b"\x7fELF and so on"


def test_what_is_no_kernel_is_refused() -> None:
    for image, why in (
        (bytes(2048), "'HdrS' at 0x202"),
        (_bzimage(lzma.compress(b"MZ")), "no ELF file"),
        (_bzimage(b"\x02\x21L\x18"), "begins 02214c18"),
    ):
        with pytest.raises(ValueError, match=why):
            unwrapped(image)


def test_the_name_tells_parts_apart() -> None:
    assert digest([b"ab", b"c"]) != digest([b"a", b"bc"])


def test_what_is_there_is_not_made_again_and_old_ones_go(tmp_path: Path) -> None:
    times: list[Path] = []

    def make(folder: Path) -> None:
        times.append(folder)
        (folder / "whole").touch()

    for name in ("thing-1", "thing-1", "thing-2", "thing-3"):
        folder = ensure_folder(tmp_path / name, make, instead="thing-*")
        assert (folder / "whole").exists()
    assert len(times) == 3
    assert sorted(path.name for path in tmp_path.glob("thing-*")) == ["thing-3"]


def test_what_fails_in_the_making_leaves_nothing(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise OSError

    with pytest.raises(OSError):  # noqa: PT011 - ours
        ensure_folder(tmp_path / "thing-1", fail, instead="thing-*")
    assert [path.name for path in tmp_path.iterdir()] == [".lock-thing"]


def test_a_tool_that_fails_is_told_with_its_last_words() -> None:
    assert run("echo", "well", what="a word") == "well\n"
    with pytest.raises(CannotBuild, match=r"a disk: sh ended with 4:\nno room"):
        run("sh", "-c", "echo no room >&2; exit 4", what="a disk")
    with pytest.raises(CannotBuild, match=r"a disk: no-such-tool is not installed; see docs"):
        run("no-such-tool", what="a disk")


def test_all_that_the_source_disk_takes_is_in_the_project() -> None:
    assert [name for name in USED if not (ROOT / name).exists()] == []
