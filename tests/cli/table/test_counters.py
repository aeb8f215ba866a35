"""``counters`` from a journal and from a running table, with what the draws say of the weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.cli.table.counters import lines, with_p_values
from controller.counters.counting import Counters
from controller.counters.figures import Figures
from controller.counters.report import report
from controller.journal.model import Draft
from controller.journal.reader import JournalReader
from controller.replay.replay import Replay, differences
from tests.cli.support import Played, Tablectl
from tests.journal.helpers import write


@pytest.fixture
def state(tmp_path: Path) -> Path:
    played = Played()
    played.a_round()
    return played.write(tmp_path)


def test_the_figures_of_a_stopped_table(tablectl: Tablectl, state: Path) -> None:
    told = tablectl("counters", "--state", state, "--json").json
    assert told["total"]["rounds"] == told["shift"]["rounds"] == 1
    assert told["total"]["cards"] == 4
    # 18 against the dealer's 17
    assert told["total"]["sum"]["wagered"] == "100.00"
    assert told["total"]["sum"]["paid"] == "200.00"
    assert told["total"]["sum"]["held"] == "-100.00"
    only = tablectl("counters", "--state", state, "--json", "--shift").json
    assert only.keys() == {"shift"}
    text = tablectl("counters", "--state", state, "--total").out
    assert text.startswith("Since commissioning\n  rounds settled")
    assert "This shift: none has been begun" in tablectl("counters", "--state", state).out


def test_they_are_rebuilt_and_compared(tablectl: Tablectl, state: Path) -> None:
    ran = tablectl("counters", "--state", state, "--check")
    assert ran.code == 0
    assert ran.out.endswith("rebuilt from the journal: the same\n")
    assert tablectl("counters", "--state", state, "--check", "--json").json["checked"] is True


def test_kept_figures_that_are_not_what_happened_are_told(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    played = Played()
    played.a_round()
    played.dealer("next")
    state = played.write(tmp_path)
    with JournalReader(state) as reader:
        replay = Replay()
        assert differences(replay, reader.iterate()) == []
    body: dict[str, Any] = replay.counted.dump()
    body["counters"]["last"]["rounds"] = 7
    write(state, Draft("snapshot", body), boot_id="b2")
    ran = tablectl("counters", "--state", state, "--check")
    assert ran.code == 1
    assert "counters.last.rounds is 1 on replay, but the snapshot has 7" in ran.err
    assert "the figures rebuilt from the journal are not those kept" in ran.err
    assert tablectl("counters", "--state", state, "--json").json["total"]["rounds"] == 7


def figures(drawn: dict[int, int], weights: str = "25=1 10=3") -> dict[str, Any]:
    counters = Counters()
    counters.kept.total = Figures(draws={weights: drawn}, voids={"Sue": 2})
    total: Any = report(counters)["total"]
    return with_p_values(total)


def test_draws_are_held_against_their_weights() -> None:
    [even] = figures({25: 25, 10: 75})["draws"]
    assert even["p"] == pytest.approx(1.0)
    [odd] = figures({25: 75, 10: 25})["draws"]
    assert odd["p"] < 1e-6
    [near] = figures({25: 30, 10: 70})["draws"]
    assert near["p"] == pytest.approx(0.2482, abs=1e-4)  # chi-square 4/3, one degree of freedom


@pytest.mark.parametrize(("drawn", "weights"), [({25: 4, 10: 15}, "25=1 10=3"), ({2: 99}, "2=1")])
def test_too_few_draws_or_no_choice_say_nothing(drawn: dict[int, int], weights: str) -> None:
    told = figures(drawn, weights)
    assert told["draws"][0]["p"] is None
    text = "\n".join(lines("total", told))
    assert "too few to compare with the weights" in text
    assert "voids by: Sue 2" in text
