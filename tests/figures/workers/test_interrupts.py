"""Ctrl-C at any moment: what is counted is counted wholly, and whoever makes the parts ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator

import pytest

from figures.workers.interrupts import until_interrupted


def ctrl_c(_: object = None) -> None:
    signal.raise_signal(signal.SIGINT)


def nothing(_: object = None) -> None:
    pass


@pytest.mark.parametrize(("play", "take"), [(ctrl_c, nothing), (nothing, ctrl_c)])
def test_a_second_ctrl_c_does_not_break_off_the_end_of_the_workers(
    play: Callable[[int], None], take: Callable[[int], None]
) -> None:
    ended = False

    def parts() -> Generator[int, None, None]:
        nonlocal ended
        try:
            for number in range(3):
                play(number)
                yield number
        finally:
            ctrl_c()
            ended = True

    before = signal.getsignal(signal.SIGINT)
    assert until_interrupted(parts(), take)
    assert ended
    assert signal.getsignal(signal.SIGINT) is before


def test_a_part_is_counted_wholly_though_ctrl_c_comes_amid_it() -> None:
    counted: list[int] = []

    def take(part: int) -> None:
        counted.append(part)
        ctrl_c()
        counted.append(part)

    assert until_interrupted((part for part in range(3)), take)
    assert counted == [0, 0]


def test_ctrl_c_stays_ignored_where_it_was() -> None:
    counted: list[int] = []
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:

        def take(part: int) -> None:
            ctrl_c()
            counted.append(part)

        assert not until_interrupted((part for part in range(3)), take)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert counted == [0, 1, 2]
