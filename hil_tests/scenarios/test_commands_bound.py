"""Commands over the real socket that are for the table as it was seen, that may be given again, and
that are only tried; also where the controller is killed between two of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.control.client import CommandTerms, RefusedByController
from hil_tests.people.dealer import Dealer

pytestmark = pytest.mark.needs_bench("hands")

ROUND = "9D 7H 9C KD"
"""Box 1 has 18, the dealer 17."""


def _give_command(dealer: Dealer, command: str, **given: Any) -> dict[str, Any]:
    return dict(dealer.bench.control.dealer(command, CommandTerms(**given)))


def _assert_repeated(dealer: Dealer, command: str, key: str, first: dict[str, Any]) -> None:
    assert _give_command(dealer, command, key=key) == {**first, "again": True}


def test_a_command_is_for_the_table_that_was_seen(dealer: Dealer) -> None:
    first = _give_command(dealer, "open", at=dealer.status["at"])
    second = _give_command(dealer, "wager 1 main 100", at=first["at"])
    with pytest.raises(RefusedByController) as refused:
        _give_command(dealer, "close", at=first["at"])
    assert refused.value.kind == "changed"
    assert refused.value.now == {
        "at": second["at"],
        **{name: dealer.status[name] for name in ("prompt", "asks")},
    }
    dealer.start_anew()
    assert dealer.status["at"] == second["at"]  # nothing has changed meanwhile
    assert _give_command(dealer, "close", at=second["at"])["state"] == "deal.first_cards"


def test_a_command_is_given_again_and_done_once(dealer: Dealer) -> None:
    opened = _give_command(dealer, "open", key="1/open")
    _assert_repeated(dealer, "open", "1/open", opened)
    wagered = _give_command(dealer, "wager 1 main 100", key="1/wager")
    dealer.start_anew()
    _assert_repeated(dealer, "open", "1/open", opened)
    _assert_repeated(dealer, "wager 1 main 100", "1/wager", wagered)
    with pytest.raises(RefusedByController) as refused:
        _give_command(dealer, "wager 1 main 200", key="1/wager")
    assert refused.value.kind == "malformed"
    assert dealer.status["boxes"]["1"]["wagers"] == {"a": {"main": "100.00"}}


def test_what_a_command_would_bring(dealer: Dealer) -> None:
    dealer.deal_round(ROUND, {1: {"main": 100}})
    before = json.dumps(dealer.status["boxes"]), dealer.status["at"]
    tried = _give_command(dealer, "stand 1", dry=True)
    assert tried["boxes"]["1"]["hands"][0]["total"] == 18
    several = ("lies 1 out", "correct 1 8D")
    told = dealer.bench.control.supervisor(
        "; ".join(several), "Ida", "the camera", CommandTerms(dry=True, commands=several)
    )
    assert told["at"] == before[1]
    assert (json.dumps(dealer.status["boxes"]), dealer.status["at"]) == before
    said = dealer.bench.tablectl(
        *("supervisor", "lies 1 2", "lies 2 1", "--by", "Ida", "--why", "x", "--dry-run"),
        *("--at", str(before[1]), "--json"),
    )
    result = json.loads(said.stdout)
    assert said.returncode == 0, said.stderr
    assert result["ok"]
    assert result["result"]["boxes"]["1"]["hands"][0]["cards"] == "7H 9C"
    late = dealer.bench.tablectl("dealer", "stand 1", "--at", "1", "--json")
    assert late.returncode == 3
    error = json.loads(late.stdout)["error"]
    assert (error["kind"], error["at"]) == ("changed", before[1])
    assert error["prompt"] == dealer.status["prompt"]
