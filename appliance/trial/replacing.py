"""``python -m appliance.trial.replacing [RELEASE]`` (``make box-drill``): a dead box replaced.

A box is commissioned on a plain machine and dies in the middle of a round, its power cut. A spare,
on which the package was installed and nothing else, takes its place with the steps of
docs/replacing-a-box.md, typed as the card has them, and the round goes on to the next. The virtual
disk that both have is the stick with the journal's copy. The card's table of figures is written.

A program plays the person. What it costs a person is an estimate: for what is typed the
keystroke-level model (Card, Moran and Newell), for what is done by hand a guess, and both are said
to be that. What the machine takes is measured there, and divided by how much longer the same
arithmetic takes there than here, for the machine is emulated.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from appliance.releases import RELEASES
from appliance.trial.course import UNIT, Course
from appliance.trial.packages import VERSION, packages
from appliance.trial.plain import PlainBase, plain
from hil_tests.benches.vm.places import CannotBuild, run
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import deal_to_the_button, finish_round
from pages.generated import DOCS, between

CARD: Final = DOCS / "replacing-a-box.md"
STICK: Final = "/media/copy"
SAFE: Final = "/media/safe"
PAGE: Final = f"{SAFE}/P12-key.txt"

KEY_S: Final = 0.28
"""A key, of somebody who types on average."""
THINK_S: Final = 1.35
"""Before each command."""

PREPARE: Final = (
    f"mkdir -p {STICK} {SAFE}",
    f"echo 'LABEL=copy {STICK} ext4 noatime,nofail 0 2' >> /etc/fstab",
    "install -d -m 700 -o table-controller -g table-controller /var/lib/table-controller",
    "mkdir -p /etc/systemd/system/table-controller.service.d",
    (
        f"printf '[Service]\\nReadWritePaths=-{STICK}\\n' > "
        "/etc/systemd/system/table-controller.service.d/copy.conf"
    ),
)
"""What a spare has besides the package, and every box with a copy has."""
EMPTY: Final = (
    f"mount {STICK}; install -d -m 700 -o table-controller -g table-controller "
    f"{STICK}/table-controller"
)
"""Once, on the stick of the table's box: the daemon may make nothing in the stick's root."""
KEEP: Final = (
    f"mkdir -p {STICK}/box; cp /etc/table-controller/{{table.toml,journal.vkey}} {STICK}/box/"
)
"""After commissioning, and after every change of the configuration."""
WORK: Final = """\
import time
begun = time.perf_counter()
sum(number * number % 7 for number in range(3_000_000))
print(time.perf_counter() - begun)
"""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the card: what is done, the command that is typed ("": none), seconds by hand."""

    what: str
    command: str = ""
    by_hand_s: float = 0.0

    @property
    def person_s(self) -> float:
        """An estimate."""
        typed = THINK_S + KEY_S * (len(self.command) + 1) if self.command else 0.0
        return self.by_hand_s + typed


STICK_OF_THE_SAFE: Final = ("lsblk", f"mount /dev/sdb1 {SAFE}", f"umount {SAFE}")
"""Typed as well, around the key; what the stick is called is seen there, so that no drill types
it."""

OFF: Final = Step("Take the old box's power away, and mark it: it must never start again", "", 30)
PLUGS: Final = Step("Plugs over to the spare, adapters with them; stick in; power on", "", 90)
BOOTED: Final = Step("The spare boots; log in as root", "", 10)
FILES: Final = Step("The old box's configuration", f"cp {STICK}/box/* /etc/table-controller/")
KEY: Final = Step(
    "The stick from the safe in; its key",
    f"tablectl journal key --install --from {PAGE}",
    10 + sum(Step("", typed).person_s for typed in STICK_OF_THE_SAFE),
)
JOURNAL: Final = Step(
    "The journal, from its copy",
    f"tablectl journal recover --state /var/lib/table-controller --from {STICK}/table-controller",
)
SETUP: Final = Step("Devices found and tested, started", "tablectl setup --yes --start")
LOOK: Final = Step("What it says", "tablectl status", 20)
RESUME: Final = Step(
    "Compare cards, wagers and payments with the screen; the supervisor goes on",
    'tablectl supervisor resume --by NAME --why "box replaced, table compared"',
    60,
)
STEPS: Final = (OFF, PLUGS, BOOTED, FILES, KEY, JOURNAL, SETUP, LOOK, RESUME)
"""Of the card, in their order."""


