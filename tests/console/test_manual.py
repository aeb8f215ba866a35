"""The dealer's manual shows screens of the walk, in pictures that are there and small."""

from __future__ import annotations

import re

from hil_tests.console.pictures import sections
from hil_tests.console.pictures.sections import NAMES

MOST_BYTES = 60_000
MOST_IN_ALL = 1_000_000
WEBP = re.compile(rb"RIFF....WEBP", re.DOTALL)


def test_it_shows_screens_of_the_walk_each_once() -> None:
    shown = sections.names()
    assert shown
    assert len(set(shown)) == len(shown)
    assert set(shown) <= set(NAMES)


def test_its_pictures_are_there_and_no_others() -> None:
    files = {path.name: path.read_bytes() for path in sections.PICTURES.glob("screen-*.webp")}
    assert set(files) == {f"screen-{name}.webp" for name in sections.names()}
    assert all(WEBP.match(data) for data in files.values())
    assert max(map(len, files.values())) < MOST_BYTES
    assert sum(map(len, files.values())) < MOST_IN_ALL
