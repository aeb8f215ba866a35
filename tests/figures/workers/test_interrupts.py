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
