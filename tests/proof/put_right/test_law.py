"""A round put right ends as the round that was never wrong: some hundred rounds of each document.
``make put-right`` plays as many as a night has room for."""

from __future__ import annotations

import json
import os
from contextlib import suppress

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.rules.cases import KNOWN
from proof.put_right.mistakes import Fails, Moment
from proof.put_right.partner import Lacks, partner_of
from proof.put_right.remedies import exceptions
from proof.put_right.table import NotComparable
from proof.put_right.trial import KINDS, trial
from proof.put_right.truth import DEALER
from proof.put_right.verdicts import Part, Tally, judge, play, wagers

ROUNDS = int(os.environ.get("TABLE_WALKS", "33")) * 3
LIVE = ROUNDS // 20
DOCUMENTS = list(rule_files())


def _told(found: Tally) -> str:
    """What failed, with the smallest scripts; their titles are the seeds."""
    every = [one for verdicts in found.smallest.values() for one in verdicts]
    return "\n".join(f"{one.failed}: {one.said}\n  {json.dumps(one.script)}" for one in every)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_ends_as_if_it_had_never_been_wrong(document: str) -> None:
    found = play(Part(document, 1, 0, ROUNDS, live=False))
    assert not found.failures, _told(found)
    assert found.compared > ROUNDS * 0.9
    assert found.apart.total() + found.compared == ROUNDS


@pytest.mark.parametrize("document", DOCUMENTS)
def test_ends_so_at_a_live_table(document: str) -> None:
    found = play(Part(document, 2, 0, LIVE, live=True))
    assert not found.failures, _told(found)
    assert found.compared > LIVE // 2


def test_every_kind_of_mistake_is_made_at_every_moment() -> None:
    made: set[str] = set()
    for rules in map(load_rules, DOCUMENTS):
        for number in range(150):
            played = trial(rules, f"{rules.id} 3 {number}")
            with suppress(Fails, NotComparable):
                played.play()
            made |= {one.kind for one in played.done} | {one.moment for one in played.done}
    rules = load_rules("mbs-pontoon-pandemonium-v5")
    known = {kind.kind for kind in KINDS if kind.known_to(rules)}
    assert known | {*Moment} <= made


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_seed_gives_the_same_round(document: str) -> None:
    rules = load_rules(document)
    for number in range(10):
        assert judge(rules, f"{document} 4 {number}") == judge(rules, f"{document} 4 {number}")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_judge_is_not_blind(document: str) -> None:
    """A dealer's second card that the table was told wrongly, and that nobody corrects, shows."""
    rules, seen = load_rules(document), 0
    for number in range(100):
        played = trial(rules, f"{document} 5 {number}")
        played.planned.clear()
        table = played.play()
        ends = wagers(table.rnd, table.truth.names)
        assert ends == wagers(partner_of(table, rules).play(), table.truth.names)
        dealers = [one for one in table.truth.cards if one.place == DEALER]
        if len(dealers) > 1:
            dealers[1].card = dealers[1].card._replace(rank=dealers[1].card.rank % 9 + 1)
            with suppress(Lacks):  # he needs another card now: that shows, too
                ends_now = wagers(partner_of(table, rules).play(), table.truth.names)
                seen += ends_now != ends
                continue
            seen += 1
    assert seen > 20


def test_the_table_of_exceptions_is_closed() -> None:
    """Each names a document, triggers that are known and remedies of its cases, and stands once."""
    every = exceptions()
    assert len({(one.document, one.clause) for one in every}) == len(every)
    for one in every:
        rules = load_rules(one.document)
        assert one.triggers <= KNOWN.keys()
        cases = [case for case in rules.irregularities if case.trigger in one.triggers]
        remedies = {remedy for case in cases for remedy in (*case.remedies, *case.options)}
        by_rules = one.remedies - {"refused by all", "option return", "stands"}
        assert by_rules <= remedies, one
