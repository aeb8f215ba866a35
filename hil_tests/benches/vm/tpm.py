"""The TPM2 of a machine: ``swtpm`` as a process, which QEMU shows the machine as a chip of its own.

What the chip remembers lies in a folder: a machine with the same folder is the same machine to
whatever was bound to its TPM, with another folder it is another one, whatever disk it has. The
process ends with QEMU, and with the one that started it.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path

from hil_tests.benches.vm.places import CannotBuild

END_S = 10.0


class Tpm:
    """A chip that remembers in ``folder``, from when it is made until :meth:`close`.

    Raises:
        CannotBuild: swtpm is not installed.
    """

    def __init__(self, folder: Path) -> None:
        if shutil.which("swtpm") is None:
            raise CannotBuild("swtpm is not installed; see docs/bench-vm.md")
        folder.mkdir(exist_ok=True)
        self.path = folder / "control.sock"
        self.path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.path))
            listener.listen(1)
            command = [
                *("setpriv", "--pdeathsig", "KILL", "swtpm", "socket", "--tpm2", "--terminate"),
                *("--tpmstate", f"dir={folder}", "--log", f"file={folder}/log"),
                *("--ctrl", f"type=unixio,fd={listener.fileno()}"),
            ]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[listener.fileno()],
                process_group=0,
            )

    def close(self) -> None:
        """It has no power any more; QEMU has ended before."""
        self._process.terminate()
        self._process.wait(END_S)
