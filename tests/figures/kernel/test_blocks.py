"""Sums of many rounds: those of the rounds one by one, and the same compiled."""

from __future__ import annotations

from collections import Counter

import pytest

from controller.draw.weights import multiplier_for
from controller.files.rules import rule_files
from figures.games.games import Player, chance_of, numbers_of
from figures.kernel import blocks, felt
from figures.kernel.shoe import begin_round, end_round
from figures.kernel.tables import MULTIPLIERS, TICKETS, new_table
from tests.figures.kernel.games import SEED, game_of

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
