"""``simulate``: the same seed, the same figures; what it tells; what it does not take."""

from __future__ import annotations

import json
import signal
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest

from controller.files.rules import rule_files
from controller.game.round.settling.bookkeeping import write
from controller.game.round.state import Round
from tests.cli.support import CONFIGURATION, PROGRAM, Tablectl, a_process

PANDEMONIUM = "mbs-pontoon-pandemonium-v5"
WEIGHTS = "100=4,50=8,25=20,20=20,10=24,5=12,3=7,2=5"
OWN = ("--by", "rounds")
QUICK = ("--rounds", 60, "--strategy", "simple", "--boxes", 2, *OWN)


@pytest.mark.parametrize("document", list(rule_files()))
def test_every_document_is_told_for_people_and_for_programs(
    tablectl: Tablectl, document: str
) -> None:
    ran = tablectl("simulate", "--rules", document, "--seed", 3, *QUICK)
    assert ran.code == 0
    assert ran.out.startswith(f"{document}: 60 rounds of 2 boxes, 8 decks")
    assert "house edge" in ran.out
    assert "Of fewer than 30 shoes that is itself uncertain" in ran.out
    assert "seed 3" in ran.err
    assert "rounds a second" in ran.err
    told = tablectl("simulate", "--rules", document, "--seed", 3, *QUICK, "--json").json
    main = told["wagers"]["main"]
    assert main["count"] == 120
    assert main["staked"] == "1200.00"
    assert main["return_percent"] == pytest.approx(100 - main["house_edge_percent"])
    low, high = main["interval_percent"]
    assert low < main["house_edge_percent"] < high
    assert sum(r["count"] for r in main["results"] if r["kind"] == "main") == 120


def test_the_same_seed_gives_the_same_figures_however_many_are_at_work(tablectl: Tablectl) -> None:
    given = ("--config", CONFIGURATION, "--rounds", 2100, "--boxes", 1, "--json", *OWN)
    command = ("simulate", *given)
    alone = tablectl(*command, "--seed", 5, "--jobs", 1)
    assert (alone.code, alone.json["rounds"]) == (0, 2100)
    # In a process of its own, with which Python's tracker of resources stays.
    two = a_process(*command, "--seed", 5, "--jobs", 2)
    assert (two.returncode, two.stdout) == (0, alone.out), two.stderr
    assert tablectl(*command, "--seed", 6).out != alone.out


def test_a_seed_that_was_made_up_is_told_and_gives_the_same_again(tablectl: Tablectl) -> None:
    command = ("simulate", "--rules", PANDEMONIUM, *QUICK, "--json")
    first = tablectl(*command)
    assert tablectl(*command, "--seed", first.json["seed"]).out == first.out


def test_a_configuration_gives_rules_decks_limits_and_weights(tablectl: Tablectl) -> None:
    told = tablectl("simulate", "--config", CONFIGURATION, "--rounds", 20, *OWN, "--json").json
    assert told["rules"] == PANDEMONIUM
    assert (told["decks"], told["boxes"], told["main"], told["side"]) == (8, 7, "10.00", "1.00")
    pandemonium = told["wagers"]["pandemonium"]
    assert pandemonium["exact"]["chance"] == "16/383"
    odds = tablectl("draw", "odds", "--config", CONFIGURATION, "--json").json
    assert pandemonium["exact"]["house_edge"] == odds["house_edge"]
    page = tablectl("simulate", "--config", CONFIGURATION, "--rounds", 20, *OWN).out
    assert f" {odds['house_edge_percent']} " in page, "10.9765013: rounded twice, 10.976"
    assert told["weights_id"] == odds["weights_id"]


def test_amounts_insurance_and_the_cutting_card_are_as_asked_for(tablectl: Tablectl) -> None:
    command = ("simulate", "--rules", PANDEMONIUM, "--json", "--rounds", 100, *OWN, "--decks", 4)
    amounts = ("--weights", WEIGHTS, "--main", 50, "--side", "2.50", "--insure")
    told = tablectl(*command, *amounts, "--penetration", 50).json
    wagers = told["wagers"]
    assert wagers["main"]["staked"] == "35000.00"
    assert wagers["pair"]["staked"] == "1750.00"
    insured = wagers["insurance"]
    assert float(insured["staked"]) == insured["count"] * 25
    assert tablectl(*command, "--penetration", 90).json["shoes"] < told["shoes"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("--rules", "no-such-rules"), "no-such-rules"),
        (("--rules", PANDEMONIUM, "--weights", "100=4"), "no weight for 50"),
        (("--rules", PANDEMONIUM, "--weights", "100:4"), "expected multiplier=weight"),
        (("--rules", PANDEMONIUM, "--weights", "100=1,100=2"), "named twice"),
        (("--rules", "division-15-pontoon", "--weights", WEIGHTS), "no Pandemonium wager"),
        (("--rules", PANDEMONIUM, "--decks", 3), "expected 4 to 8"),
        (("--rules", PANDEMONIUM, "--boxes", 8), "no box 8"),
        (("--rules", PANDEMONIUM, "--main", 1), "the limits are"),
        (("--rules", PANDEMONIUM, "--main", "ten"), "not an amount"),
        (("--rules", PANDEMONIUM, "--rounds", 0), "a whole number from 1 to"),
        (("--rules", PANDEMONIUM, "--strategy", "luck"), "invalid choice"),
        (("--config", CONFIGURATION, "--decks", 8), "only with --rules"),
        (("--config", CONFIGURATION, "--rules", PANDEMONIUM), "not allowed with"),
        (("--config", Path("/nowhere.toml")), "cannot be read"),
    ],
)
def test_what_cannot_be_simulated_is_wrong_use(
    tablectl: Tablectl, given: tuple[object, ...], says: str
) -> None:
    ran = tablectl("simulate", *given)
    assert ran.code == 2
    assert says in ran.err
    assert ran.out == ""


