"""The demo as a technician runs it: ``tablectl demo``; and that it puts everything away."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.files.rules import load_rules
from hil_tests.bench.processes import ROOT
from hil_tests.bench.setup import DOCUMENTS, MBS, RWS
from hil_tests.demo import __main__ as program
from hil_tests.demo import standing

WAIT_S = 60.0


def _tablectl(*words: object, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "controller.cli.main", *map(str, words)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **variables},
        check=False,
    )


def _start(folder: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "controller.cli.main", "demo", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    )


@pytest.mark.parametrize("rules", DOCUMENTS)
def test_all_is_as_it_must_be(rules: str, tmp_path: Path) -> None:
    """Where the button is, in a round of them all, and where there is none."""
    button = rules in (MBS, RWS)
    rounds = 6 if button else 3
    with _start(tmp_path, "--rules", rules, "--rounds", str(rounds), "--json") as demo:
        out, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 0, err
    told = json.loads(out)
    assert (told["well"], told["rules"], len(told["rounds"])) == (True, rules, rounds)
    assert (told["draws"] >= 1, told["kills"]) == (button, 1 + button)
    assert list(tmp_path.iterdir()) == []


def test_a_person_reads_what_was_paid_and_by_which_clause(tmp_path: Path) -> None:
    with _start(tmp_path) as demo:
        out, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 0, err
    assert ": well" in out
    sample = (ROOT / "README.md").read_text("utf-8").partition("```text\n")[2].partition("```\n")[0]
    heading, _, _ = sample.partition("\n")
    told = heading + out.partition(heading)[2].partition("\n\n")[0] + "\n"
    assert told == _as_drawn(sample, re.findall(r"^  METER +(\d+)x$", told, re.MULTILINE))


def _as_drawn(sample: str, drawn: list[str]) -> str:
    """README's round as it is with this multiplier. The draw is the only chance in it: the cards
    have a seed, and its 5x pay 25.00, of 165.00 in all."""
    multiplier = int(*drawn)
    paid = f"{5 * multiplier}.00"
    for at_5x, now in (
        ("METER    5x", f"METER    {multiplier}x"),
        ("wins 5x on Pandemonium: pay 25.00", f"wins {multiplier}x on Pandemonium: pay {paid}"),
        (f"{'win 5:1':<13}{'25.00':>9}", f"{f'win {multiplier}:1':<13}{paid:>9}"),
        ("net      1a +165.00", f"net      1a +{140 + 5 * multiplier}.00"),
    ):
        assert sample.count(at_5x) == 1
        sample = sample.replace(at_5x, now)
    return sample


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_puts_everything_away(number: int, tmp_path: Path) -> None:
    with _start(tmp_path) as demo:
        assert demo.stdout
        for line in demo.stdout:
            if "Round 2" in line:
                break
        demo.send_signal(number)
        _, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 130, err
    assert "interrupted" in err
    assert list(tmp_path.iterdir()) == []


class Standing:
    """A table that ``demo --stay`` has put up, and the person at it."""

    def __init__(self, demo: subprocess.Popen[str]) -> None:
        assert demo.stdout
        self.told = json.loads(demo.stdout.readline())

    def __call__(self, *words: str, code: int = 0) -> Any:
        done = _tablectl(*words, TABLE_CONTROLLER_SOCKET=self.told["socket"])
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 else done.stderr

    def state(self) -> Any:
        return json.loads(self("status", "--json"))


@contextmanager
def _standing(folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """It ends with SIGTERM, however the test does."""
    with _start(folder, "--stay", *options) as demo:
        try:
            yield demo
        finally:
            demo.send_signal(signal.SIGTERM)
            _, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 0, err
    assert list(folder.iterdir()) == []


def test_it_stays_and_a_person_deals_presses_keys_and_pulls_cables(tmp_path: Path) -> None:
    with _standing(tmp_path, "--json") as demo:
        table = Standing(demo)
        assert table.told.keys() == {"socket", "config", "directory"}
        assert table("config", "check", table.told["config"])
        table("dealer", "open", "wager 1 main 100", "wager 1 pandemonium 5", "close")
        cards = json.loads(table("twin", "draw", "3", "--json"))["cards"]
        shown = table.state()
        assert [*shown["boxes"]["1"]["hands"][0]["cards"].split(), shown["dealer"]["cards"]] in (
            [cards[0], cards[2], cards[1]],
            [cards[0], cards[1], cards[2]],
        )
        table("dealer", "stand 1")
        while table.state()["awaiting"] == "card":
            table("twin", "draw")
        assert "the table expects no card" in table("twin", "draw", code=3)
        assert "nothing came of it" in table("twin", "press")
        rows = table("twin", "key", "E").splitlines()
        assert len(rows) == 2
        assert table.state()["devices"]["keypad"]["last_event"] == 1
        assert "did you mean 'shoe'?" in table("twin", "unplug", "sho", code=2)
        table("twin", "unplug", "shoe")
        assert json.loads(table("twin", "look", "shoe", "--json"))["shoe"]["plugged"] is False
        table("twin", "plug", "shoe")
        table("twin", "switch", "supervisor")
        table("twin", "do", "jackpot", "cover", "open=true")
        assert table("twin", "next", "10S", "??") == "next: 10S ??\n"
        seen = json.loads(table("twin", "look", "shoe", "--json"))["shoe"]
        assert seen["next"][:2] == ["10S", "??"]
        assert "1Z" in table("twin", "next", "1Z", code=3)
        assert "powr" in table("twin", "do", "shoe", "powr", "on=true", code=3)


def _hints(demo: subprocess.Popen[str]) -> list[str]:
    """The lines that it says can be typed."""
    assert demo.stdout
    said = []
    for line in demo.stdout:  # which ends where the demo does
        said += [line.strip()] * line.startswith("    ")
        if "Ctrl-C" in line:
            return said
    return []


@pytest.mark.parametrize("rules", DOCUMENTS)
def test_its_hints_run_as_they_are_printed(rules: str, tmp_path: Path) -> None:
    """Pasted one after the other, into a shell that finds no tablectl and starts elsewhere."""
    with _standing(tmp_path, "--rules", rules) as demo:
        lines = _hints(demo)
        typed = "\n".join(f"{line}\necho status $?" for line in lines if "watch" not in line)
        ran = subprocess.run(
            ["/bin/sh"], input=typed, capture_output=True, text=True, cwd="/", check=False,
            env={"PATH": "/usr/bin:/bin", "HOME": "/"},
        )  # fmt: skip
    statuses = [line for line in ran.stdout.splitlines() if line.startswith("status ")]
    held = ran.stderr.startswith("tablectl: ")  # the last line is for a table that is held
    assert statuses[:-1] == ["status 0"] * (len(lines) - 2), ran.stdout + ran.stderr
    assert statuses[-1] == f"status {3 if held else 0}", ran.stderr
    assert {"9S", "6H", "7D"} <= {*ran.stdout.split()}
    assert any("pandemonium" in line for line in lines) == (rules in (MBS, RWS))


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_its_hints_are_laid_out_for_the_terminal(columns: int, mocker: MockerFixture) -> None:
    mocker.patch("shutil.which", return_value=str(Path(sys.executable).with_name("tablectl")))
    told = standing.hints(Path("/tmp/t/control.sock"), load_rules(MBS, ROOT))
    lines = [*standing.laid_out(told, columns)]
    assert not any("PATH=" in line for line in lines)
    for line, about in told:
        [at] = [n for n, shown in enumerate(lines) if shown.split("  #")[0].strip() == line]
        assert not about or about in lines[at] or about in lines[at - 1]
    assert all(len(line) < columns for line in lines if "  # " in line.lstrip())


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_standing_it_ends_well_however_often_it_is_told(first: int, tmp_path: Path) -> None:
    """A second signal comes before anything was done about the first."""
    with _start(tmp_path, "--stay", "--json") as demo:
        assert demo.stdout
        assert demo.stdout.readline()
        for number in (first, signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            demo.send_signal(number)
        _, err = demo.communicate(timeout=WAIT_S)
    assert (demo.returncode, err) == (0, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("options", "status"), [((), 130), (("--stay",), 0)])
@pytest.mark.parametrize("begun", ["demo", "bench-"])
def test_ended_before_it_stands_it_leaves_nothing(
    options: tuple[str, ...], status: int, begun: str, tmp_path: Path
) -> None:
    """As soon as there is a process to be told, and as soon as it has made its folder."""
    with _start(tmp_path, *options) as demo:
        children = Path(f"/proc/{demo.pid}/task/{demo.pid}/children")
        while not (children.read_text() if begun == "demo" else any(tmp_path.iterdir())):
            assert demo.poll() is None
        demo.send_signal(signal.SIGTERM)
        _, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == status, err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


AS_SOON_AS_IT_LISTENS = """
import signal, sys
from hil_tests.demo import __main__ as demo, standing

