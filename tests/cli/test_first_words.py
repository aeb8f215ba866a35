"""What somebody types who does not know the commands yet, or mistypes one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from controller import __version__
from controller.control.handler import BadCommand
from controller.control.protocol import Request
from controller.game.commands.command import read_dealers, read_supervisors
from controller.game.commands.values import Malformed
from controller.game.commands.verbs import DEALERS, SUPERVISORS
from controller.game.round.refusal import Refused
from controller.program import this_program
from controller.verbs import INTERRUPTED
from tests.cli.support import CONFIGURATION, PROGRAM, Tablectl
from tests.control.support import controller
from tests.control.test_peers import STRANGER

EXAMPLE = CONFIGURATION.read_text(encoding="utf-8")


def test_version_is_one_line_and_needs_no_controller(tablectl: Tablectl) -> None:
    told = tablectl("--version")
    assert (told.code, told.out.count("\n")) == (0, 1)
    assert told.out.split()[1] == __version__
    assert this_program().digest.startswith(told.out.split("(")[1].rstrip(")\n"))


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("statu", "'status'"),
        ("journal verfy", "'verify'"),
        ("rules shwo", "'show'"),
        ("simulate --strategy basc", "'basic'"),
    ],
)
def test_the_nearest_name_is_asked_for(tablectl: Tablectl, typed: str, nearest: str) -> None:
    told = tablectl(*typed.split())
    assert told.code == 2
    assert f"did you mean {nearest}?" in told.err


def test_nothing_is_near(tablectl: Tablectl) -> None:
    told = tablectl("xyzzy")
    assert (told.code, "did you mean" in told.err) == (2, False)


@pytest.mark.parametrize(
    ("role", "command", "says"),
    [
        ("dealer", "stnd 1", "did you mean 'stand'?"),
        ("dealer", "wagr 1 main 10", "did you mean 'wager'?"),
        ("dealer", "resume", 'that is the supervisor\'s: tablectl supervisor "resume"'),
        ("supervisor", "resum", "did you mean 'resume'?"),
        ("supervisor", "stand 1", 'that is the dealer\'s: tablectl dealer "stand 1"'),
        ("dealer", "stand 1 2 3", ""),
        ("dealer", "zzz", ""),
    ],
)
def test_a_command_to_the_table_that_is_none(
    tablectl: Tablectl, tmp_path: Path, role: str, command: str, says: str
) -> None:
    path = tmp_path / "control.sock"
    reading = {"dealer": read_dealers, "supervisor": read_supervisors}

    async def reads(request: Request, _: object) -> dict[str, object]:
        try:
            reading[role](request.command)
        except Malformed as error:
            raise BadCommand(str(error)) from error
        return {}

    with controller(path) as inside:
        inside(lambda till: setattr(till, "command", reads))
        told = tablectl(role, command, "--socket", path)
    assert told.code == 2
    assert says in told.err
    assert says or "did you mean" not in told.err


@pytest.mark.parametrize("verb", DEALERS)
def test_the_dealers_words_are_all_known(verb: str) -> None:
    with pytest.raises((Malformed, Refused)) as found:
        read_dealers(f"{verb} and much more of it than there may be")
    assert "unknown command" not in str(found.value)


@pytest.mark.parametrize("verb", SUPERVISORS)
def test_the_supervisors_words_are_all_known(verb: str) -> None:
    behind = {"confirm": "void", "cancel": "void", "clear-set": "1", "card": "9D"}
    behind |= {"service": "on", "pay": "5", "seen": "5"}
    said = ""
    try:
        read_supervisors(f"{verb} {behind.get(verb, '')}")
    except Malformed as error:
        said = str(error)
    assert "expected resume" not in said  # a form of its own is missing, no more


AS_A_STRANGER = """
import os, sys
import controller.configuration.places  # a stranger may not be able to read it
from controller.cli.main import main
main(["status", "--socket", "/nowhere"])
os.setgroups([]), os.setgid(int(sys.argv[1])), os.setuid(int(sys.argv[1]))
sys.exit(main(["status", "--socket", sys.argv[2]]))
"""


@pytest.mark.needs("root")
def test_who_is_not_let_in_is_told_the_groups(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    told = subprocess.run(
        [sys.executable, "-c", AS_A_STRANGER, str(STRANGER), tmp_path / "c.sock"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 3, told.stderr
    assert "table-dealers, table-supervisors" in told.stderr


def test_ctrl_c_ends_a_simulation_with_all_its_processes() -> None:
    command = ["simulate", "--config", str(CONFIGURATION), "--rounds", "5000000", "--jobs", "2"]
    command += ["--by", "rounds"]
    with subprocess.Popen(
        [*PROGRAM, *command],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        process_group=0,
    ) as run:
        assert run.stderr
        while "house edge" not in run.stderr.readline():  # how far it is: its processes work
            assert run.poll() is None
        os.killpg(run.pid, signal.SIGINT)
        # Its end of the pipe is closed by all of them, or this waits for a block of rounds.
        run.stderr.read()
        assert run.wait(timeout=5) == INTERRUPTED  # with the figures of what was played
    # What has ended may still wait to be reaped; it has no command line any more.
    assert [line for line in _command_lines(run.pid) if line] == []


def _command_lines(group: int) -> Iterator[bytes]:
    """Of all processes of a group."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            behind_the_name = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2]
            if int(behind_the_name.split()[2]) == group:
                yield (process / "cmdline").read_bytes()


