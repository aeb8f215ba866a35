"""Draws in an export: each follows from its ticket and from the weights that were in force."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.model import Draft
from tests.verifier.support import WEIGHTS, drawn, made, start, step
from verifier.verify_journal import VERIFIED, WRONG

NEW = ((2, 1), (3, 1))


@pytest.mark.parametrize(
    ("drafts", "said"),
    [
        ([start(), drawn(1, multiplier=7)], "2: drew 7, ticket"),
        ([start(), drawn(1, ticket=37)], "2: has ticket 37 of 37"),
        ([start(), drawn(1, ticket=-1)], "2: has ticket -1"),
        ([start(), drawn(1, total=38)], "of 38, expected 0 to 36"),
        ([start(), drawn(1, rejected=[3])], "2: rejected a ticket that counts"),
        ([start(), drawn(1, rejected=[64])], "2: rejected a ticket that counts"),
        ([start(), drawn(1, mapping="modulo")], "2: names the mapping 'modulo'"),
        ([start(), drawn(1, ((2, 1),))], "2: was drawn with other weights"),
        ([drawn(1)], "1: was drawn with other weights than those in force, none"),
        ([start(), drawn(2), drawn(1)], "3: is a draw for offer 1 after one for offer 2"),
        (
            [start(), step("deal"), start(NEW, "held.deal"), drawn(1, NEW)],
            "4: was drawn with other",
        ),
        (
            [start(), Draft("draw", {}, offer=1)],
            "2: cannot be read as far as draws go: KeyError('mapping')",
        ),
    ],
)
def test_a_draw_that_does_not_follow_is_found_under_any_signature(
    tmp_path: Path, drafts: list[Draft], said: str
) -> None:
    told = made(tmp_path, [("boot-one", drafts)]).verify()
    assert told.status == WRONG
    assert any(said in what for what in told.found), told.found


def test_a_round_keeps_the_weights_that_it_began_with(tmp_path: Path) -> None:
    drafts = [start(), step("deal"), start(NEW, "held.deal"), drawn(1, WEIGHTS), step("settled")]
    drafts += [step("betting"), drawn(2, NEW)]
    assert made(tmp_path, [("boot-one", drafts)]).verify().status == VERIFIED
