"""Times for people."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from controller.plain_text import ago

NOW = datetime(2026, 11, 23, 22, 15, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (timedelta(0), "0 s ago"),
        (timedelta(seconds=8.9), "8 s ago"),
        (timedelta(seconds=119), "119 s ago"),
        (timedelta(minutes=2), "2 min ago"),
        (timedelta(hours=1, minutes=59), "119 min ago"),
        (timedelta(hours=47), "47 h ago"),
        (timedelta(days=90), "90 days ago"),
    ],
)
def test_how_long_ago(before: timedelta, said: str) -> None:
    assert ago((NOW - before).isoformat(), NOW) == said


@pytest.mark.parametrize("text", ["-", "12:00", "2026-11-23T22:15:00", "2026-11-23T22:15:31+00:00"])
def test_what_is_no_time_of_the_past_is_told_as_it_is(text: str) -> None:
    assert ago(text, NOW) == text
