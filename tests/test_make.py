"""``make setup`` ties what it makes to the folder; ``make test`` chooses where the tests work."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PYTHON = """\
#!/bin/sh
# As Python does with venv and pip: the programs in a venv name the folder that it was made in.
case "$*" in
*"venv --clear"*)
    echo cleared >>"$CALLS"
    rm -rf .venv && mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
*--editable*)
    echo installed >>"$CALLS"
    [ -e .venv/bin/tablectl ] || printf '#!/bin/sh\\ncat "%s/code"\\n' "$PWD" >.venv/bin/tablectl
    chmod 755 .venv/bin/tablectl ;;
esac
"""
"""Stands in for Python, which would take a minute and the network."""


class Checkout:
    """A checkout of which no more is there than ``make setup`` needs; ``code`` is what it runs."""

    def __init__(self, folder: Path, code: str) -> None:
        self.folder = folder
        (folder / "code").write_text(code)

    def setup(self) -> tuple[list[str], str]:
        """What was done with the venv, and what was said."""
        calls = self.folder.parent / "calls"
        calls.write_text("")
        done = subprocess.run(
            ["make", "--silent", "-C", self.folder, "setup", f"PYTHON={self.folder}/python"],
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": "/usr/bin:/bin", "CALLS": str(calls)},
        )
        assert done.returncode == 0, done.stderr
        return calls.read_text().split(), done.stdout

    def runs(self) -> str:
        """The code that its ``tablectl`` runs."""
        command = [self.folder / ".venv" / "bin" / "tablectl"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout


@pytest.fixture
def first(tmp_path: Path) -> Checkout:
    folder = tmp_path / "first"
    folder.mkdir()
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / "python").write_text(PYTHON)
    (folder / "python").chmod(0o755)
    made = Checkout(folder, "first")
    assert made.setup()[0] == ["cleared", "installed"]
    return made


def test_up_to_date_it_costs_nothing(first: Checkout) -> None:
    assert first.setup() == ([], "")
    assert first.runs() == "first"


def test_a_newer_lock_is_installed_into_the_same_venv(first: Checkout) -> None:
    stamp = (first.folder / ".venv" / ".setup-stamp").stat().st_mtime
    os.utime(first.folder / "requirements.lock", (stamp, stamp + 1))  # a file's clock is coarse
    assert first.setup()[0] == ["installed"]


def test_a_copy_runs_its_own_code(first: Checkout, tmp_path: Path) -> None:
    shutil.copytree(first.folder, tmp_path / "copy", symlinks=True)  # with the times of all files
    copy = Checkout(tmp_path / "copy", "copy")
    assert copy.runs() == "first", "what is to be mended is not there"
    calls, said = copy.setup()
    assert calls == ["cleared", "installed"]
    assert f"was made for {first.folder}; it is made anew for {copy.folder}" in said
    assert (copy.runs(), first.runs()) == ("copy", "first")
    assert copy.setup() == first.setup() == ([], "")


def test_a_checkout_that_was_moved_works(first: Checkout, tmp_path: Path) -> None:
    first.folder.rename(tmp_path / "moved")
    moved = Checkout(tmp_path / "moved", "moved")
    assert moved.runs() == "", "what is to be mended is not there"
    assert moved.setup()[0] == ["cleared", "installed"]
    assert moved.runs() == "moved"


def test_a_venv_of_before_stamps_had_a_folder_is_made_anew(first: Checkout) -> None:
    (first.folder / ".venv" / ".setup-stamp").write_text("")
    calls, said = first.setup()
    assert calls == ["cleared", "installed"]
    assert "was made for an earlier release" in said


def test_by_a_link_it_is_the_same_folder(first: Checkout, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(first.folder)
    assert Checkout(tmp_path / "link", "first").setup() == ([], "")


DF = "#!/bin/sh\necho Avail\necho {room}\n"
MKTEMP = """\
#!/bin/sh
case "$*" in *" {refused} "*) exit 1 ;; esac
echo "$*" >>{asked}
exec /usr/bin/mktemp "$@"
"""


def make_test(
    folder: Path, room: int, refused: str
) -> tuple[subprocess.CompletedProcess[str], str]:
    """Have pytest say its version; and what mktemp was asked."""
    asked = folder / "asked"
    for name, text in (
        ("df", DF.format(room=room)),
        ("mktemp", MKTEMP.format(refused=refused, asked=asked)),
    ):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    done = subprocess.run(
        ["make", "--silent", "-o", "setup", "test", "ARGS=--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "TMPDIR": str(folder)},
    )
    return done, asked.read_text() if asked.exists() else ""


@pytest.mark.parametrize(
    ("room", "refused", "where", "said"),
    [
        (5 << 20, "-", "-d -p /dev/shm tXXX\n", False),
        (5 << 20, "-p", "-d -t tXXX\n", True),  # large, but not for everybody
        (1 << 20, "-", "-d -t tXXX\n", False),
    ],
)
def test_memory_where_there_is_room_in_it(
    tmp_path: Path, room: int, refused: str, where: str, said: bool
) -> None:
    done, asked = make_test(tmp_path, room, refused)
    assert done.returncode == 0, done.stderr
    assert asked == where
    assert ("/dev/shm may not be written" in done.stderr) is said


def test_where_there_is_no_place_nothing_is_run(tmp_path: Path) -> None:
    done, asked = make_test(tmp_path, 1 << 20, "-t")
    assert (done.returncode, asked) == (2, "")
    assert "pytest" not in done.stdout


def test_in_the_background_programs_can_be_interrupted_all_the_same(tmp_path: Path) -> None:
    """A shell has a job in the background ignore both signals, and what it starts inherits that."""
    (tmp_path / "test_it.py").write_text(
        "import re, subprocess\n"
        "def test_it():\n"
        "    told = subprocess.check_output(['cat', '/proc/self/status'], text=True)\n"
        "    assert int(re.search('SigIgn:(.*)', told)[1], 16) & 0b110 == 0\n"
    )

    def ignored() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGQUIT, signal.SIG_IGN)

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", tmp_path / "test_it.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=ignored,
    )
    assert done.returncode == 0, done.stdout
