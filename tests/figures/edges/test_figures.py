"""Figures of sums, risk, what values are worth, and the program that tells them."""

from __future__ import annotations

import hashlib
import json
import shlex
from contextlib import suppress
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from controller.files.rules import rule_files, rules_digest
from controller.game.rules.loader import RulesError, parse_rules
from controller.not_done import WRONG_USE, NotDone
from figures.changes import mutants_of
from figures.edges.expected import as_simulated
from figures.edges.figures import edge_figures
from figures.edges.jobs import RunSums, SeededRun
from figures.edges.policies import policy_of
from figures.edges.results import EdgeFigures
from figures.edges.risk import sum_of
from figures.edges.worth import changes_of, from_new_shoes, keys_of, runs_of, worth
from figures.games.games import Player, numbers_of
from figures.kernel.blocks import SUM_NET
from figures.program.main import main
from floor.facts.report.expected import Expectations
from tests.figures.edges.support import CHECKOUT, MBS, asked, game_of, run_of, sums_of

TRICK = "pontoon-five-card-trick"
ROUND = [[-2, 50], [0, 10], [2, 35], [3, 5]]


@pytest.fixture(scope="module")
def told() -> EdgeFigures:
    game = game_of()
    return edge_figures(asked(game, 3000), sums_of(run_of(game, 3000)))


@pytest.fixture
def kept(told: EdgeFigures, tmp_path: Path) -> Path:
    path = tmp_path / "edge.json"
    path.write_text(json.dumps(told))
    return path


def test_edges_are_what_the_distribution_comes_to(told: EdgeFigures) -> None:
    found = told["distributions"]["main"]
    net = sum(halves * many for halves, many in found)
    assert sum(many for _, many in found) == told["rounds"] == 3000
    main = told["main"]
    assert main["per_initial"]["edge"] == pytest.approx(-net / (2 * told["hands"]))
    assert main["per_wagered"]["edge"] * main["wagered"] == pytest.approx(
        main["per_initial"]["edge"]
    )
    assert told["convergence"][-1] == [3000, main["per_initial"]["edge"]]
    error = main["per_initial"]["standard_error"]
    assert error is not None
    by_rounds = sqrt(main["variance_of_round"] / 3000) / 2
    assert error == pytest.approx(by_rounds, rel=0.2), "rounds of one shoe hardly depend"


def test_what_happens_is_counted_of_what_it_happens_to(told: EdgeFigures) -> None:
    rates = {rate["name"]: rate for rate in told["rates"]}
    dealer = [name for name in rates if name.startswith("dealer ") and name != "dealer plays"]
    assert sum(rates[name]["count"] for name in dealer) == rates["dealer plays"]["count"]
    assert rates["pontoon"]["of_count"] == told["hands"] == 6000
    hands = told["hands"] + rates["hand split"]["count"]
    assert rates["hand busts"]["of_count"] == rates["hand played"]["count"] == hands
    assert told["button"] is not None
    drawn = sum(one["drawn"] for one in told["button"]["multipliers"])
    assert drawn == rates["pontoon"]["count"]


@pytest.mark.needs("numba")
def test_a_sum_by_transform_is_the_sum_by_hand() -> None:
    by_hand = {0: 1.0}
    for rounds in range(1, 6):
        before, by_hand = by_hand, {}
        for so_far, chance in before.items():
            for net, many in ROUND:
                by_hand[so_far + net] = by_hand.get(so_far + net, 0) + chance * many / 100
        found = sum_of(ROUND, rounds)
        for net, chance in by_hand.items():
            assert found.chances[net - found.lowest] == pytest.approx(chance, abs=1e-14)
        more = sum(chance for net, chance in by_hand.items() if net > 1)
        assert found.more_than(1) == pytest.approx(more, abs=1e-14)
        assert found.more_than(10**6) == 0
        assert found.more_than(-(10**6)) == pytest.approx(1)
        assert sum(by_hand[net] for net in by_hand if net <= found.quantile(0.5)) >= 0.5


@pytest.mark.needs("numba")
def test_a_sum_too_long_for_all_that_may_come_is_the_normal_one() -> None:
    found = sum_of(ROUND, 5_000_000)
    mean = (-100 + 70 + 15) / 100
    variance = (50 * 4 + 35 * 4 + 5 * 9) / 100 - mean**2
    deviation = sqrt(variance * 5e6)
    assert found.quantile(0.975) == pytest.approx(5e6 * mean + 1.96 * deviation, abs=10)
    assert found.more_than(5e6 * mean + deviation) == pytest.approx(0.158655, abs=1e-4)


