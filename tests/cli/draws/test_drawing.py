"""``draw test`` and ``draw show``: in words and in JSON, well and not well."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from controller.cli import draw as draw_command
from controller.draw.battery import verdict
from controller.draw.generator import Drawn, draw
from controller.draw.weights import Weights
from controller.table.events.reading import read_event
from proof.battery.defects import DEFECTS
from tests.cli.support import CONFIGURATION, Played, Tablectl

FEW = ["--config", CONFIGURATION, "--draws", 2000]


@pytest.fixture
def sound(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is known to be well: of those that are, one in ten thousand runs says otherwise."""
    monkeypatch.setattr(
        draw_command, "run_battery", partial(verdict.run_battery, bits=random.Random(7).getrandbits)
    )


@pytest.mark.usefixtures("sound")
def test_a_sound_generator(tablectl: Tablectl) -> None:
    ran = tablectl("draw", "test", *FEW, "--json")
    assert ran.code == 0
    told = ran.json
    assert (told["well"], told["draws"], told["failed"]) == (True, 2000, None)
    assert told["mapping"] == "all 128 raw numbers mapped one by one, 100 of them count"
    tests = told["samples"][-1]["tests"]
    assert len(tests) == 23
    assert all(0 <= test["p"] <= test["adjusted"] <= 1 for test in tests)
    below = told["samples"][-1]["below_5_percent"]
    assert below == sum(test["p"] < 0.05 for test in tests)
    out = tablectl("draw", "test", *FEW).out
    assert "passed  frequency" in out.replace("  passed", "passed", 1)
    assert out.endswith("the generator is well\n")


@pytest.mark.usefixtures("sound")
def test_other_weights_than_the_configured_ones(tablectl: Tablectl) -> None:
    ran = tablectl("draw", "test", "--weights", "50=1,2=6", "--draws", 1000, "--json")
    assert ran.code == 0
    assert ran.json["weights_id"] == Weights(((50, 1), (2, 6))).identity


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--draws", 999], "expected a number from 1000"),
        (["--draws", 10_000_000], "to 1000000"),
        (["--weights", "50"], "expected multiplier=weight"),
        (["--weights", "50=x"], "expected multiplier=weight"),
        (["--weights", "50=1=2"], "expected multiplier=weight"),
        (["--weights", "50=0"], "expected a positive integer"),
        (["--weights", "50=1,50=2"], "twice"),
    ],
)
def test_wrong_use(tablectl: Tablectl, argv: list[object], said: str) -> None:
    ran = tablectl("draw", "test", "--config", CONFIGURATION, *argv)
    assert ran.code == 2
    assert said in ran.err


def test_a_generator_that_has_failed(tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbits", lambda _: 7)
    monkeypatch.setattr(verdict.run_battery, "__defaults__", (secrets.randbits,))
    ran = tablectl("draw", "test", *FEW)
    assert ran.code == 1
    assert "FAILED  repetition count: 10 equal numbers in a row" in ran.out
    assert "call support" in ran.err
    told = tablectl("draw", "test", *FEW, "--json").json
    assert (told["well"], told["samples"]) == (False, [])
    assert "repetition count" in told["failed"]


def test_a_mapping_that_is_not_well(tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch) -> None:
    [plant] = [defect.plant for defect in DEFECTS if defect.name == "biased modulus"]
    monkeypatch.setattr(verdict, "draw", lambda weights, bits: _of(plant(weights, bits(7))))
    ran = tablectl("draw", "test", *FEW)
    assert ran.code == 1
    assert "FAILED  frequency" in ran.out
    assert ran.out.endswith("the generator is NOT WELL\n")


def _of(draw_one: Callable[[], Drawn]) -> Drawn:
    return draw_one()


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    """A journal with a draw that was shown and paid."""
    weights = Weights(((25, 1), (10, 3)))
    played = Played(weights=weights.pairs, devices=("shoe", "jackpot"))
    link = {"up": True, "serial": "J1", "new_session": True, "last_event": 0, "taken": 0}
    played.take(read_event("link", link, "jackpot", 9))
    played.dealer("open", "wager 1 main 10", "wager 1 pandemonium 5", "close")
    played.cards("AC 9D KC")
    offer = played.table.jackpot.next_offer - 1
    played.take(read_event("PRESS", {"offer_id": offer}, "jackpot", 9, 1))
    press = {"session": 9, "event_no": 1}
    made = draw(weights)
    played.take(read_event("draw", {"box": 1, "press": press, **made.as_body()}, offer=offer))
    shown = {"offer_id": offer, "multiplier": made.multiplier}
    played.take(read_event("SHOWN", shown, "jackpot", 9, 2))
    return played.write(tmp_path / "drawn")


def test_a_draw_with_all_that_belongs_to_it(tablectl: Tablectl, drawn: Path) -> None:
    assert tablectl("journal", "verify", "--state", drawn).code == 0
    lines = tablectl("journal", "export", "--state", drawn).lines
    [line] = [line for line in lines if line["type"] == "draw"]
    for which in ([], ["last"], [line["offer"]]):
        ran = tablectl("draw", "show", *which, "--state", drawn, "--json")
        assert ran.code == 0
        told = ran.json
        assert (told["offer"], told["box"], told["faults"]) == (line["offer"], 1, [])
        assert told["drawn"] == line["seq"] == told["pressed"] + 1
        assert told["shown"] == [{"seq": line["seq"] + 1, "multiplier": line["multiplier"]}]
        assert told["settled"] == [{"seq": line["seq"] + 1, "odds": f"{line['multiplier']}:1"}]
        assert told["record"]["press"] == {"session": 9, "event_no": 1}
        assert all(told["record"][name] == line[name] for name in told["record"])
    out = tablectl("draw", "show", "--state", drawn).out
    assert f"the meter reports {line['multiplier']}x" in out
    assert "it follows from its ticket" in out


def test_a_draw_that_is_not_there(tablectl: Tablectl, drawn: Path, state: Path) -> None:
    ran = tablectl("draw", "show", "4711", "--state", drawn)
    assert ran.code == 2
    assert "has no draw for offer '4711'" in ran.err
    assert "has no draw yet" in tablectl("draw", "show", "--state", state).err
