"""What happens to a plain machine, step by step: from ``apt install`` to a purge."""

from __future__ import annotations

import json
import threading
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final, Self

from appliance.trial import alone
from appliance.trial.plain import MEDIUM, PlainBase
from hil_tests.bench.setup import MBS, Setup, configuration_text
from hil_tests.benches.vm.controller_machine import SERIALS
from hil_tests.benches.vm.machine_bench import VmBench
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import deal_to_the_button, finish_round

Step = Callable[[str], AbstractContextManager[None]]

SLOW_S: Final = 600.0
UNIT: Final = "table-controller.service"
SAID: Final = "/run/apt.said"
EVIDENCE: Final = (
    "/var/lib/table-controller/journal.sqlite3",
    "/etc/credstore.encrypted/table-controller.key",
    "/etc/table-controller/table.toml",
)


class Course(AbstractContextManager["Course"]):
    """A machine that is being tried; ``packages`` are names of files on its medium, by version."""

    def __init__(self, machine: PlainBase, packages: dict[str, list[str]]) -> None:
        self._packages = packages
        self._bench = VmBench(Setup(rules=MBS, spin_ms=1500), cold=True, made_of=machine)
        self._machine = self._bench.machine

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bench.close()

    # ---- what is asked of the machine ---------------------------------------------------------

    def sh(self, script: str, *, status: int | None = 0) -> str:
        """Run a shell's script as root; what it printed, errors too."""
        done = self._machine.guest.tried("sh", "-c", f"exec 2>&1; {script}", within_s=SLOW_S)
        told = str(done["out"]).strip()
        assert status is None or done["status"] == status, f"{script}: {done['status']}: {told}"
        return told

    def apt(self, version: str, *options: str, status: int = 0, wait_s: int = 0) -> str:
        """Install the package of a version, as a person does; what was said."""
        words = " ".join(("DEBIAN_FRONTEND=noninteractive apt-get install --yes", *options))
        files = f"{MEDIUM}/{self._packages[version][0]}"
        return self.sh(
            f"TABLE_CONTROLLER_WAIT={wait_s} {words} {files} </dev/null >{SAID} 2>&1; "
            f"status=$?; cat {SAID}; exit $status",
            status=status,
        )

    def installed(self) -> str:
        """The version of the program that is installed."""
        return self.sh("dpkg-query -W -f '${Version}' table-controller").partition("+")[0]

    def status(self) -> dict[str, Any]:
        """Of the table."""
        told: dict[str, Any] = json.loads(self.sh("tablectl --json status"))
        return told

    # ---- the course ---------------------------------------------------------------------------

    def run_all(self, step: Step) -> None:
        """All of it."""
        machine = self._machine
        machine.folder.joinpath("configured").touch()  # nobody writes a configuration for it
        with step("boot of the plain machine"):
            machine.power_on(cold=True)
        for name in self._bench.setup.devices:
            self._bench.add_device(name)
        print("          " + self.booted())
        self.take_over(step)
        self.fresh(step)
        self.commission(step)
        dealer = Dealer(self._bench)
        with step("a round with a draw, over USB serial and USB"):
            self.round(dealer)
        print("          " + self.sh(f"systemd-analyze security {UNIT} | tail -n 1"))
        self.boot_again(step)
        self.exchange(step, dealer)
        alone.night(self, step)
        alone.exporter(self, step)
        alone.closed(self, step)
        self.remove(step)

    def booted(self) -> str:
        """How long the machine's boot took, by its own account."""
        return self.sh("systemctl is-system-running --wait; systemd-analyze time", status=None)

    def take_over(self, step: Step) -> None:
        """What an installation by hand leaves is put aside."""
        aside = "/var/backups/table-controller.by-hand"
        with step("an installation by hand is taken over"):
            self.sh(
                "mkdir -p /etc/sysusers.d /opt/table-controller; "
                f"echo '[Service]' > /etc/systemd/system/{UNIT}; "
                "echo '# by hand' > /etc/sysusers.d/table-controller.conf; "
                "echo '# names by hand' > /etc/udev/rules.d/99-table-controller.rules; "
                "ln -s /opt/table-controller/.venv/bin/tablectl /usr/local/bin/tablectl"
            )
            said = self.apt("0.3.0")
            unit = f"/etc/systemd/system/{UNIT}"
            assert f"yours is {aside}{unit}" in said, said
            self.sh(f"test -f {aside}{unit} && test ! -e {unit}")
            self.sh("test -f /etc/udev/rules.d/99-table-controller.rules")
            self.sh("test ! -e /usr/local/bin/tablectl")
            self.sh("TABLE_CONTROLLER_PURGE=evidence dpkg --purge table-controller")
            self.sh("rm /etc/udev/rules.d/99-table-controller.rules; rm -rf /opt/table-controller")

    def fresh(self, step: Step) -> None:
        """A first installation: nothing is asked, nothing runs."""
        with step("apt install"):
            said = self.apt("0.3.0")
        assert "Need to get 0 B" in said, said
        assert "nothing runs yet" in said, said
        self.sh(f"systemctl is-active {UNIT}", status=3)
        self.sh(f"systemctl start {UNIT}; systemctl is-active {UNIT}", status=3)
        self.sh("id table-controller; id table-witness")
        self.sh("getent group table-dealers table-supervisors table-viewers")
        self.sh(f"test -f {EVIDENCE[1]} && test ! -e {EVIDENCE[2]}")
        self.sh("test -f /etc/table-controller/table.example.toml")

    def commission(self, step: Step, more: Mapping[str, str] = alone.KEYS) -> None:
        """``tablectl setup``, with every answer given, and ``more`` keys of the configuration."""
        told = tomllib.loads(configuration_text(self._bench.setup))
        keys = {f"table.{key}": value for key, value in told["table"].items()}
        weights = ", ".join(
            f"{key} = {value}" for key, value in told["multiplier"]["weights"].items()
        )
        keys |= {
            **more,
            "multiplier.weights": f"{{ {weights} }}",
            "multiplier.spin_ms": "1500",
        }
        sets = " ".join(f"--set '{key}={value}'" for key, value in keys.items())
        with step("tablectl setup, with all four devices"):
            said = self.sh(
                f"tablectl setup --yes --start --page /root/page.txt {sets}", status=None
            )
        print("\n".join(f"          | {line}" for line in said.splitlines()))
        for name in SERIALS:
            self.sh(f"test -e /dev/table/{name}")
        with step("all links up"):
            Dealer(self._bench).wait_for_devices()
        again = self.sh("tablectl setup --yes", status=None)
        assert "written" not in again.lower() or "nothing" in again.lower(), again

    def round(self, dealer: Dealer) -> None:
        """One round with a press and a draw."""
        deal_to_the_button(dealer)
        dealer.press_button()
        dealer.read_meter()
        finish_round(dealer)
        self.clear()

    def clear(self) -> None:
        """The round is cleared, where it is not."""
        if self.status()["state"] != "idle":
            self.sh("tablectl dealer next")

    def boot_again(self, step: Step) -> None:
        """A boot with the controller, against the one without."""
        self.sh("systemctl stop table-controller; sync")
        self._bench.hang_up()
        with step("boot to the table ready"):
            self._bench.power_cut()
            self._machine.power_on(cold=True)
            self._bench.plug_in_again()
            self.sh(f"until systemctl is-active {UNIT}; do sleep 1; done")
        print("          " + self.booted())
        print("          " + self.sh(f"systemd-analyze critical-chain {UNIT} | tail -n 4"))
        self.sh("tablectl supervisor resume --by trial --why 'power cut' || true")

    def exchange(self, step: Step, dealer: Dealer) -> None:
        """Upgrades in mid-round and between rounds; a downgrade."""
        dealer.wait_for_devices()
        entries = self.entries()
        deal_to_the_button(dealer)
        with step("upgrade in mid-round: refused, nothing changed"):
            said = self.apt("0.3.1", status=100, wait_s=2)
        assert "a round is in progress" in said, said
        assert self.installed() == "0.3.0"
        assert self.status()["state"] == "jackpot.armed", self.status()["state"]
        with step("upgrade in mid-round that waits: the round ends, then it is done"):
            said = self.waits_for(dealer)
        assert "waiting up to" in said, said
        assert self.installed() == "0.3.1"
        self.sh(f"systemctl is-active {UNIT}")
        assert self.entries() > entries
        held = self.status()["held"]
        assert held, "not held"
        assert held["fault"] == "program-changed", held
        self.sh("tablectl supervisor resume --by trial --why 'approved 0.3.1'")
        with step("a downgrade that reads the journal: done between rounds"):
            self.apt("0.3.0", "--allow-downgrades")
        assert self.installed() == "0.3.0"
        self.sh("tablectl supervisor resume --by trial --why 'back to 0.3.0'")
        dealer.wait_for_devices()
        with step("a round behind the exchanges"):
            self.round(dealer)
        self.sh("tablectl journal verify")

    def waits_for(self, dealer: Dealer) -> str:
        """What the upgrade says that was begun in mid-round, and ends with the round."""
        said: list[str] = []

        def upgrade() -> None:
            said.append(self.apt("0.3.1", wait_s=240))

        self.sh(f"rm {SAID}")
        other = threading.Thread(target=upgrade)
        other.start()
        try:
            self.sh(f"until grep -qs 'waiting up to' {SAID}; do sleep 0.2; done")
            dealer.press_button()
            dealer.read_meter()
            finish_round(dealer)
        finally:
            self._bench.hang_up()
            other.join()
        return said[0] if said else ""

    def entries(self) -> int:
        """In the journal."""
        return int(json.loads(self.sh("tablectl --json journal stats"))["entries"])

    def remove(self, step: Step) -> None:
        """A purge leaves evidence, unless told."""
        self._bench.hang_up()
        with step("purge: evidence stays"):
            said = self.sh("dpkg --purge table-controller")
        assert "stay" in said, said
        self.present(EVIDENCE, wanted=True)
        self.sh(f"test ! -e /usr/lib/table-controller && ! systemctl is-active {UNIT}")
        with step("installed again over the evidence: the table goes on"):
            self.apt("0.3.0")
            self.sh(f"systemctl start {UNIT}")
        self.sh("tablectl journal verify")
        self.sh(f"systemctl stop {UNIT}")
        with step("purge of the evidence as well, as told"):
            self.sh("TABLE_CONTROLLER_PURGE=evidence dpkg --purge table-controller")
        self.present(EVIDENCE, wanted=False)

    def present(self, paths: Iterable[str], *, wanted: bool) -> None:
        """Whether each is there, or none."""
        for path in paths:
            self.sh(f"test -e {path}", status=0 if wanted else 1)
