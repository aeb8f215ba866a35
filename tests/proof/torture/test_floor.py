"""The torture of a floor, made short, and each trial of what it must refuse or bear."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hil_tests.floor.house import House
from proof.torture.floor import besiege
from proof.torture.floor_boxes import WRONGS

pytestmark = pytest.mark.needs("postgresql")


@pytest.fixture
def house() -> Iterator[House]:
    """A floor with two collectors."""
    with closing(House(collectors=2)) as made:
        yield made


def test_each_entry_comes_once_whatever_is_killed(house: House, tmp_path: Path) -> None:
    assert besiege(house, tmp_path, entries=6_000, kills=4, seed=1) == []


@pytest.mark.parametrize("trial", WRONGS)
def test_what_goes_wrong_does_not_matter(
    trial: Callable[[House, Path, int], Iterator[str]], house: House, tmp_path: Path
) -> None:
    assert list(trial(house, tmp_path, 1)) == []
