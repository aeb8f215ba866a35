"""``make test`` chooses where the tests work, and says so where that is not the usual place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

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