listen = standing.listen
standing.listen = lambda: (listen(), signal.raise_signal(signal.SIGTERM))
sys.exit(demo.main())
"""

WHEN_IT_HAS_ENDED = """
import signal, subprocess, sys
from controller.cli import commands, simulated as demo

class Child:
    def __init__(self, *_, **options): pass
    def send_signal(self, number): pass
    def wait(self):
        signal.raise_signal(signal.SIGTERM)
        return 0

subprocess.Popen = Child
options = commands.parse(["demo", *sys.argv[1:]])
status = options.run(options)
for number in demo.HANDED_ON:
    signal.raise_signal(number)
sys.exit(status)
"""


@pytest.mark.parametrize("moment", [AS_SOON_AS_IT_LISTENS, WHEN_IT_HAS_ENDED])
def test_at_no_moment_a_signal_makes_another_end_of_it(moment: str) -> None:
    """As soon as it listens; and another one, when it has just ended because of the first."""
    ran = subprocess.run(
        [sys.executable, "-c", moment, "--stay"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_signal_as_it_begins_to_put_away_does_not_keep_it_from_that(
    mocker: MockerFixture,
) -> None:
    bench = mocker.patch.object(program, "VirtualBench").return_value
    mocker.patch.object(standing, "be_deaf", side_effect=KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt), program._leaving_nothing(mocker.Mock()):
        pass
    bench.close.assert_called_once_with()


def test_twins_are_found_beside_the_socket_alone(tmp_path: Path) -> None:
    ran = _tablectl("twin", "press", "--socket", tmp_path / "c")
    assert ran.returncode == 4
    assert "demo --stay" in ran.stderr


@pytest.mark.parametrize("wrong", [["--rules", "no-such-rules"], ["--rounds", "0"]])
def test_wrong_use(wrong: list[str], tmp_path: Path) -> None:
    with _start(tmp_path, *wrong) as demo:
        _, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 2
    assert wrong[1] in err or wrong[0] in err


def test_a_simulated_device_that_is_gone_or_hangs_is_named(tmp_path: Path) -> None:
    """Its socket is there, and nobody behind it; or somebody who says nothing of use."""
    twins = tmp_path / "twins"
    twins.mkdir()
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(twins / "jackpot"))

    press = partial(_tablectl, "twin", "press", "--socket", tmp_path / "control.sock")
    ran = press()
    assert (ran.returncode, "the simulated jackpot does not answer" in ran.stderr) == (4, True)
    (twins / "jackpot").unlink()
    with socket.socket(socket.AF_UNIX) as odd:
        odd.bind(str(twins / "jackpot"))
        odd.listen()

        def answer() -> None:
            with odd.accept()[0] as connection:
                connection.sendall(b"no json\n")

        answering = threading.Thread(target=answer)
        answering.start()
        ran = press()
        answering.join()
    assert (ran.returncode, "Traceback" in ran.stderr) == (4, False), ran.stderr
