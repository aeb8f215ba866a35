"""Every device unplugged in states of every document; ``python -m proof.torture unplugging`` does
all.

A stride through the list of states, devices and ways comes to every state of one document with
every device and way in some of them, and to some states of the others.
"""

from __future__ import annotations

import pytest

from controller.game.round.machine import waiting_states
from hil_tests.bench.setup import DIVISION_15, DOCUMENTS, MBS, PLUS, RWS, TRICK
from hil_tests.people.record import rules_by_name
from hil_tests.people.unplugging_dealer import BETWEEN, KEPT, WAYS, Unplugging
from hil_tests.tables.unplugged import UnpluggedTable, unpluggings

STRIDES = {MBS: 11, RWS: 31, PLUS: 31, DIVISION_15: 31, TRICK: 31}


@pytest.mark.parametrize("rules", DOCUMENTS)
def test_pulled_and_played_on(rules: str) -> None:
    with UnpluggedTable(rules) as table:
        for unplugging in list(unpluggings(rules))[:: STRIDES[rules]]:
            assert table.play(unplugging) == [], unplugging
    assert table.compared.wrong == []


@pytest.mark.parametrize("rules", DOCUMENTS)
def test_every_state_of_a_document_is_come_to(rules: str) -> None:
    every = list(unpluggings(rules))
    assert {unplugging.state for unplugging in every} == waiting_states(
        rules_by_name()(rules)
    ) | set(BETWEEN)
    devices = {unplugging.device for unplugging in every}
    assert len(every) == len({unplugging.state for unplugging in every}) * len(devices) * len(WAYS)


def test_a_round_that_comes_to_something_else_is_noticed() -> None:
    with UnpluggedTable(MBS) as table:
        unplugging = Unplugging("play.decide", "keypad", KEPT)
        table.rounds[unplugging.state]["expect"]["settlements"].pop()
        [told] = table.play(unplugging)
        assert told.startswith("settlements: ")
        assert table.play(unplugging._replace(state="settled")) == []
