"""The kernel against the table's own rounds: every number that can be seen, in every round. More of
them are played by ``python -m proof.agreement``."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from controller.draw.weights import Weights
from controller.files.rules import load_rules, rule_files
from figures.kernel import shoe as shoes
from figures.kernel.choices import CHOICES
from figures.kernel.felt import SIZE
from figures.kernel.games import Game, Player, full_shoe
from figures.kernel.plans import FirstTwo, Later, Policy, Preferences
from figures.kernel.tables import NotForTheKernel, new_table
from figures.kernel.values import values_of
from figures.rounds.shoe import ShoeRanOut
from proof.agreement.changed import changed
from proof.agreement.playing import Way, agree, as_compiled, as_it_stands
from proof.agreement.shoes import FollowingShoe
from proof.agreement.tables import Subject

DOCUMENTS = list(rule_files())
SEED = 39
ROUNDS = 2000
OF_A_MUTANT = 20
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
    "buy": {"buy win", "buy lose"},
    "super_bonus": {"super_bonus win", "super_bonus_share win"},
    "pandemonium": {"multiplier", "pandemonium win", "pandemonium lose"},
}
"""What the rounds must have brought where the rules have such a section."""


def preferred(two: FirstTwo) -> Preferences:
    points = two.first.points + two.second.points + two.against + two.split
    return [(points + place) % CHOICES for place in range(3)]


def preferred_later(hand: Later) -> Preferences:
    return [(hand.hard + hand.cards + hand.against + place) % CHOICES for place in range(2)]


def takes_back(total: int, against: int) -> bool:
    return (total + against) % 2 == 0


POLICY = Policy(preferred, preferred_later, takes_back, insures=True)


def subject(document: str) -> Subject:
    return Subject(document, load_rules(document))


def check(document: str, way: Way) -> None:
    played = subject(document)
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
def test_with_one_value_changed_they_agree_too(document: str) -> None:
    mutants, way = changed(document), as_it_stands()
    assert len(mutants) > 50
    differences = [agree(one, way, SEED, 0, OF_A_MUTANT).difference for one in mutants.values()]
    assert [difference for difference in differences if difference] == []


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ("mbs-pontoon-pandemonium-v5", 'dealer.soft17 = "stand"'),
        ("mbs-pontoon-pandemonium-v5", 'double.aces = "initial_deal"'),
        ("mbs-pontoon-pandemonium-v5", "pays.777_spades = [4, 1]"),
        ("mbs-pontoon-pandemonium-v5", 'pandemonium.order = "ascending"'),
        ("mbs-pontoon-pandemonium-v5", 'shoe.after_reshuffle = "goes_on"'),
        ("division-15-pontoon", 'shoe.cutting_card_first = "finish_round"'),
        ("division-15-pontoon", "stand.minimum = 13"),
        ("rws-pontoon-plus-v5", 'dealer.moot_draw = "forbidden"'),
        ("pontoon-five-card-trick", "pays.royal = [4, 1]"),
        ("pontoon-five-card-trick", "buy.free_below = 13"),
    ],
)
def test_a_kernel_that_plays_one_value_otherwise_is_found_out(document: str, name: str) -> None:
    both = Subject(document, load_rules(document), changed(document)[name].rules)
    found = agree(both, as_it_stands(), SEED, 0, ROUNDS)
    assert found.difference
    assert found.rounds < ROUNDS


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_shoe_that_is_too_small_is_so_on_both_sides(document: str) -> None:
    rules, chance, seen = load_rules(document), random.Random(SEED), Counter[str]()
    values, cards = values_of(rules, Game(rules, 1, POLICY).limits), full_shoe(rules, 1)
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
                    _ = [following.take() for _ in range(wanted)]
                seen["too small"] += 1
                break
            _ = [following.take() for _ in range(wanted)]
            shoes.end_round(values, shoe, at + wanted)
            following.end_round()
            assert following.counts == (shoe[shoes.SHUFFLES], shoe[shoes.REFILLS])
        seen["shuffled"] += shoe[shoes.SHUFFLES] > 1
        seen["ran out"] += shoe[shoes.REFILLS] > 0
    assert min(seen[what] for what in ("too small", "shuffled", "ran out")) > 0


@pytest.mark.needs("numba")
@pytest.mark.parametrize("document", DOCUMENTS)
def test_compiled_or_not_the_sums_of_a_block_are_the_same(document: str) -> None:
    rules = load_rules(document)
    multipliers = rules.pandemonium.multipliers.value if rules.pandemonium else ()
    weights = Weights(tuple((one, 3) for one in multipliers)) if multipliers else None
    game = Game(rules, 4, POLICY, boxes=3, sides=True, weights=weights, penetration=90)
    played = [Player(game, compile_it=compile_it) for compile_it in (True, False)]
    for number in range(3):
        compiled, plain = (player.block(SEED, number, 300) for player in played)
        assert compiled == plain
        assert compiled.tally[0] == 300


def test_rules_of_which_the_kernel_has_no_place_for_all_are_refused() -> None:
    rules = load_rules("mbs-pontoon-pandemonium-v5")
    hands = replace(rules.split, hands_max=replace(rules.split.hands_max, value=9))
    with pytest.raises(NotForTheKernel, match="9 hands of a box; expected 8 at most"):
        new_table(replace(rules, split=hands))
