"""The server of the metrics: clients that are never done asking, a machine without threads, and a
question that may take for ever."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import socket
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from pytest_mock import MockerFixture

from exporter import serving
from exporter.collector import Question
from tests.exporter.support import Clock
from tests.exporter.test_process import OnSocket, asked


def test_a_hundred_who_look_ask_once() -> None:
    asked = itertools.count(1)
    question = Question(lambda: next(asked), 20.0, 5.0, Clock())
    with ThreadPoolExecutor(10) as many:
        assert set(many.map(lambda _: question.fresh_answer(), range(100))) == {1}


def test_an_answer_is_told_as_long_as_it_is_fresh() -> None:
    clock, asked = Clock(), iter(range(10))
    question = Question(lambda: next(asked), 20.0, 5.0, clock)
    seen = []
    for _ in range(4):
        seen.append(question.fresh_answer())
        clock.now += 2.5
    assert seen == [0, 0, 1, 1]


def test_nobody_waits_for_what_hangs_and_no_other_question_is_asked() -> None:
    go, clock, asked = threading.Event(), Clock(), []

    def ask() -> str:
        asked.append(1)
        go.wait(20)
        return "late"

    question = Question(ask, 0.01, 5.0, clock)
    assert [question.fresh_answer() for _ in range(5)] == [None] * 5
    clock.now += 100
    assert question.fresh_answer() is None
    assert (len(asked), question.late) == (1, 1)
    go.set()
    question.wait_for_end(20)
    assert (question.fresh_answer(), len(asked)) == ("late", 1)


def test_a_question_that_fails_has_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    asked: list[int] = []

    def ask() -> str:
        asked.append(1)
        raise RuntimeError("unforeseen")

    question = Question(ask, 20.0, 5.0, Clock())
    assert [question.fresh_answer(), question.fresh_answer()] == [None, None]
    assert len(asked) == 1
    assert "unforeseen" in caplog.text


def test_where_no_thread_is_to_be_had_it_is_asked_the_next_time(mocker: MockerFixture) -> None:
    question = Question(lambda: "here", 20.0, 5.0, Clock())
    start = mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
    assert [question.fresh_answer(), question.fresh_answer()] == [None, None]
    mocker.stop(start)
    assert question.fresh_answer() == "here"


PATIENCE_S = 20.0


def test_who_sends_a_letter_now_and_then_loses_his_place(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    mocker.patch.object(serving, "SERVED_S", 0.3)
    path = tmp_path / "metrics.sock"
    served = serving.on_socket(path, CollectorRegistry())
    try:
        with contextlib.ExitStack() as stack:
            slow = [stack.enter_context(_connected(path)) for _ in range(serving.OF_ONE_USER)]
            assert all(_hung_up_while_asking(one) for one in slow)
        mocker.stopall()  # who asks in good order may be slow on a busy machine
        assert asked(OnSocket(path))[0] == 200
    finally:
        served.close()


def test_a_client_for_whom_there_was_no_thread_takes_no_place(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    path = tmp_path / "metrics.sock"
    served = serving.on_socket(path, CollectorRegistry())
    start = mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
    for _ in range(serving.PLACES):
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            asked(OnSocket(path))
    mocker.stop(start)
    assert asked(OnSocket(path))[0] == 200
    served.close()


def test_a_client_whose_time_nobody_could_watch_is_hung_up_on(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    path = tmp_path / "metrics.sock"
    served = serving.on_socket(path, CollectorRegistry())
    start = mocker.patch("threading.Timer.start", side_effect=RuntimeError("no new thread"))
    for _ in range(serving.PLACES):
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            asked(OnSocket(path))
    mocker.stop(start)
    assert asked(OnSocket(path))[0] == 200
    served.close()


def test_where_no_thread_serves_it_says_so(tmp_path: Path, mocker: MockerFixture) -> None:
    mocker.patch("threading.Thread.start", side_effect=RuntimeError("no new thread"))
    with pytest.raises(serving.CannotServe, match="no thread can be started") as caught:
        serving.on_socket(tmp_path / "metrics.sock", CollectorRegistry())
    assert caught.value.later


@pytest.mark.needs("root")
def test_one_user_who_takes_all_that_he_gets_leaves_others_theirs() -> None:
    """Found in review: 24 connections of one user shut out every monitor."""
    with tempfile.TemporaryDirectory(prefix="metrics-") as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "metrics.sock"
        served = serving.on_socket(path, CollectorRegistry())
        try:
            with contextlib.ExitStack() as stack:
                for _ in range(serving.OF_ONE_USER):
                    stack.enter_context(_connected(path))
                while _is_served(path):  # the last of them has yet to be let in
                    pass
                for _ in range(24):
                    stack.enter_context(_connected(path))
                assert _as_another_user(path).startswith(b"HTTP/1.0 200")
        finally:
            served.close()


def test_users_on_tcp_are_addresses_and_networks() -> None:
    assert serving.user_of("2001:db8::1") == serving.user_of("2001:db8::ffff:1")
    assert serving.user_of("2001:db8::1") != serving.user_of("2001:db8:0:1::1")
    assert serving.user_of("fe80::1%eth0") == "fe80::/64"
    assert serving.user_of("192.0.2.1") != serving.user_of("192.0.2.2")


def _is_served(path: Path) -> bool:
    try:
        return asked(OnSocket(path))[0] == 200
    except (http.client.HTTPException, ConnectionError):
        return False


def _as_another_user(path: Path) -> bytes:
    """What nobody's client is answered, who asks while this user holds his places."""
    ask = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.settimeout(20);"
        "s.connect(sys.argv[1]); s.sendall(b'GET /metrics HTTP/1.0\\r\\n\\r\\n');"
        "sys.stdout.buffer.write(s.recv(12))"
    )
    done = subprocess.run(
        ["/usr/bin/python3", "-c", ask, path], user=65534, group=65534, capture_output=True,
        check=True,
    )  # fmt: skip
    return done.stdout


def _connected(path: Path) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(PATIENCE_S)
    made.connect(str(path))
    return made


def _hung_up_while_asking(client: socket.socket) -> bool:
    """Whether a client who sends a letter now and then, is hung up on."""
    client.settimeout(0.1)
    for _ in range(40):
        try:
            client.sendall(b"G")
            if client.recv(1) == b"":
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False
