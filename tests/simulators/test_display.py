"""The display: a jackpot unit's meter without its button."""

from __future__ import annotations

import pytest

from simulators.display import Display
from simulators.model import UNKNOWN_TYPE
from tests.simulators.body import NotedBody, asked


def test_it_shows_and_has_no_button() -> None:
    body = NotedBody()
    display = Display(body)
    assert asked(display, "ARM", offer_id=7, box=1) == UNKNOWN_TYPE
    assert asked(display, "DISARM", offer_id=7) == UNKNOWN_TYPE
    with pytest.raises(ValueError, match="no button"):
        display.do_press()
    assert asked(display, "SHOW", offer_id=7, multiplier=25, spin_ms=0) == {}
    display.tick()
    assert display.look()["shown"] == 25
    assert body.events == [("SHOWN", {"offer_id": 7, "multiplier": 25})]
    assert (display.kind, asked(display, "BLANK")) == (3, {})
