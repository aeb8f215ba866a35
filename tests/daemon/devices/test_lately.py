"""What a link has counted over the last minute and the last hour."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from controller.daemon.devices.lately import HOUR, MINUTE, Lately
from controller.daemon.health.watches import EVERY_S


class Line:
    """Counts on in a clock of its own; ``lately`` looks as the daemon has it look."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.counts = {"shoe": {"events": 5, "retries": 0}, "keypad": {"events": 0}}
        self.lately = Lately(lambda: self.counts, lambda: self.now)

    def counted(self, over: str, counter: str = "events") -> int:
        told: Any = self.lately.recent_counts()
        return int(told[over]["links"]["shoe"].get(counter, 0))

    def seconds(self, over: str) -> int:
        told: Any = self.lately.recent_counts()
        return int(told[over]["seconds"])


def test_what_was_before_it_began_does_not_count() -> None:
    line = Line()
    line.counts["shoe"]["events"] += 2
    assert (line.counted("minute"), line.counted("hour")) == (2, 2)
    line.now += 4
    assert (line.seconds("minute"), line.seconds("hour")) == (4, 4)
    assert line.lately.recent_counts()["minute"]["links"]["keypad"] == {}  # type: ignore[index]
    assert line.lately.findings() == []


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=(HOUR + 3) * MINUTE),
    st.integers(0, 9),
    st.booleans(),
)
def test_each_window_has_what_was_counted_in_it(counts: list[int], rest: int, asked: bool) -> None:
    line = Line()
    for count in counts:
        line.counts["shoe"]["events"] += count
        line.now += EVERY_S
        line.lately.findings()
        if asked:  # what is added up for one who asks is not the next one's
            line.lately.recent_counts()
    line.counts["shoe"]["events"] += rest
    line.now += 3
    assert line.counted("minute") == sum(counts[-MINUTE:]) + rest
    assert line.seconds("minute") == min(len(counts), MINUTE) * EVERY_S + 3
    # The hour begins with a whole minute.
    whole, begun = divmod(len(counts), MINUTE)
    within = min(whole, HOUR) * MINUTE + begun
    assert line.counted("hour") == sum(counts[len(counts) - within :]) + rest
    assert line.seconds("hour") == within * EVERY_S + 3