@pytest.mark.needs("numba")
def test_a_shift_is_told_for_people_programs_and_the_floor(
    told: EdgeFigures, kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["shift", str(kept), "--stake", "25", "--loses", "1000", "--rounds", "100"]) == 0
    said = capsys.readouterr().out
    assert "chance that it loses more than 1,000.00" in said
    assert "--stake 25.00 --loses 1000.00" in said, "the command gives all of it again"
    assert main(["shift", str(kept), "--stake", "25", "--rounds", "100", "--sides", "--json"]) == 0
    shift = json.loads(capsys.readouterr().out)
    assert shift["low"] < shift["mean"] < shift["high"]
    assert shift["mean_error"] == pytest.approx(shift["deviation"] * sqrt(100 / told["rounds"]))
    assert [one[0] for one in shift["points"]] == sorted(one[0] for one in shift["points"])
    assert main(["shift", str(kept), "--stake", "25", "--expected"]) == 0
    digest = rules_digest(MBS)
    (tmp_path / f"{digest}.json").write_text(capsys.readouterr().out)
    model = Expectations(tmp_path).model_of(digest)
    assert model is not None
    bonus = told["super_bonus"]
    assert bonus is not None
    first = bonus["brackets"][0]
    assert model.edge == pytest.approx(
        told["main"]["per_initial"]["edge"]
        - (first["bonus_per_initial"] + first["shares_per_initial"]) * first["stake"] / 2500,
        abs=1e-7,
    )
    assert model.document == MBS


@pytest.mark.parametrize("document", list(rule_files()))
def test_a_policy_insures_where_the_rules_have_it(document: str) -> None:
    game = game_of(document)
    basic = policy_of("basic", game.rules, insures=True)
    played = Player(type(game)(game.rules, 8, basic, 3), compile_it=False).block(1, 0, 1500)
    assert played.tally[0] == 1500
    assert (played.tally[3] > 0) == (game.rules.insurance is not None)


def test_a_value_is_worth_what_it_pays() -> None:
    game = game_of(MBS, 1)
    text = rule_files()[MBS].read_text()
    keys = ("pays.pontoon", "pays.cards_7_or_more")
    changes = [
        one
        for one in changes_of(text, game, lambda _: game.policy, keys)
        if one.mutant.name in ("pays.pontoon = [2, 2]", "pays.cards_7_or_more = [2, 1]")
    ]
    run = SeededRun(from_new_shoes(numbers_of(game)), 5, 2000, 100, compiled=False)
    runs = runs_of(run, changes)
    sums = {digest: sums_of(one) for digest, one in runs.items()}
    base, (pontoon, sevens), missing = worth(run, changes, sums)
    assert missing == []
    pontoons = sums_of(run).played.seen[0]
    assert pontoon["change"] == pytest.approx(pontoons / 2000 / 2)
    assert (pontoon["key"], pontoon["value"], pontoon["to"]) == ("pays.pontoon", "[3, 2]", "[2, 2]")
    assert sevens["change"] >= 0
    assert base["standard_error"] is not None
    assert pontoon["standard_error"] is not None
    assert pontoon["standard_error"] < base["standard_error"] / 3, "the cards are the same"
    last, *rest = reversed(runs.values())
    ended = dict.fromkeys((last.digest,), RunSums()) | {one.digest: sums_of(one) for one in rest}
    assert worth(run, changes, ended) == (base, [pontoon], [changes[-1].mutant.name])


