"""Sums of many rounds: those of the rounds one by one, and the same compiled. Their chance: the
numbers of SplitMix64, and orders that come equally often."""

from __future__ import annotations

from collections import Counter
from math import factorial

import pytest

from controller.draw.weights import multiplier_for
from controller.files.rules import rule_files
from figures.games.games import Player, chance_of, numbers_of
from figures.kernel import blocks, felt
from figures.kernel.chance import GAMMA, MASK, mixed, shuffle
from figures.kernel.shoe import begin_round, end_round
from figures.kernel.tables import MULTIPLIERS, TICKETS, new_table
from proof.agreement.outcomes import Way, as_compiled, as_it_stands
from tests.figures.kernel.games import SEED, game_of

OF_SEED_0 = (0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F)
"""The first numbers of the generator that its authors publish."""
CARDS, TIMES = 4, 24_000
MOST = 49.7
"""Chi square of 23 degrees of freedom is above that once in a thousand."""


def test_the_numbers_are_those_of_splitmix64() -> None:
    states = [(place + 1) * GAMMA & MASK for place in range(len(OF_SEED_0))]
    assert [mixed(state) for state in states] == list(OF_SEED_0)


def in_parts(way: Way, state: int) -> tuple[list[int], int]:
    """Cards that are shuffled in two parts, as a shoe is when a round needs more."""
    cards = way.cells(list(range(CARDS)))
    for low, high in ((0, 1), (1, CARDS)):
        with_sign = state - (state >> 63 << 64)  # as compiled numbers have it
        state = int(way.functions["shuffle"](cards, low, high, CARDS, with_sign)) & MASK
    return [int(card) for card in cards], state


def test_every_order_of_cards_comes_equally_often() -> None:
    seen, state, way = Counter[tuple[int, ...]](), 1, as_it_stands()
    for _ in range(TIMES):
        cards, state = in_parts(way, state)
        seen[tuple(cards)] += 1
    expected = TIMES / factorial(CARDS)
    assert len(seen) == factorial(CARDS)
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < MOST


@pytest.mark.needs("numba")
def test_compiled_it_is_the_same_chance() -> None:
    state = 7
    for _ in range(50):
        (cards, then), (others, other) = (
            in_parts(way, state) for way in (as_it_stands(), as_compiled())
        )
        assert (cards, then) == (others, other)
        state = then


def test_what_is_shuffled_is_what_lay_there() -> None:
    cards = list(range(100))
    shuffle(cards, 20, 60, 90, 5)
    assert cards[:20] == list(range(20))
    assert cards[90:] == list(range(90, 100))
    assert sorted(cards[20:90]) == list(range(20, 90))
    assert cards[20:60] != list(range(20, 60))


DOCUMENTS = list(rule_files())
ROUNDS = 300


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_blocks_sums_are_those_of_its_rounds(document: str) -> None:
    numbers = numbers_of(game_of(document))
    row, shoe = list(numbers.felt), list(numbers.shoe)
    row[felt.RANDOM] = chance_of(SEED, 0)
    shoes: list[list[tuple[int, int]]] = []
    sums, of_main, of_all = Counter[int](), Counter[int](), Counter[int]()

    def of_boxes(at: int) -> int:
        return sum(row[at : at + numbers.boxes])

    for _ in range(ROUNDS):
        if begin_round(numbers.values, shoe, row):
            shoes.append([])
        rows = numbers.values, numbers.table, numbers.plan, row, shoe
        behind = blocks.play_again(*rows, numbers.boxes, numbers.sides)
        end_round(numbers.values, shoe, behind)
        main, wagered = of_boxes(felt.NET), of_boxes(felt.WAGERED)
        shoes[-1].append((main, wagered))
        brought = {
            blocks.SUM_INSURED: of_boxes(felt.INSURED),
            blocks.SUM_INSURED_NET: of_boxes(felt.INSURED_NET),
            blocks.SUM_BUTTON_NET: of_boxes(felt.BUTTON_NET),
            blocks.SUM_BONUS: of_boxes(felt.BONUS),
            blocks.SUM_SHARED: of_boxes(felt.SHARED),
        }
        sides = [of_boxes(felt.SIDE_NET + n * felt.BOXES_MAX) for n in range(numbers.sides)]
        sums.update(brought)
        sums.update({blocks.SUM_SIDE_NET + n: net for n, net in enumerate(sides)})
        others = brought[blocks.SUM_INSURED_NET] + brought[blocks.SUM_BUTTON_NET] + sum(sides)
        sums[blocks.MAIN_SQUARED] += main * main
        of_main[main] += 1
        of_all[main + others] += 1
    by_shoe = [
        (sum(net for net, _ in one), len(one), sum(wagered for _, wagered in one)) for one in shoes
    ]
    sums[blocks.ROUNDS] = ROUNDS
    sums[blocks.SUM_NET] = sum(net for net, _, _ in by_shoe)
    sums[blocks.SUM_WAGERED] = sum(wagered for _, _, wagered in by_shoe)
    sums[blocks.NET_SQUARED] = sum(net * net for net, _, _ in by_shoe)
    sums[blocks.ROUNDS_SQUARED] = sum(rounds * rounds for _, rounds, _ in by_shoe)
    sums[blocks.NET_BY_ROUNDS] = sum(net * rounds for net, rounds, _ in by_shoe)
    sums[blocks.WAGERED_SQUARED] = sum(wagered * wagered for _, _, wagered in by_shoe)
    sums[blocks.NET_BY_WAGERED] = sum(net * wagered for net, _, wagered in by_shoe)
    played = Player(game_of(document), compile_it=False).block(SEED, 0, ROUNDS)
    tally = played.tally
    assert {at: sums[at] for at in range(blocks.OF_MAIN)} == dict(
        enumerate(tally[: blocks.OF_MAIN])
    )
    for at, expected in ((blocks.OF_MAIN, of_main), (blocks.OF_ALL, of_all)):
        counts = enumerate(tally[at : at + blocks.NETS], -blocks.MIDDLE)
        assert {net: count for net, count in counts if count} == expected
    assert played.shoes == len(shoes)


@pytest.mark.needs("numba")
@pytest.mark.parametrize("document", DOCUMENTS)
def test_compiled_or_not_the_sums_are_the_same(document: str) -> None:
    game = game_of(document)
    compiled, plain = (Player(game, compile_it=compile_it) for compile_it in (True, False))
    for number in range(3):
        assert compiled.block(SEED, number, ROUNDS) == plain.block(SEED, number, ROUNDS)


def test_a_ticket_is_the_multiplier_that_a_table_draws_for_it() -> None:
    game = game_of("mbs-pontoon-pandemonium-v5")
    assert game.weights
    table, places = new_table(game.rules, game.weights), range(len(game.weights.pairs))
    for ticket in range(game.weights.total):
        place = next(place for place in places if ticket < table[TICKETS + place])
        assert table[MULTIPLIERS + place] == multiplier_for(game.weights, ticket)