class Replacing(Course):
    """The old box, then the spare, on one virtual machine with two systems."""

    def __init__(self, machine: PlainBase, made: dict[str, list[str]]) -> None:
        super().__init__(machine, made)
        self.took: list[tuple[Step, float]] = []
        self._page = b""

    def drill(self) -> tuple[float, float]:
        """All of it; how many times longer arithmetic takes there than here, and seconds from the
        end of the last step to open bets, measured there."""
        machine, bench = self._machine, self._bench
        machine.folder.joinpath("configured").touch()
        self._print_timed("boot of the plain machine")
        machine.power_on(cold=True)
        for name in bench.setup.devices:
            bench.add_device(name)
        self._print_timed("the package, and what a spare has besides")
        self.apt(VERSION)
        self.sh("e2label /dev/disk/by-id/virtio-state copy")
        self.sh("; ".join(PREPARE))
        self.sh("sync")
        shutil.copy(machine.folder / "system.qcow2", machine.folder / "spare.qcow2")
        dealer = self._old_box()
        self._dies()
        return self._spare(dealer)

    def _old_box(self) -> Dealer:
        self._print_timed("the old box is commissioned, and plays")
        self.sh(EMPTY)
        on = f"{STICK}/table-controller"
        self.commission(self._step, {"state.copy": on, "state.heads": f"{on}/heads.jsonl"})
        self._page = self.sh("cat /root/page.txt").encode() + b"\n"
        self.sh(f"bash -c '{KEEP}'")
        dealer = Dealer(self._bench)
        self.round(dealer)
        deal_to_the_button(dealer)
        entries = self.entries()
        while self.status()["upkeep"]["copy"]["last"] < entries:
            pass
        self.sh("sync")
        return dealer

    def _dies(self) -> None:
        self._print_timed("its power is cut in mid-round")
        self._bench.power_cut()
        self.took.append((OFF, 0.0))
        folder = self._machine.folder
        (folder / "spare.qcow2").replace(folder / "system.qcow2")

    def _spare(self, dealer: Dealer) -> tuple[float, float]:
        self.took.append((PLUGS, 0.0))
        with self._timed(BOOTED):
            self._machine.power_on(cold=True)
        self._bench.plug_in_again()
        times = self._times_slower()
        self._machine.guest.write_file(PAGE, self._page, 0o600)
        for step in (FILES, KEY, JOURNAL, SETUP, LOOK):
            status = None if step in (SETUP, LOOK) else 0  # they say what is left to do
            with self._timed(step):
                told = self.sh(step.command, status=status)
            print(told, flush=True)
        self.sh(f"systemctl is-active {UNIT}")
        held = self.status()["held"]
        assert held, "not held"
        assert "recovered from a copy" in held["reason"], held
        with self._timed(RESUME):
            while self.status()["held"]:
                print(self.sh(RESUME.command), flush=True)
        begun = time.monotonic()
        dealer.wait_for_devices()
        dealer.press_button()
        dealer.read_meter()
        finish_round(dealer)
        self.clear()
        dealer.open_bets()
        ended = time.monotonic() - begun
        self.sh("tablectl journal verify")
        return times, ended

    def _times_slower(self) -> float:
        there = float(self._machine.guest.run_command("python3", "-c", WORK, within_s=300))
        return there / float(run(sys.executable, "-c", WORK, what="the same work here"))

    @contextmanager
    def _timed(self, step: Step) -> Iterator[None]:
        begun = time.monotonic()
        yield
        self.took.append((step, time.monotonic() - begun))
        self._print_timed(f"{self.took[-1][1]:7.1f} s  {step.what}")

    @contextmanager
    def _step(self, what: str) -> Iterator[None]:
        self._print_timed(what)
        yield

    def _print_timed(self, what: str) -> None:
        print(f"{time.strftime('%H:%M:%S')}  {what}", flush=True)


def table(took: list[tuple[Step, float]], times: float, ended_s: float) -> list[str]:
    """The card's table of figures."""
    lines = [
        f"| | step | person, estimated | machine, emulated | at real speed (by {times:.0f}) |",
        "| --- | --- | --- | --- | --- |",
    ]
    for number, (step, machine_s) in enumerate(took, 1):
        there = f"{machine_s:.0f} s | {machine_s / times:.1f} s" if machine_s else "|"
        lines.append(f"| {number} | {step.what} | {step.person_s:.0f} s | {there} |")
    person = sum(step.person_s for step, _ in took)
    machine = sum(machine_s for _, machine_s in took)
    lines.append(
        f"| | **together** | {_minutes(person)} | {_minutes(machine)} | {machine / times:.0f} s |"
    )
    told = (
        f"Together {_minutes(person + machine / times)}, or {_minutes(person + machine)} with the"
    )
    rest = f"The round that stood was then played on by the program, and {ended_s:.0f} s later"
    return [
        *lines,
        "",
        f"{told} emulated machine's own times. {rest} (emulated) bets were open for the next one.",
    ]


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02} min"


def main(names: list[str]) -> int:
    """The drill; 1 where a step was not as it must be."""
    release = RELEASES[names[0] if names else next(iter(RELEASES))]
    try:
        made = packages(release, versions=(VERSION,))
        machine = plain(release, made[VERSION])
        with Replacing(machine, {VERSION: [path.name for path in made[VERSION]]}) as one:
            times, ended_s = one.drill()
            lines = table(one.took, times, ended_s)
    except (AssertionError, CannotBuild) as error:
        print(f"drill: not as it must be: {error}", file=sys.stderr)
        return 1
    CARD.write_text(between(CARD.read_text("utf-8"), "drill", lines), "utf-8")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
