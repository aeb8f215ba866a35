"""The machine's agent and those who ask it, without a machine: both ends run here."""

from __future__ import annotations

import os
import socket
import socketserver
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hil_tests.benches.vm.agent import Request, Server
from hil_tests.benches.vm.guest import MARGIN_S, WITHIN_S, Carrier, Guest, GuestError


@pytest.fixture
def guest() -> Iterator[Guest]:
    with Server(("127.0.0.1", 0), Request) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield Guest(("127.0.0.1", server.server_address[1]))
        server.shutdown()
        thread.join()


def test_a_program_runs_and_what_it_prints_comes_back(guest: Guest) -> None:
    assert guest.run_command("cat", text="words") == "words"
    done = guest.tried("sh", "-c", "echo said; echo wrong >&2; exit 3")
    assert done == {"status": 3, "out": "said\n", "err": "wrong\n"}


def test_a_program_that_fails_is_told_with_what_it_said(guest: Guest) -> None:
    with pytest.raises(GuestError, match=r"ended with 3: .*no such wheel"):
        guest.run_command("sh", "-c", "echo no such wheel; exit 3")


def test_a_request_that_nobody_knows_is_refused(guest: Guest) -> None:
    with pytest.raises(GuestError, match="fly: AttributeError"):
        guest.answer_to("fly")


def test_files_are_put_and_folders_fetched(guest: Guest, tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    (there / "below").mkdir(parents=True)
    guest.write_file(str(there / "below" / "file"), b"\0bytes\xff", mode=0o600)
    guest.fetch(str(there), here)
    copy = here / "below" / "file"
    assert copy.read_bytes() == b"\0bytes\xff"
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_line_is_waited_for_and_its_program_ended(guest: Guest) -> None:
    forever = ["sh", "-c", "echo first; echo second part; exec cat"]
    assert guest.answer_to("follow", command=forever, pattern="sec.*part")["line"] == "second part"


def test_a_line_that_does_not_come_is_told(guest: Guest) -> None:
    with pytest.raises(GuestError, match="'never' does not come"):
        guest.answer_to("follow", command=["echo", "something else"], pattern="never")


def test_a_line_that_is_looked_out_for_comes_by_itself(guest: Guest, tmp_path: Path) -> None:
    log = tmp_path / "log"
    os.mkfifo(log)
    with closing(guest.look_out("^(ERROR|Traceback)", "cat", str(log))) as lookout:
        with log.open("w") as writer:
            writer.write("INFO of an ERROR\n")
            writer.flush()
            assert lookout.line() == ""
            writer.write("ERROR of its own\nTraceback\n")
        assert lookout.line(within_s=10) == "ERROR of its own"
        assert lookout.line(within_s=10) == ""


def test_of_a_machine_that_is_gone_there_is_nothing_to_be_heard(resetting: Guest) -> None:
    with closing(resetting.look_out("ERROR", "cat")) as lookout:
        assert lookout.line(within_s=10) == ""


def test_a_machine_that_is_not_there_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(GuestError, match="not to be reached"):
            Guest(taken.getsockname()).run_command("true")


@pytest.fixture
def resetting() -> Iterator[Guest]:
    """An agent that resets every connection once it has a request."""

    class Reset(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.rfile.readline()
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.request.close()

    with socketserver.TCPServer(("127.0.0.1", 0), Reset) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield Guest(("127.0.0.1", server.server_address[1]))
        server.shutdown()
        thread.join()


def test_a_machine_that_resets_the_connection_is_told(resetting: Guest) -> None:
    with pytest.raises(GuestError, match=r"run: the machine does not answer: .*reset"):
        resetting.run_command("true")
    with pytest.raises(GuestError, match=r"connect /there: the machine does not answer: .*reset"):
        resetting.connect("/there")


def test_an_answer_is_waited_for_longer_than_the_machine_may_take(
    guest: Guest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float] = []
    connect = socket.create_connection

    def connected(address: tuple[str, int], limit_s: float) -> socket.socket:
        limits.append(limit_s)
        return connect(address, limit_s)

    monkeypatch.setattr(socket, "create_connection", connected)
    guest.run_command("true")
    guest.run_command("true", within_s=600)
    guest.write_file(str(tmp_path / "file"), b"")
    assert limits == [WITHIN_S + MARGIN_S, 600 + MARGIN_S, WITHIN_S + MARGIN_S]


# ---- a socket carried here --------------------------------------------------------------------


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Path]:
    """A Unix socket in the machine that says everything back."""
    path = tmp_path / "there.sock"
    program = (
        "import socketserver, sys\n"
        "class Echo(socketserver.StreamRequestHandler):\n"
        "    def handle(self):\n"
        "        for line in self.rfile: self.wfile.write(line)\n"
        "server = socketserver.ThreadingUnixStreamServer(sys.argv[1], Echo)\n"
        "server.daemon_threads = True\n"
        "print(flush=True)\n"
        "server.serve_forever()\n"
    )
    command = ["python3", "-c", program, os.fspath(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield path
        process.kill()


def _connected(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(10)
    connection.connect(str(path))
    return connection


def test_several_speak_to_a_socket_in_the_machine_at_once(
    guest: Guest, echo: Path, tmp_path: Path
) -> None:
    carrier = Carrier(tmp_path / "here.sock", guest, str(echo))
    try:
        with _connected(carrier.path) as one, _connected(carrier.path) as other:
            for connection, words in ((other, b"to the other\n"), (one, b"x" * 200_000 + b"\n")):
                connection.sendall(words)
                with connection.makefile("rb") as incoming:
                    assert incoming.readline() == words
    finally:
        carrier.close()
    assert not carrier.path.exists()


def test_a_socket_that_nobody_listens_at_hangs_up(guest: Guest, tmp_path: Path) -> None:
    carrier = Carrier(tmp_path / "here.sock", guest, str(tmp_path / "nobody"))
    try:
        with _connected(carrier.path) as connection:
            assert connection.recv(1) == b""
    finally:
        carrier.close()


def test_a_machine_that_resets_hangs_up_on_one_and_hears_the_next(
    resetting: Guest, tmp_path: Path
) -> None:
    carrier = Carrier(tmp_path / "here.sock", resetting, "/there")
    try:
        for _ in range(2):
            with _connected(carrier.path) as connection:
                assert connection.recv(1) == b""
    finally:
        carrier.close()


def test_who_is_connected_is_hung_up_on_at_the_end(
    guest: Guest, echo: Path, tmp_path: Path
) -> None:
    carrier = Carrier(tmp_path / "here.sock", guest, str(echo))
    with _connected(carrier.path) as connection, connection.makefile("rb") as incoming:
        connection.sendall(b"there?\n")
        assert incoming.readline() == b"there?\n"
        carrier.close()
        assert incoming.readline() == b""