def test_figures_that_cannot_be_chance_end_in_exit_1(
    tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A game whose pairs never win: the check is against what the cards say.
    def lose(rnd: Round, where: tuple[int, str, int], kind: str, stake: int, *_: object) -> None:
        write(rnd, where, kind, stake, "lose", "")

    monkeypatch.setattr("controller.game.round.settling.interim.write", lose)
    ran = tablectl(
        *("simulate", "--rules", PANDEMONIUM, "--seed", 1, "--rounds", 400, "--strategy", "simple"),
        *OWN,
    )
    assert ran.code == 1
    assert "too far from the exact figures to be chance: pair" in ran.err


@pytest.mark.needs("numba")
def test_the_kernel_plays_where_it_is_installed(tablectl: Tablectl) -> None:
    command = ("simulate", "--rules", PANDEMONIUM, "--weights", WEIGHTS, "--insure", "--boxes", 2)
    given = ("--rounds", 300_000, "--main", 50, "--side", "2.50", "--seed", 5)
    ran = tablectl(*command, *given)
    assert ran.code == 0
    assert "played by the kernel" in ran.out
    told = tablectl(*command, *given, "--json").json
    assert told["played_by"] == "kernel"
    own = tablectl(*command, "--rounds", 3000, *given[2:], *OWN, "--json").json
    assert own["played_by"] == "rounds"
    assert own.keys() == told.keys()
    assert own["frequencies"].keys() >= told["frequencies"].keys() - {"dealer trick"}
    uncounted = [kind for kind, wager in told["wagers"].items() if not wager["results"]]
    assert uncounted == ["main", "pair"]
    assert "By which odds main, pair were won is not counted: see --by rounds." in ran.out
    for kind in ("pandemonium", "insurance"):
        wager, by_own = told["wagers"][kind], own["wagers"][kind]
        counts = {(one["outcome"], one["odds"]): one["count"] for one in wager["results"]}
        assert counts.keys() >= {(one["outcome"], one["odds"]) for one in by_own["results"]}
        assert sum(counts.values()) == wager["count"]
        won = sum(int(odds.split(":")[0]) * n for (_, odds), n in counts.items() if odds)
        stake = Decimal(wager["staked"]) / wager["count"]
        assert Decimal(wager["net"]) == stake * (won - counts["lose", None])
    for kind, wager in told["wagers"].items():
        low, high = own["wagers"][kind]["interval_percent"]
        middle, half = (low + high) / 2, high - low  # twice 1.96 standard errors
        assert abs(wager["house_edge_percent"] - middle) < 1.1 * half, kind
        assert wager["count"] * 3000 == pytest.approx(
            own["wagers"][kind]["count"] * 300_000, rel=0.2
        )
    for name, seen in own["frequencies"].items():
        assert told["frequencies"][name]["share_percent"] == pytest.approx(
            seen["share_percent"], abs=4 * (seen["share_percent"] * 100 / seen["of"]) ** 0.5 + 0.01
        ), name


@pytest.mark.parametrize("by", [pytest.param("kernel", marks=pytest.mark.needs("numba")), "rounds"])
def test_after_ctrl_c_the_figures_are_those_of_what_was_played(by: str) -> None:
    command = [*PROGRAM, "simulate", "--rules", PANDEMONIUM]
    command += ["--rounds", str(10**10), "--strategy", "simple", "--boxes", "1", "--by", by]
    with subprocess.Popen(
        [*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr
        for line in running.stderr:
            if "house edge" in line:
                break
        running.send_signal(signal.SIGINT)
        out, said = running.communicate(timeout=60)
    told = json.loads(out)
    assert running.returncode == 130
    assert 0 < told["rounds"] < 10**10
    assert f"the figures are of {told['rounds']} of {10**10} rounds" in said


@pytest.mark.needs("numba")
def test_a_ctrl_c_while_it_loads_or_plays_ends_in_no_traceback() -> None:
    command = [*PROGRAM, "simulate", "--rules", PANDEMONIUM, "--rounds", str(10**8)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr
        said = running.stderr.readline()  # what is compiled, loaded or played comes after it
        running.send_signal(signal.SIGINT)
        out, more = running.communicate(timeout=60)
    assert running.returncode == 130
    assert bool(out) == ("interrupted: the figures are of" in more)  # where a block has ended
    assert said.startswith("tablectl: seed ")
    assert "Traceback" not in more


@pytest.mark.needs("numba")
def test_a_ctrl_c_before_anything_was_played_ends_in_no_figures(
    tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ctrl_c(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("figures.edges.jobs.tell_compiling", ctrl_c)
    ran = tablectl("simulate", "--rules", PANDEMONIUM, "--rounds", 1000, "--by", "kernel")
    assert (ran.code, ran.out) == (130, "")


@pytest.mark.parametrize("by", [(), ("--by", "rounds")])
def test_without_the_extra_the_tables_own_rounds_play(
    tablectl: Tablectl, monkeypatch: pytest.MonkeyPatch, by: tuple[str, ...]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    ran = tablectl("simulate", "--rules", PANDEMONIUM, *QUICK[:-2], *by)
    assert ran.code == 0
    assert "played by the table's own rounds" in ran.out
    refused = tablectl("simulate", "--rules", PANDEMONIUM, "--by", "kernel")
    assert refused.code == 2
    assert "the extra 'figures'" in refused.err
