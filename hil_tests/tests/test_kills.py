"""Killed at any instruction: no card lost, none twice, no second draw, the meter true.

The controller dies some forty times in play over real links, more than half of them between an
event and its acknowledgement or a press and its readback; each time it is only started again.
``python -m proof.torture.kills`` does the same two thousand times. ``TABLE_KILLS_SEED`` takes
another course through the moments.
"""

from __future__ import annotations

import os

import pytest

from hil_tests.bench.setup import MBS, PLUS, RWS
from hil_tests.kills.account import Account
from hil_tests.kills.ways import at_commits, at_held_lines, at_random

SEED = int(os.environ.get("TABLE_KILLS_SEED", "20261120"))
HELD, IN_DOUBT, SPINS = 12, 8, 1
PLANNED, ANYWHERE = 6, 6


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_killed_at_moments_that_last(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    account = at_held_lines(rules, SEED, HELD, IN_DOUBT, SPINS)
    _kept_its_word(account, capsys)
    assert account.in_doubt >= IN_DOUBT


def test_killed_about_a_commit(capsys: pytest.CaptureFixture[str]) -> None:
    account = at_commits(MBS, SEED, PLANNED)
    _kept_its_word(account, capsys)
    assert account.kills >= PLANNED


def test_killed_at_any_instruction(capsys: pytest.CaptureFixture[str]) -> None:
    _kept_its_word(at_random(PLUS, SEED, ANYWHERE), capsys)


def _kept_its_word(account: Account, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print("\n" + "\n".join(account.summary()))
    assert (account.lost, account.twice, account.wrong) == (0, 0, [])