@pytest.mark.parametrize("document", list(rule_files()))
def test_what_is_not_asked_about_touches_no_main_wager(document: str) -> None:
    text = rule_files()[document].read_text()
    known, game = keys_of(document, text), game_of(document)
    base, games = numbers_of(game), []
    for mutant in mutants_of(document, text):
        if mutant.name.partition(" = ")[0] in known:
            continue
        with suppress(RulesError):
            numbers = numbers_of(replace(game, rules=parse_rules(mutant.text, mutant.name)))
            games += [numbers] if numbers != base else []
    nets = {Player(one, compile_it=False).block(3, 0, 150).tally[SUM_NET] for one in [base, *games]}
    assert len(nets) == 1
    assert games or not game.rules.insurance, "nothing of it reaches the kernel"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("edge nothing", "no such rule set or file"),
        (f"edge {MBS} --decks 1", "--decks 1: expected 4 to 8"),
        (f"edge {MBS} --boxes 8", "--boxes 8: expected 7 at most (Appendix A)"),
        (f"edge {MBS} --block 100", "expected 200 or more, some shoes"),
        (f"edge {MBS} --weights 100=4", "--weights: [multiplier] weights: no weight for"),
        ("edge division-15-pontoon --weights 2=1", "no Pandemonium wager"),
        (f"edge {MBS} --weights ''", "--weights '': expected weights as 100=4"),
        (f"edge {MBS} --cluster ''", "--cluster : expected as tcp://"),
        (f"edge {TRICK} --insure", "has no insurance"),
        (f"edge {MBS} --weights nothing.toml", "nothing.toml: cannot be read"),
        ("edge", "table-figures: expected DOCUMENT or --rules ID, one of them\n"),
        (f"edge {MBS} --rules {MBS}", "expected DOCUMENT or --rules ID, one of them\n"),
        (f"edge {MBS} --smallest-buy 0.1", "no card is bought in mbs"),
        (f"strategy {MBS} --smallest-buy 0.1", "no card is bought in mbs"),
        (f"edge {TRICK} --smallest-buy 0.1 --policy basic", "policy basic buys for the stake"),
        (f"edge {TRICK} --smallest-buy 0", "'0': expected a fraction of the stake above 0"),
        (f"edge {TRICK} --smallest-buy 1.5", "'1.5': expected a fraction"),
        (f"edge {TRICK} --smallest-buy 1/0", "'1/0': expected a fraction"),
        (f"strategy {TRICK} --smallest-buy 1/1001", "'1/1001': expected a fraction"),
        (f"side {TRICK} --smallest-buy 0.1", "unrecognized arguments"),
        (f"worth {MBS} --values dealer.soft17 dealer.soft71", "mean 'dealer.soft17'?"),
        (f"worth {MBS} --values a", "no such value that touches a main wager; known are "),
        (f"worth {MBS} --values pays.insurance", "pays.insurance: "),
        (f"worth {MBS} --values betting.control", "no change of it matters to play"),
        ("shift nothing.json", "nothing.json: No such file or directory"),
        ("shift a.json --expected --sides", "--sides: not with --expected"),
        *(
            (f"{command} --rounds={text}", f"{text!r}: expected a whole number from 1 to 1")
            for text in ("0", "1.5", "1e13", "e5", "-1", "")
            for command in (f"edge {MBS}", "shift a.json")
        ),
    ],
)
def test_what_cannot_be_done_is_said(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = main(shlex.split(words))
    except SystemExit as ended:
        code = ended.code
    assert code == WRONG_USE
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err


def test_an_edge_by_rules_is_that_of_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    few = ["--rounds", "400", "--boxes", "1", "--seed", "1", "--uncompiled"]
    told = []
    for of in ([MBS], ["--rules", MBS]):
        assert main(["edge", *of, *few]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


def test_weights_are_those_of_the_same_document(
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = CHECKOUT / "config" / "table.example.toml"
    few = ["--uncompiled", "--rounds", "200", "--boxes", "1", "--weights", str(path)]
    assert main(["edge", MBS, "--decks", "4", *few]) == 0
    assert "that table has 8 decks, this run 4" in capsys.readouterr().err
    assert main(["edge", "rws-pontoon-pandemonium-v4", *few]) == 2
    assert f"that configuration is of {MBS}" in capsys.readouterr().err


def test_every_page_says_how_to_get_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--uncompiled", "--rounds", "300", "--boxes", "2", "--seed", "4"]
    assert (
        main(["edge", MBS, *words, "--weights", "100=4,50=8,25=20,20=20,10=24,5=12,3=7,2=5"]) == 0
    )
    page = capsys.readouterr().out
    assert "standard error" in page
    assert "+/-" not in page, "which is 1.96 of them, while it goes on"
    assert rules_digest(MBS)[:12] in page
    assert "fewer than 30: the standard errors are themselves uncertain" in " ".join(page.split())
    assert hashlib.sha256(rule_files()[MBS].read_bytes()).hexdigest()[:12] in page
    _, again = page.splitlines()[-1].split("table-figures ")
    assert main([*again.split(), "--uncompiled"]) == 0
    assert capsys.readouterr().out == page
    assert main(["side", MBS, *words]) == 0
    assert "a new shoe for every round" in capsys.readouterr().out


@pytest.mark.parametrize(("option", "hint"), [([], True), (["--anew"], False)])
def test_what_made_no_difference_is_named(
    option: list[str], hint: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--uncompiled", "--rounds", "400", "--seed", "1", *option]
    assert main(["worth", MBS, *few, "--values", "pays.regular", "split.match"]) == 0
    page = " ".join(capsys.readouterr().out.split())
    play = "a policy made anew for each" if option else "the same policy"
    assert f'No difference in these rounds, as played with {play}: split.match to "rank"' in page
    assert ("--anew makes one for each" in page) == hint
    assert "+0.000" not in page
    assert "pays.regular 4.1" in page


def test_a_run_of_one_shoe_is_nothing_to_expect_by() -> None:
    game = game_of()
    told = edge_figures(asked(game, 1), sums_of(run_of(game, 1)))
    with pytest.raises(NotDone, match="one shoe"):
        as_simulated(told, 1000)