class TestConfigCheck:
    def test_a_good_one(self, tablectl: Tablectl, tmp_path: Path) -> None:
        told = tablectl("config", "check", CONFIGURATION)
        assert told.code == 0
        assert "a table can be started with it" in told.out
        assert "note: devices.shoe: there is no /dev/table/shoe now" in told.out
        fields = tablectl("config", "check", CONFIGURATION, "--json").json
        assert (fields["ok"], fields["faults"]) == (True, [])
        other = tmp_path / "no-sides.toml"
        other.write_text(
            EXAMPLE.replace("mbs-pontoon-pandemonium-v5", "division-15-pontoon").partition(
                "[multiplier]"
            )[0]
            + "[state]\ndirectory = 'x'\n",
            encoding="utf-8",
        )
        assert "multiplier" not in tablectl("config", "check", other).out

    @pytest.mark.parametrize(
        ("archive", "told"),
        [
            ("", "archive     the journal is never closed, it only grows"),
            ("after_mb = 5", "the journal is closed after 5 MiB, and stays here"),
            (
                "after_days = 9\nafter_mb = 5\nto = 'none'\nkeep_days = 3",
                "closed after 9 days or 5 MiB, taken to {there}/none, and kept here 3 days more",
            ),
            ("after_mb = 5\nto = 'none'", "archive.to: there is no directory {there}/none now"),
            ("after_mb = 5\nto = 'file'", "archive.to: there is no directory {there}/file now"),
            ("after_mb = 5\nto = '.'", "note: archive.to: {there} lies on the journal's own disk"),
            ("after_mb = 5\nto = 'file/x'", "note: archive.to: there is no directory"),
            ("to = '.'", "note: archive.to: nothing is taken there without archive.after_days"),
        ],
    )
    def test_where_closed_journals_go(
        self, tablectl: Tablectl, tmp_path: Path, archive: str, told: str
    ) -> None:
        (tmp_path / "file").touch()
        other = tmp_path / "table.toml"
        without = EXAMPLE.partition("[archive]")[0].replace("/var/lib/table-controller", "s")
        other.write_text(f"{without}[archive]\n{archive}\n", encoding="utf-8")
        out = tablectl("config", "check", other).out
        assert told.format(there=tmp_path) in out
        assert ("lies on" in out) == ("'.'" in archive)

    def test_a_bad_one_is_told_as_the_daemon_tells_it(
        self, tablectl: Tablectl, tmp_path: Path
    ) -> None:
        bad = tmp_path / "bad.toml"
        bad.write_text(EXAMPLE.replace("decks = 8", "decks = 80"), encoding="utf-8")
        told = tablectl("config", "check", bad)
        assert told.code == 2
        assert f"{bad}: table.decks = 80" in told.err
        fields = tablectl("config", "check", bad, "--json").json
        assert (fields["ok"], len(fields["faults"])) == (False, 1)
        assert fields["faults"][0] in told.err
        missing = tablectl("config", "check", tmp_path / "none.toml")
        assert (missing.code, "cannot be read" in missing.err) == (2, True)
