"""The controller of a table as a virtual machine, its power, its disk and its service.

- It has power from :meth:`~ControllerMachine.power_on` to :meth:`~ControllerMachine.power_cut`: the
  machine is killed, and what its journal's disk has not flushed is kept or not, block by block, by
  a seed.
- It comes back woken, from the state after the installation, in which nothing of it has run but
  with another boot id (fractions of a second), or by a cold start with all that a boot is (many
  seconds). The journal's disk is checked and mounted by the system as it is started, in both.
- A cold machine may have a TPM2, ``swtpm`` as a process, which QEMU shows it as a chip of its own;
  it is told at each start which one. What the chip remembers lies in a folder: a machine with the
  same folder is the same machine to whatever was bound to its TPM, with another folder it is
  another one, whatever disk it has. The process ends with QEMU, and with the one that started it.
- The rig starts and stops the service with systemctl, as a technician does.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import uuid
from pathlib import Path

from hil_tests.bench.controller_process import COMPLAINTS, DidNotStart
from hil_tests.benches.vm.base import STATE, UNIT, Base, empty_state
from hil_tests.benches.vm.disk import VolatileDisk
from hil_tests.benches.vm.guest import Carrier, Guest, Lookout
from hil_tests.benches.vm.machine import ADAPTERS, PORTS, Machine
from hil_tests.benches.vm.places import FOLDER, CannotBuild, run

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


CONFIG = "/etc/table-controller/table.toml"
SOCKET = "/run/table-controller/control.sock"
START_S = 180.0
SERIALS = {"shoe": "SHOE0001", "shuffler": "SHUF0001", "keypad": "KEYP0001"}
"""Of the adapters, as 99-table-controller.rules has them."""


class ControllerMachine:
    """A machine made of ``base``, without power; ``config`` is its table.toml."""

    def __init__(self, base: Base, config: str) -> None:
        self._base = base
        self._config = config
        self._qemu: Machine | None = None
        self._guest: Guest | None = None
        self._carrier: Carrier | None = None
        self._lookout: Lookout | None = None
        self._tpm: Tpm | None = None
        self.ports = {name: PORTS[name] for name in ADAPTERS}
        FOLDER.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="run-", dir=FOLDER))
        try:
            self.medium = self.folder / "state.img"
            empty_state(self.medium)
            self.disk = VolatileDisk(self.medium, self.folder / "state.sock")
        except BaseException:
            shutil.rmtree(self.folder)
            raise

    @property
    def qemu(self) -> Machine:
        """While it has power."""
        assert self._qemu, "the machine has no power"
        return self._qemu

    @property
    def guest(self) -> Guest:
        """The agent in it, while it has power."""
        assert self._guest, "the machine has no power"
        return self._guest

    @property
    def powered(self) -> bool:
        """Whether it has power."""
        return self._qemu is not None

    @property
    def socket(self) -> Path:
        """The controller's control socket, carried here."""
        return self.folder / "control.sock"

    def power_on(self, *, cold: bool = False, tpm: str | None = None) -> None:
        """It starts; returns when its agent answers. A cold machine then starts the service by
        itself, as enabled; a woken one is told to by :meth:`start`. A cold one has the TPM of the
        name ``tpm``: each name is another chip, that remembers as long as the machine is kept."""
        assert self._qemu is None
        self.disk.serve()
        if tpm is not None:
            assert cold, "a saved machine has no TPM"
            self._tpm = Tpm(self.folder / f"tpm-{tpm}")
        chip = self._tpm.path if self._tpm else None
        parts = self._base.parts(self.folder, self.disk.path, woken=not cold, tpm=chip)
        self._qemu = qemu = Machine(parts, self.folder)
        for name, port in self.ports.items():
            qemu.plug_adapter(name, SERIALS[name], port)
        if cold:
            qemu.wait_until_ready()
        self._guest = Guest(qemu.agent_address())
        if not cold:
            self._guest.awake(uuid.uuid4())
        if not cold or not self.folder.joinpath("configured").exists():
            self._guest.write_file(CONFIG, self._config.encode())
            (self.folder / "configured").touch()
        self._carrier = Carrier(self.socket, self._guest, SOCKET)
        log = ("journalctl", "--follow", "--boot", "--lines=all", "--unit", UNIT, "--output=cat")
        self._lookout = self._guest.look_out(f"^({COMPLAINTS})", *log)

    def power_cut(self, seed: int | str = 0) -> None:
        """Its power fails; ``seed`` decides what of the unflushed the journal's disk has."""
        self._hang_up()
        self.qemu.kill()
        self._qemu = self._guest = None
        self._end_tpm()
        self.disk.cut(seed)

    def cut_power_at(self, request: int) -> None:
        """Its power fails as its journal's disk gets the ``request``-th write or flush from now,
        which is 1 for the next: that one is not done any more. :meth:`power_cut` is still to be
        called, after :meth:`wait_for_cut`."""
        self.disk.before(request, self.qemu.fail)

    def wait_for_cut(self, within_s: float) -> bool:
        """Whether it has lost its power, or does so in time."""
        return self.qemu.ends(within_s)

    def facts(self) -> dict[str, str]:
        """What it is made of."""
        system = self.guest.run_command(
            "sh", "-c", "uname -r; python3 --version; systemctl --version"
        )
        kernel, python, systemd, *_ = system.splitlines()
        return {
            "kernel": kernel,
            "python": python.removeprefix("Python "),
            "systemd": systemd,
            "machine": self.qemu.version(),
        }

    # ---- the service --------------------------------------------------------------------------

    def start(self, within_s: float = START_S) -> None:
        """Start the service; returns when it says that it is ready, also where systemd is about to
        start it already.

        Raises:
            DidNotStart: it ended instead, or did not become ready in time.
        """
        self.guest.tried("systemctl", "reset-failed", UNIT)
        done = self.guest.tried("systemctl", "start", UNIT, within_s=within_s)
        if done["status"]:
            status = int(self.service_property("ExecMainStatus"))
            self.guest.tried("systemctl", "stop", UNIT)
            raise DidNotStart(status, self.last_words())

    def stop(self) -> int:
        """Stop the service in good order; its exit status."""
        self.guest.run_command("systemctl", "stop", UNIT)
        return int(self.service_property("ExecMainStatus"))

    def kill(self) -> None:
        """Kill the daemon, and keep systemd from starting it again."""
        self.guest.run_command("systemctl", "kill", "--signal=KILL", UNIT)
        self.guest.run_command("systemctl", "stop", UNIT)

    def hang(self) -> None:
        """Stop the daemon's process until systemd's watchdog has killed it; returns when the next
        one is ready, that systemd starts by itself.

        Raises:
            GuestError: none of that happens within a minute.
        """
        after = self.cursor()
        self.guest.run_command("systemctl", "kill", "--signal=STOP", UNIT)
        self.wait_for_log("systemd.*: Watchdog timeout", after)
        self.wait_for_log("systemd.*: Started table-controller", after, START_S)

    def service_property(self, name: str) -> str:
        """A property of the service, as systemd shows it."""
        return self.guest.run_command(
            "systemctl", "show", "--value", f"--property={name}", UNIT
        ).strip()

    def logged(self) -> str:
        """All that the service has logged since the machine was started."""
        return self.guest.run_command("journalctl", "--unit", UNIT, "--output=cat", "--no-pager")

    def complaint(self) -> str:
        """The first of :data:`COMPLAINTS` that has been heard of since the machine was started, ""
        for none; nothing is asked of the machine, and it may have lost its power since."""
        return self._lookout.line() if self._lookout else ""

    def last_words(self) -> str:
        """The end of that."""
        return "\n".join(self.logged().splitlines()[-15:])

    def cursor(self) -> str:
        """The place in the system's journal that is its end now."""
        told = self.guest.run_command("journalctl", "--lines=0", "--show-cursor", "--no-pager")
        return told.partition("cursor: ")[2].strip()

    def wait_for_log(self, pattern: str, after: str, within_s: float = 60) -> str:
        """The first line of the system's journal after the cursor in which ``pattern`` is found.

        Raises:
            GuestError: it has not come in time.
        """
        follow = ["journalctl", "--follow", "--lines=all", f"--after-cursor={after}"]
        told = self.guest.answer_to("follow", command=follow, pattern=pattern, within_s=within_s)
        return str(told["line"])

    def fetch_state(self, to: Path) -> None:
        """Copy the journal's directory. Without power, out of what the disk has kept, as a machine
        would find it: the file system is mended first, in a copy."""
        if self.powered:
            self.guest.fetch(STATE, to)
            return
        medium = self.folder / "state-copy.img"
        run("cp", "--sparse=always", self.medium, medium, what="the journal's disk")
        run("sh", "-c", 'e2fsck -fy "$0" || [ $? = 1 ]', medium, what="the journal's file system")
        to.mkdir(exist_ok=True)
        run("debugfs", "-R", f"rdump / {to}", medium, what="the journal's file system")
        medium.unlink()

    # ---- beginning and end --------------------------------------------------------------------

    def close(self) -> None:
        """It is gone, with everything of it."""
        try:
            self._hang_up()
            if self._qemu is not None:
                self._qemu.kill()
                self._qemu = None
            self._end_tpm()
            self.disk.close()
        finally:
            shutil.rmtree(self.folder)

    def _end_tpm(self) -> None:
        if self._tpm is not None:
            self._tpm.close()
            self._tpm = None

    def _hang_up(self) -> None:
        for end in (self._carrier, self._lookout):
            if end is not None:
                end.close()
        self._carrier = self._lookout = None
