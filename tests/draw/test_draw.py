"""From random bits to a recorded draw: the mapping counted out, the record recomputed, chance only
where it belongs."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import controller
from controller.draw import health
from controller.draw.evidence import recompute
from controller.draw.generator import draw
from controller.draw.weights import (
    REJECTIONS_LIMIT,
    SourceFailed,
    Weights,
    multiplier_for,
    take_ticket,
    ticket_bits,
)

EXAMPLE = Weights(((100, 4), (50, 8), (25, 20), (20, 20), (10, 24), (5, 12), (3, 7), (2, 5)))

PLANTED = ("broken_sources.py", "wrong_mappings.py")
"""Defects planted to be found draw from a seed; no table imports them."""

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
        assert recompute(EXAMPLE, draw(EXAMPLE).as_body()) is None


@given(tables, st.integers(0), st.sampled_from(["multiplier", "ticket", "total", "bits"]))
def test_any_other_number_in_a_record_is_found(weights: Weights, seed: int, field: str) -> None:
    drawn = draw(weights, lambda width: seed % (1 << width) % weights.total)
    body: dict[str, Any] = drawn.as_body()
    assert recompute(weights, body) is None
    changed = {**body, field: body[field] + 1}
    same_share = field == "ticket" and recompute(weights, changed) is None
    assert same_share or recompute(weights, changed) is not None
    if same_share:  # the next ticket may stand for the same multiplier; the chain has to tell
        assert multiplier_for(weights, changed["ticket"]) == body["multiplier"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"multiplier": 100}, "ticket 11 stands for 50"),
        ({"ticket": 3}, "stands for 100"),
        ({"ticket": 100}, "not below the total"),
        ({"total": 101}, "add up to 100"),
        ({"bits": 8}, "a total of 100 needs 7"),
        ({"rejected": [99]}, "a ticket that counts"),
        ({"rejected": [128]}, "cannot come"),
        ({"weights": "0" * 64}, "other weights"),
        ({"mapping": "modulo-1"}, "names the mapping 'modulo-1'"),
    ],
)
def test_a_changed_record_is_found(changes: dict[str, Any], said: str) -> None:
    body = draw(EXAMPLE, numbers(120, 11)).as_body()
    assert said in str(recompute(EXAMPLE, {**body, **changes}))


def test_a_broken_source_stops_the_draw() -> None:
    with pytest.raises(SourceFailed, match="in a row"):
        draw(EXAMPLE, numbers(*[127] * REJECTIONS_LIMIT))
    with pytest.raises(SourceFailed, match="gave 128 for 7 random bits"):
        draw(EXAMPLE, numbers(128))


def test_the_mapping_is_proven_whatever_the_total() -> None:
    for weights in (EXAMPLE, Weights(((2, 1),)), Weights(((2, 1 << 20), (3, 1 << 21)))):
        assert health.mapping_fault(weights) is None
    assert "one by one" in health.mapping_told(EXAMPLE)
    assert "first and last" in health.mapping_told(Weights(((2, 1 << 20),)))


def test_a_folded_remainder_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def modulus(bits: Callable[[int], int], total: int) -> tuple[int, tuple[int, ...]]:
        return bits(ticket_bits(total)) % total, ()

    monkeypatch.setattr(health, "take_ticket", modulus)
    with pytest.raises(SourceFailed, match="does not give the weights"):
        health.start_up(EXAMPLE, lambda _: 0)


@pytest.mark.parametrize("weights", [EXAMPLE, Weights(((2, 1 << 20), (3, 1 << 21)))])
def test_a_wrong_mapping_does_not_start(weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    def off_by_one(weights: Weights, ticket: int) -> int:
        return multiplier_for(weights, max(ticket - 1, 0))

    monkeypatch.setattr(health, "multiplier_for", off_by_one)
    with pytest.raises(SourceFailed, match="does not give the weights"):
        health.start_up(weights, lambda _: 0)


def test_chance_is_taken_in_the_places_that_docs_draw_md_lists() -> None:
    folder = Path(controller.__file__).parent
    found = set()
    for file in folder.rglob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        imported = {
            alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names
        }
        imported |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        if "secrets" in imported:
            found.add(file.relative_to(folder.parent))
        if file.is_relative_to(folder / "draw") and file.name not in PLANTED:
            assert not imported & {"random", "os", "time"}, file
    document = (folder.parent / "docs" / "draw.md").read_text("utf-8")
    assert found
    for path in found:
        named = (f"`{path.as_posix()}`", f"`{path.parent.as_posix()}/`")
        assert any(name in document for name in named), f"docs/draw.md does not name {path}"
