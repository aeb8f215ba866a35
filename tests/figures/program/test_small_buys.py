"""What may be asked of small buys, and a document that is named by an option."""

from __future__ import annotations

import json

import pytest

from controller.not_done import WRONG_USE
from tests.figures.edges.support import MBS, table_figures

TRICK = "pontoon-five-card-trick"
FEW = ("--rounds", 400, "--boxes", 1, "--seed", 1)


def test_an_edge_by_rules_is_that_of_the_document() -> None:
    told = [table_figures("edge", *of, *FEW, "--uncompiled") for of in ((MBS,), ("--rules", MBS))]
    assert [one.code for one in told] == [0, 0], told
    assert told[0].out == told[1].out


@pytest.mark.parametrize("document", [(), (MBS, "--rules", MBS)])
def test_an_edge_of_both_or_none_is_an_error_of_use(document: tuple[str, ...]) -> None:
    told = table_figures("edge", *document, *FEW)
    assert (told.code, told.out) == (WRONG_USE, "")
    assert told.err == "table-figures: expected DOCUMENT or --rules ID, one of them\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (f"edge {MBS} --smallest-buy 0.1", "no card is bought in mbs"),
        (f"strategy {MBS} --smallest-buy 0.1", "no card is bought in mbs"),
        (f"edge {TRICK} --smallest-buy 0.1 --policy basic", "policy basic buys for the stake"),
        (f"edge {TRICK} --smallest-buy 0", "'0': expected a fraction of the stake above 0"),
        (f"edge {TRICK} --smallest-buy 1.5", "'1.5': expected a fraction"),
        (f"edge {TRICK} --smallest-buy 1/0", "'1/0': expected a fraction"),
        (f"strategy {TRICK} --smallest-buy 1/1001", "'1/1001': expected a fraction"),
        (f"side {TRICK} --smallest-buy 0.1", "unrecognized arguments"),
    ],
)
def test_a_smallest_buy_that_cannot_be_is_an_error_of_use(words: str, why: str) -> None:
    told = table_figures(*words.split())
    assert (told.code, told.out) == (WRONG_USE, "")
    assert why in told.err


@pytest.mark.needs("numba")
def test_strategy_and_edge_tell_by_which_smallest_buy_they_are() -> None:
    asked = (TRICK, "--smallest-buy", "1/10", "--seed", 1)
    found = table_figures("strategy", *asked, "--error", "0.005", "--json")
    assert found.code == 0, found.err
    strategy = json.loads(found.out)
    assert strategy["smallest_buy"] == 0.1
    assert "--smallest-buy 1/10" in strategy["origin"]["command"]
    cells = [cell for row in strategy["rows"] for cell in row["cells"]]
    assert any("L" in cell or "l" in cell for cell in cells)
    told = table_figures("edge", *asked, "--rounds", 200_000, "--boxes", 1, "--json")
    assert told.code == 0, told.err
    edge = json.loads(told.out)
    assert edge["setting"]["policy"] == "optimal, smallest buy 1/10"
    main, best = edge["main"]["per_initial"], strategy["values"]["best"]
    error = (main["standard_error"] ** 2 + best["error"] ** 2) ** 0.5
    assert abs(main["edge"] + best["total"]) < 4 * error
    brought = sum(halves * rounds for halves, rounds in edge["distributions"]["main"])
    assert brought / 2 / edge["rounds"] == pytest.approx(-main["edge"], abs=1e-5)
