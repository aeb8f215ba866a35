"""Every device pulled in states of every document; ``python -m torture.unplugging`` does all.

A stride through the list of states, devices and ways comes to every state of one document with
every device and way in some of them, and to some states of the others.
"""

from __future__ import annotations

import pytest

from controller.round.machine import waiting_states
from hil_tests.bench import DIVISION_15, DOCUMENTS, MBS, PLUS, RWS, TRICK
from hil_tests.pulling import BETWEEN, KEPT, WAYS, Pull
from hil_tests.record import rules_by_name
from hil_tests.unplugging import UnpluggedTable, pulls

STRIDES = {MBS: 11, RWS: 31, PLUS: 31, DIVISION_15: 31, TRICK: 31}


@pytest.mark.parametrize("rules", DOCUMENTS)
def test_pulled_and_played_on(rules: str) -> None:
    with UnpluggedTable(rules) as table:
        for pull in list(pulls(rules))[:: STRIDES[rules]]:
            assert table.play(pull) == [], pull
    assert table.account.wrong == []


@pytest.mark.parametrize("rules", DOCUMENTS)
def test_every_state_of_a_document_is_come_to(rules: str) -> None:
    every = list(pulls(rules))
    assert {pull.state for pull in every} == waiting_states(rules_by_name()(rules)) | set(BETWEEN)
    devices = {pull.device for pull in every}
    assert len(every) == len({pull.state for pull in every}) * len(devices) * len(WAYS)


def test_a_round_that_comes_to_something_else_is_noticed() -> None:
    with UnpluggedTable(MBS) as table:
        pull = Pull("play.decide", "keypad", KEPT)
        table.rounds[pull.state]["expect"]["settlements"].pop()
        [told] = table.play(pull)
        assert told.startswith("settlements: ")
        assert table.play(pull._replace(state="settled")) == []
