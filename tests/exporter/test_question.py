"""A question that may take for ever: nobody waits longer than he may."""

from __future__ import annotations

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from pytest_mock import MockerFixture

from exporter.collector import Question
from tests.exporter.support import Clock


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
