"""The exporter as a process: file, socket and port, wrong options, and its end."""

from __future__ import annotations

import http.client
import os
import select
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from exporter.options import read_options
from exporter.serving import PLACES
from hil_tests.bench.logged_program import LISTENS, LoggedProgram
from tests.control.support import controller
from tests.exporter.support import told
from tests.figures.edges.support import changes

PATIENCE_S = 20.0


@contextmanager
def running(*options: object, until: str = LISTENS) -> Iterator[LoggedProgram]:
    """An exporter that has said where it answers, or that it has written its first file."""
    with tempfile.TemporaryDirectory() as folder:
        program = LoggedProgram(("exporter.main", *map(str, options)), Path(folder) / "log")
        program.start()
        try:
            program.until_said(until)
            yield program
            assert program.stop() == 0
        finally:
            program.kill()


def ended(*options: object) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "exporter.main", *map(str, options)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    return done.returncode, done.stderr


class OnSocket(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("local", timeout=PATIENCE_S)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE_S)
        self.sock.connect(os.fspath(self._path))


def asked(connection: http.client.HTTPConnection, method: str = "GET") -> tuple[int, str]:
    try:
        connection.request(method, "/metrics")
        with connection.getresponse() as answer:
            return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_file_socket_and_port_tell_the_same_and_are_gone_in_the_end(tmp_path: Path) -> None:
    file, path, control = tmp_path / "t.prom", tmp_path / "http.sock", tmp_path / "s"
    options = ("--textfile", file, "--unix", path, "--listen", "127.0.0.1:0", "--socket", control)
    with controller(control, {"round": 7}):
        with running(*options, "--nightly", tmp_path / "none", until="writes") as exporter:
            assert stat.S_IMODE(file.stat().st_mode) == 0o644
            status, on_socket = asked(OnSocket(path))
            assert status == 200
            port = int(exporter.log_end.split("127.0.0.1:")[1].split()[0])
            status, on_port = asked(http.client.HTTPConnection("127.0.0.1", port))
            assert status == 200
            for text in (file.read_text("utf-8"), on_socket, on_port):
                now = told(text)
                assert (now["up"], now["round_number"]) == (1, 7)
                assert now["exporter_process_resident_memory_bytes"] < 64 << 20
            assert asked(OnSocket(path), "POST")[0] == 405
        assert sorted(one.name for one in tmp_path.iterdir()) == ["s", "s.lock"]


def test_the_file_is_exchanged_whole(tmp_path: Path) -> None:
    """Whoever has opened one reads that one to its end."""
    file = tmp_path / "t.prom"
    options = ("--textfile", file, "--every", "1", "--socket", tmp_path / "none")
    with running(*options, until="writes"), file.open("rb") as first:
        inode = os.fstat(first.fileno()).st_ino
        watch = changes(tmp_path)
        try:
            while file.stat().st_ino == inode:
                assert select.select([watch], [], [], PATIENCE_S)[0]
                os.read(watch, 4096)
        finally:
            os.close(watch)
        assert told(first.read().decode())["up"] == 0
        assert told(file.read_text("utf-8"))["up"] == 0


def test_a_socket_that_one_left_behind_who_was_killed_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "http.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(os.fspath(path))
    options = ("--unix", path, "--socket", tmp_path / "none", "--nightly", tmp_path / "none")
    with running(*options):
        assert told(asked(OnSocket(path))[1])["up"] == 0
        code, said = ended(*options)
        assert code == 2
        assert "somebody serves there already" in said
        assert told(asked(OnSocket(path))[1])["up"] == 0


def test_who_takes_all_places_is_hung_up_on(tmp_path: Path) -> None:
    path = tmp_path / "http.sock"
    with running("--unix", path, "--socket", tmp_path / "none"):
        idle = [socket.socket(socket.AF_UNIX) for _ in range(PLACES + 1)]
        try:
            for one in idle:
                one.settimeout(PATIENCE_S)
                one.connect(os.fspath(path))
            assert idle[-1].recv(1) == b""
        finally:
            for one in idle:
                one.close()
        while True:  # the others' ends may not be seen yet
            try:
                assert told(asked(OnSocket(path))[1])["up"] == 0
            except (ConnectionError, http.client.BadStatusLine):
                continue
            break


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "nowhere to tell it: give --textfile FILE, --unix PATH or --listen ADDRESS:PORT"),
        (["--textfile", "/tmp/health.txt"], "files that end in .prom"),
        (["--textfile", "x.prom", "--every", "0"], "'0': expected 1 to 240 seconds"),
        (["--listen", "9877"], "expected an address of this machine and a port"),
        (["--listen", "localhost:9877"], "expected an address of this machine and a port"),
        (["--listen", "127.0.0.1:99999"], "expected an address of this machine and a port"),
    ],
)
def test_wrong_options_are_told(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        read_options(options)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--textfile", "/none/x.prom"], "cannot write /none/x.prom: there is no /none"),
        (["--unix", "/none/x.sock"], "cannot answer at /none/x.sock: there is no /none"),
        (["--unix", "/" + "x" * 200], "AF_UNIX path too long"),
        (["--unix", "/etc/passwd"], "something else than a socket stands there"),
    ],
)
def test_wrong_options_end_it_with_a_sentence(options: list[str], said: str) -> None:
    status, told = ended(*options)
    assert (status, "Traceback" in told) == (2, False)
    assert said in told


def test_a_port_that_is_taken_may_be_free_later() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, said = ended("--listen", f"127.0.0.1:{taken.getsockname()[1]}")
    assert (code, "Address already in use" in said) == (1, True)
