"""The kernel against the table's own rounds: every number that can be seen, in every round. More of
them are played by ``python -m proof.agreement``."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from controller.files.rules import load_rules, rule_files
from figures.games.games import full_shoe
from figures.kernel import shoe as shoes
from figures.kernel.felt import SIZE
from figures.kernel.tables import NotForTheKernel, new_table
from figures.kernel.values import values_of
from figures.rounds.shoe import ShoeRanOut
from proof.agreement.changed import NOT_SEEN, agree_with_changed, changed, unchanged, why_not_seen
from proof.agreement.engine import FollowingShoe
from proof.agreement.outcomes import Way, as_compiled, as_it_stands
from proof.agreement.played_tables import MATTERS, agree
from tests.figures.kernel.games import SEED, game_of

DOCUMENTS = list(rule_files())
ROUNDS = 2000
WHERE_IT_MATTERS, WHERE_IT_DOES_NOT = 2, 8
"""Rounds by each changed value."""
ALWAYS = {
    "main win",
    "main lose",
    "main surrendered",
    "split win",
    "split lose",
    "shoe ran out",
    "2 hands",
    "3 hands",
}
WHERE = {
    "insurance": {"insurance win", "insurance lose"},
    "double": {"main withdrawn", "double win", "double lose", "double returned"},
    "buy": {"buy win", "buy lose", "smallest buy"},
    "super_bonus": {"super_bonus win", "super_bonus_share win"},
    "pandemonium": {"multiplier", "pandemonium win", "pandemonium lose"},
}
"""What the rounds must have brought where the rules have such a section."""


def check(document: str, way: Way) -> None:
    played = unchanged(document)
    found = agree(played, way, SEED, 0, ROUNDS)
    assert found.difference == ""
    assert found.rounds == ROUNDS
    expected = ALWAYS.union(*(of for name, of in WHERE.items() if getattr(played.rules, name)))
    assert expected - {what for what, count in found.seen.items() if count} == set()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_source_as_it_stands_plays_every_round_as_the_table(document: str) -> None:
    check(document, as_it_stands())


@pytest.mark.needs("numba")
@pytest.mark.parametrize("document", DOCUMENTS)
def test_compiled_it_plays_every_round_as_the_table(document: str) -> None:
    check(document, as_compiled())


@pytest.mark.parametrize("document", DOCUMENTS)
def test_with_one_value_changed_they_agree_too_where_that_is_seen(document: str) -> None:
    mutants, way = changed(document), as_it_stands()
    assert len(mutants) > 50
    played = {}
    for at, name in enumerate(mutants):
        rounds = WHERE_IT_DOES_NOT if why_not_seen(document, name) else 0
        among = SEED, at, rounds, WHERE_IT_MATTERS
        played[name] = agree_with_changed(document, name, way, *among)
    assert [found.difference for found in played.values() if found.difference] == []
    seen = {name for name, found in played.items() if found.seen[MATTERS]}
    assert seen == {name for name in mutants if not why_not_seen(document, name)}


def test_values_listed_as_not_seen_are_some_mutants() -> None:
    names = [name for document in DOCUMENTS for name in changed(document)]
    assert [one for one in NOT_SEEN if not any(name.startswith(one) for name in names)] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_shoe_that_is_too_small_is_so_on_both_sides(document: str) -> None:
    rules, chance, seen = load_rules(document), random.Random(SEED), Counter[str]()
    values, cards = values_of(rules, game_of(document).limits), full_shoe(rules, 1)
    for penetration in (10, 50, 98, 100) * 5:
        felt, shoe = [chance.getrandbits(60)] * SIZE, shoes.new_shoe(cards, penetration, 1)
        following = FollowingShoe(rules, 1, penetration)
        for _ in range(40):
            started = shoes.begin_round(values, shoe, felt)
            wanted, at = chance.choice((1, 2, 9, 20, 44, 60)), shoe[shoes.AT]
            while not shoes.suffices(shoe, at + wanted):
                shoes.provide_all(shoe, felt)
            assert following.begin_round(shoe) == started
            if shoes.is_too_small(shoe, at + wanted):
                with pytest.raises(ShoeRanOut):
                    _ = [following.next_card() for _ in range(wanted)]
                seen["too small"] += 1
                break
            _ = [following.next_card() for _ in range(wanted)]
            shoes.end_round(values, shoe, at + wanted)
            following.end_round()
            assert following.counts == (shoe[shoes.SHUFFLES], shoe[shoes.REFILLS])
        seen["shuffled"] += shoe[shoes.SHUFFLES] > 1
        seen["ran out"] += shoe[shoes.REFILLS] > 0
    assert min(seen[what] for what in ("too small", "shuffled", "ran out")) > 0


def test_rules_of_which_the_kernel_has_no_place_for_all_are_refused() -> None:
    rules = load_rules("mbs-pontoon-pandemonium-v5")
    hands = replace(rules.split, hands_max=replace(rules.split.hands_max, value=9))
    with pytest.raises(NotForTheKernel, match="9 hands of a box; expected 8 at most"):
        new_table(replace(rules, split=hands))
