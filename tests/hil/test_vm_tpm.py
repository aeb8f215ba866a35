"""The TPM of a virtual machine: it is there when it is made, and is gone with its power."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from hil_tests.benches.vm.controller_machine import Tpm

pytestmark = pytest.mark.needs("swtpm", "setpriv")

CMD_GET_CAPABILITY = bytes([0, 0, 0, 1])
ANSWER_BYTES = 8


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
