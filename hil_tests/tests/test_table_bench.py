"""The bench of real devices, proved without any: twins that were started outside it, and somebody
at the console who does with their hands what he is asked for.

The rig knows neither the twins nor him: a terminal, four ports, a service.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from drivers.vocabulary import KINDS, PLAIN_KINDS
from hil_tests.bench.description import DEVICES
from hil_tests.bench.interface import Bench
from hil_tests.bench.setup import Setup
from hil_tests.benches.table.console import Console, NobodyThere, NotDone
from hil_tests.benches.table.service import BOOT_ID, BOOTS
from hil_tests.people.shoe_hand import ShoeHand
from simulators.hands import ROOT, Hands

LIMIT_S = 240.0
KIND_OF = {PLAIN_KINDS[kind]: kind for kind in KINDS.values()}
STORY = (
    "(test_unplugged_and_put_back and (shoe-deciding or jackpot-armed or keypad-betting))"
    " or (test_the_power_is_cut and not twice and (dealing or spinning) and not device)"
)
CHECKS = (
    "shoe-serial and (lost_with_the_cable or lost_with_the_power or eight_are_in_flight"
    " or used_up_card_by_card) and not planted"
)
CANNOT = (
    *("clock", "freeze", "hands", "kernel", "stall"),
    *("second-meter", "second-unit", "swap-ports", "watchdog"),
)


class Obliging:
    """Somebody who does what the console asks for. ``done`` is what he was asked."""

    def __init__(self, terminal: int, hands: dict[str, Hands], service: list[str]) -> None:
        self._terminal = terminal
        self._hands = hands
        self._person = ShoeHand(cast("Bench", SimpleNamespace(devices=hands)))
        self._service = service
        self._read = b""
        self.done: list[str] = []

    def attend(self, run: subprocess.Popen[str]) -> None:
        """Be there until the run has ended."""
        over = os.pidfd_open(run.pid)
        try:
            while over not in (ready := select.select([over, self._terminal], [], [], LIMIT_S)[0]):
                assert ready, f"the run stands; asked so far: {self.done}"
                self._read += os.read(self._terminal, 4096)
                asked = re.search(rb">>> ([^\n]*): $", self._read)
                if asked:
                    self._read = b""
                    text = asked[1].decode()
                    self.done.append(text)
                    os.write(self._terminal, (self._answer(text) + "\n").encode())
        finally:
            os.close(over)

    def _answer(self, text: str) -> str:
        request = text.split(", then press Enter", maxsplit=1)[0]
        device = next((name for words, name in KIND_OF.items() if words in request), "")
        match request.split():
            case ["Pull", *_]:
                self._hands[device].do("unplug")
            case ["Plug", *_]:
                self._hands[device].do("plug")
            case ["Draw", *_]:
                count = re.search(r"\d+", request)
                for _ in range(int(count[0]) if count else 1):
                    self._person.reach_for_card()
            case ["Switch", *_, "on" | "off" as which, "(its", "power,", "not", "its", "cable)"]:
                self._hands[device].do("power", on=which == "on")
            case ["Press", *_]:
                self._person.press_button()
            case ["Load", *_]:
                front = re.findall(r"\b[2-9TJQKA][CDHS]\b", request)
                self._hands["shoe"].do("load", decks=8)
                self._hands["shoe"].do("stack", cards=" ".join(front).replace("T", "10"))
            case ["Take", *_]:
                folder = Path(self._service[-1])
                subprocess.run([*self._service, "kill"], check=True)
                boots = int((folder / BOOTS).read_text(encoding="ascii")) + 1
                (folder / BOOTS).write_text(str(boots), encoding="ascii")
                start = [*self._service, "start", str(folder / "table.toml")]
                subprocess.run(start, check=True)
            case ["What", "figure", *_]:
                return str(self._hands["jackpot"].look()["shown"])
            case _:
                return "n"
        return ""


def _bench_file(folder: Path, terminal: str, service: list[str], *, stacked: bool) -> Path:
    lacking = CANNOT + (() if stacked else ("stacked",))
    config = folder / "table.toml"
    text = [
        'title = "twins, and somebody at a console"',
        "spin_ms = 1500",
        "[machine]",
        'driver = "remote"',
        f'terminal = "{terminal}"',
        f'config = "{config}"',
        f'state = "{folder / "state"}"',
        f'socket = "{folder / "control.sock"}"',
        f'boot_id = "{folder / BOOT_ID}"',
        f'tablectl = ["{sys.executable}", "-m", "controller.cli.main"]',
        f"start = {[*service, 'start', str(config)]}",
        f"stop = {[*service, 'stop']}",
        f"kill = {[*service, 'kill']}",
        f"exit_status = {[*service, 'exit-status']}",
    ]
    for name in DEVICES:
        text += [
            f"[devices.{name}]",
            'driver = "person"',
            'line = "pty"',
            'serial = "ANY"',
            f'port = "{folder / name}"',
        ]
    text += ["[cannot]", *(f'{name} = "a person cannot"' for name in lacking)]
    path = folder / "bench.toml"
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[dict[str, Hands]]:
    """Four devices on ports of this machine."""
    with ExitStack() as undo:
        yield {
            name: undo.enter_context(Hands.start(name, tmp_path / name, "--seed", "3"))
            for name in Setup().devices
        }


@dataclass(slots=True)
class Attended:
    """A run of pytest at a bench of real ports with a person at its console."""

    status: int
    told: str
    asked: list[str]


def attended(
    folder: Path, twins: dict[str, Hands], service: list[str], *arguments: str, stacked: bool
) -> Attended:
    """Run pytest on that bench, its devices being the twins and the controller's commands those of
    ``service``."""
    ours, theirs = os.openpty()
    try:
        bench = _bench_file(folder, os.ttyname(theirs), service, stacked=stacked)
        person = Obliging(ours, twins, service)
        with (folder / "out").open("w+", encoding="utf-8") as out:
            with subprocess.Popen(
                [
                    *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
                    *("--bench", str(bench), *arguments),
                ],
                stdout=out,
                stderr=out,
                stdin=subprocess.DEVNULL,
                text=True,
                cwd=ROOT,
            ) as run:
                person.attend(run)
            out.seek(0)
            return Attended(run.returncode, out.read(), person.done)
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("stacked", [True, False])
def test_scenarios_with_a_person(stacked: bool, twins: dict[str, Hands], tmp_path: Path) -> None:
    service = [sys.executable, "-m", "hil_tests.benches.table.service", str(tmp_path)]
    (tmp_path / "state").mkdir()
    (tmp_path / "state.bench").touch()
    (tmp_path / BOOTS).write_text("1", encoding="ascii")
    run = attended(tmp_path, twins, service, "hil_tests/scenarios", "-k", STORY, stacked=stacked)
    assert run.status == 0, run.told
    assert f"{5 if stacked else 3} passed" in run.told, run.told
    assert _stopped_well(tmp_path)
    assert ("stacked: a person cannot" in run.told) == (not stacked), run.told
    asked = " ".join(run.asked)
    assert "Pull the data cable of the card shoe" in asked
    assert ("Press the button" in asked) == stacked
    assert ("What figure does the meter show" in asked) == stacked


def test_conformance_with_a_person(twins: dict[str, Hands], tmp_path: Path) -> None:
    """His link is kept alive while he reads what he is to do."""
    chosen = ("hil_tests", "-m", "conformance", "-k", CHECKS)
    run = attended(tmp_path, twins, [], *chosen, stacked=False)
    assert run.status == 0, run.told
    assert "4 passed" in run.told, run.told
    assert "section 4, interruption: 2 of 2 checks hold" in run.told, run.told
    assert any("10 cards" in asked for asked in run.asked), run.asked
    assert any(asked.startswith("Switch the card shoe off") for asked in run.asked)


def _stopped_well(folder: Path) -> bool:
    """The controller was stopped in good order, and what it was configured with is put back."""
    return (folder / "status").read_text(encoding="ascii") == "0"


def test_nobody_at_the_console_ends_it() -> None:
    ours, theirs = os.openpty()
    console = Console(Path(os.ttyname(theirs)), limit_s=0.05)
    try:
        with pytest.raises(NobodyThere, match="nobody has answered"):
            console.please("Draw one card")
    finally:
        console.close()
        os.close(ours)
        os.close(theirs)


def test_what_cannot_be_done_fails_the_scenario() -> None:
    ours, theirs = os.openpty()
    console = Console(Path(os.ttyname(theirs)), limit_s=10)
    pid = os.fork()
    if pid == 0:
        os.read(ours, 1000)
        os.write(ours, b"n\n")
        os._exit(0)
    try:
        with pytest.raises(NotDone, match="cannot be done"):
            console.please("Draw one card")
    finally:
        os.waitpid(pid, 0)
        console.close()
        os.close(ours)
        os.close(theirs)
