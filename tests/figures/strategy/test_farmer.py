"""Plain blackjack against the values of another's analyser: Eric Farmer's
(github.com/possibly-wrong/blackjack, version 7.6, commit a1f7dbb74266fb39296292bdff568b076120a61c),
its class ``BJPlayer`` with ``BJRules`` of which ``getResplit`` returns 1 (no splits), doubles of
any total and late surrender; where the dealer hits soft 17, doubles of any number of cards.
Printed with twelve places.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from figures.kernel.choices import DOUBLE, HIT, STAND
from figures.strategy.preferring import optimum
from tests.figures.strategy.support import blackjack, by_dealer, class_like, value

OVERALL: Final = """
1 stands -0.003098804271
-0.360855160999 0.095528019888 0.130787515699 0.175670030157 0.226130606129
0.232330977717 0.139766203126 0.051623224335 -0.045673120441 -0.171398187783
1 hits -0.002202294652
-0.386470340757 0.098097001460 0.134497616503 0.180969580790 0.232119370168
0.241529129803 0.143689179367 0.054260271564 -0.044127027843 -0.170798652884
6 stands -0.008924028715
-0.342093581119 0.086283438881 0.118185866383 0.152763689344 0.191115523980
0.221876369923 0.136023728260 0.053079943310 -0.043408559206 -0.172459698264
6 hits -0.008418509601
-0.370288937642 0.089693894796 0.121763417186 0.157871633301 0.196741927659
0.230652633683 0.138946133315 0.055085740616 -0.042383047815 -0.171881004977
8 stands -0.009184117401
-0.341103567485 0.085886843970 0.117573622274 0.151675237815 0.189456125464
0.221343141902 0.135813910929 0.053157723147 -0.043219844334 -0.172494179972
8 hits -0.008704806972
-0.369482099060 0.089293700943 0.121148091661 0.156795417119 0.195066992005
0.230087814000 0.138687463964 0.055131223358 -0.042222255108 -0.171917209880
"""
"""Decks, what the dealer does on soft 17, and the value of all rounds; then that by the dealer's
card, from the ace to what counts 10."""

HANDS: Final = {
    (10, 6, 10): (-0.540826736161, -0.535974843167, -1.071949686334),
    (8, 8, 9): (-0.539962058351, -0.506614396569, -1.013228793139),
    (1, 7, 3): (0.140674658931, 0.088050506178, 0.174678343517),
    (5, 6, 1): (-0.595986557389, 0.107162479484, 0.118807015260),
    (10, 2, 4): (-0.205888948477, -0.211461349354, -0.422922698708),
    (1, 1, 6): (-0.116640687112, 0.230264147762, 0.203740210970),
}
"""Of eight decks where the dealer hits soft 17, two cards and the dealer's: what it is worth to
stand, to hit and to double once he has looked and has no blackjack."""


def overall() -> Iterator[tuple[int, bool, float, list[float]]]:
    for decks, does, whole, *ups in zip(*[iter(OVERALL.split())] * 13, strict=True):
        yield int(decks), does == "hits", float(whole), [float(up) for up in ups]


@pytest.mark.parametrize(("decks", "hits_soft_17", "said", "ups"), [*overall()])
def test_the_value_of_blackjack_is_farmers(
    decks: int, hits_soft_17: bool, said: float, ups: list[float]
) -> None:
    model = blackjack(decks, hits_soft_17=hits_soft_17)
    best = optimum(model)
    assert value(model, best) == pytest.approx(said, abs=1e-10)
    assert by_dealer(model, best) == pytest.approx(ups, abs=1e-10)


def test_each_decision_is_worth_what_farmer_says() -> None:
    model = blackjack(8, hits_soft_17=True)
    options = optimum(model).options
    for (first, second, dealer), said in HANDS.items():
        low, high = sorted((first - 1, second - 1))
        place, up = class_like(model, low, high), dealer - 1
        looked = model.spoilt[model.rows[place], up]
        found = [
            (options[choice, place, up] + looked) / (1 - looked) for choice in (STAND, HIT, DOUBLE)
        ]
        assert found == pytest.approx(said, abs=1e-10)
