"""From random bits to a recorded draw: the mapping counted out, the record recomputed."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import controller.draw
from controller.draw import selftest
from controller.draw.errors import SourceFailed
from controller.draw.generator import draw, recompute
from controller.draw.mapping import REJECTIONS_LIMIT, multiplier_for, take_ticket, ticket_bits
from controller.draw.weights import Weights

EXAMPLE = Weights(((100, 4), (50, 8), (25, 20), (20, 20), (10, 24), (5, 12), (3, 7), (2, 5)))

tables = st.dictionaries(st.integers(1, 1000), st.integers(1, 60), min_size=1, max_size=8).map(
    lambda table: Weights(tuple(table.items()))
)


def numbers(*given_out: int) -> Callable[[int], int]:
    """A source that gives these numbers, in order."""
    queue = list(given_out)
    return lambda _bits: queue.pop(0)


@given(tables)
def test_of_all_tickets_each_multiplier_has_exactly_its_weight(weights: Weights) -> None:
    tickets = [multiplier_for(weights, ticket) for ticket in range(weights.total)]
    assert Counter(tickets) == dict(weights.pairs)
    # In the documented order: the first multiplier has the lowest tickets.
    assert tickets == [n for n, weight in weights.pairs for _ in range(weight)]


@given(tables)
def test_all_bit_patterns_of_a_ticket_give_the_weights_and_nothing_else(weights: Weights) -> None:
    width = ticket_bits(weights.total)
    taken = Counter[int]()
    for pattern in range(1 << width):
        ticket, rejected = take_ticket(numbers(pattern, 0), weights.total)
        if not rejected:
            taken[multiplier_for(weights, ticket)] += 1
    assert taken == dict(weights.pairs)


def test_tickets_beyond_the_total_stand_for_nothing() -> None:
    for ticket in (-1, 100):
        with pytest.raises(ValueError, match="not between 0 and 99"):
            multiplier_for(EXAMPLE, ticket)


@pytest.mark.parametrize(("total", "bits"), [(1, 0), (2, 1), (100, 7), (128, 7), (129, 8)])
def test_a_ticket_has_no_more_bits_than_it_needs(total: int, bits: int) -> None:
    assert ticket_bits(total) == bits


def test_the_record_holds_the_ticket_and_those_rejected() -> None:
    drawn = draw(EXAMPLE, numbers(100, 127, 11))
    assert (drawn.multiplier, drawn.ticket, drawn.total) == (50, 11, 100)
    assert drawn.rejected == (100, 127)
    assert drawn.weights_id == EXAMPLE.identity


def test_a_draw_from_the_system_can_be_recomputed() -> None:
    for _ in range(200):
        assert recompute(EXAMPLE, draw(EXAMPLE)) is None


def test_a_changed_record_is_found() -> None:
    drawn = draw(EXAMPLE, numbers(120, 11))
    for changed, said in [
        (replace(drawn, multiplier=100), "ticket 11 stands for 50"),
        (replace(drawn, ticket=3), "stands for 100"),
        (replace(drawn, ticket=100), "not below the total"),
        (replace(drawn, total=101), "add up to 100"),
        (replace(drawn, rejected=(99,)), "a ticket that counts"),
        (replace(drawn, rejected=(128,)), "cannot come"),
        (replace(drawn, weights_id="0" * 64), "other weights"),
    ]:
        assert said in str(recompute(EXAMPLE, changed))


def test_a_broken_source_stops_the_draw() -> None:
    with pytest.raises(SourceFailed, match="in a row"):
        draw(EXAMPLE, numbers(*[127] * REJECTIONS_LIMIT))
    with pytest.raises(SourceFailed, match="gave 128 for 7 random bits"):
        draw(EXAMPLE, numbers(128))


def test_the_production_path_looks_like_its_weights() -> None:
    results = selftest.run(EXAMPLE)
    assert [result.name for result in results] == ["mapping", "multipliers", "bits"]
    for result in results:
        assert result.passed, result.figures


def test_the_selftest_finds_a_bad_source() -> None:
    state = 0

    def counting(bits: int) -> int:
        nonlocal state
        state += 1
        return state // 8 % (1 << (bits - 1))  # the highest bit is never set

    failed = [result.name for result in selftest.run(EXAMPLE, 2000, counting) if not result.passed]
    assert failed == ["multipliers", "bits"]


def test_the_selftest_copes_with_tables_of_any_size() -> None:
    for weights in (Weights(((2, 1),)), Weights(((2, 1 << 20), (3, 1 << 21)))):
        assert all(result.passed for result in selftest.run(weights, 500))


@pytest.mark.parametrize(
    ("observed", "p"),
    [  # worked out by the closed forms of one, two and three degrees of freedom
        ([60, 40], math.erfc(math.sqrt(4 / 2))),
        ([50, 50], 1.0),
        ([40, 30, 30], math.exp(-2 / 2)),
        ([40, 20, 20, 20], math.erfc(math.sqrt(6)) + math.sqrt(24 / math.pi) * math.exp(-6)),
    ],
)
def test_chi_square_has_the_right_tail(observed: list[int], p: float) -> None:
    assert selftest.chi_square_p(observed, [1] * len(observed)) == pytest.approx(p)


def test_only_generator_and_selftest_know_of_chance_or_the_system() -> None:
    folder = Path(controller.draw.__file__).parent
    allowed = {"generator.py", "selftest.py"}
    for file in folder.glob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        imported = {
            alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
        }
        imported |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        assert not imported & {"random", "os", "time"}, file
        assert ("secrets" in imported) == (file.name in allowed), file
