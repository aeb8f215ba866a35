"""A dry run brings what the commands then bring, and leaves the table alone."""

from __future__ import annotations

import json

import pytest

from controller.files.rules import rule_files
from controller.game.round.refusal import Refused
from controller.table.dry_run import DryRun
from controller.table.entering.commands import dealer_commands
from controller.table.entering.supervising import supervisor_commands
from controller.table.events.event import Event
from controller.table.events.of_people import PersonCommanded
from controller.table.events.reading import read_event
from controller.table.showing.status import status
from pages.table.played_tables import Played, dealer, filled, order, published_text
from pages.table.tours import tour_of
from tests.table.live.driver import PLUS, betting

TOLD = ("state", "prompt", "owed", "account", "dealer", "boxes")
TAKES_MORE = ("lies", "correct", "void")
"""What a dry run takes as said besides: tried in tests of their own."""


def commands(played: Played) -> list[PersonCommanded]:
    """What the dealer and the supervisor may say at that table."""
    own = [dealer(filled(command)) for command in dealer_commands(played.table)]
    others = [order(filled(command)) for command in supervisor_commands(played.table)]
    return [event for event in [*own, *others] if not event.command.startswith(TAKES_MORE)]


@pytest.mark.parametrize("document", sorted(rule_files()))
def test_it_says_what_the_command_then_brings(document: str) -> None:
    tried = 0
    for played in tour_of(document).met.values():
        before = published_text(played.table)
        for event in commands(played):
            really = played.copy()
            try:
                answer = DryRun(played.table).answer([event], 7)
            except Refused as refused:
                if "face down" in refused.reason:
                    continue
                with pytest.raises(Refused):
                    really.apply(event)
                continue
            assert published_text(played.table) == before
            tried += 1
            if really.apply(event).entry is not None:
                really.apply(_locked(really))
            shown: dict[str, object] = {**status(really.table)}
            assert {name: answer[name] for name in TOLD} == {name: shown[name] for name in TOLD}
            assert answer["at"] == 7
    assert tried > 40


def _locked(played: Played) -> Event:
    waits = played.table.entering.pending
    assert waits
    body = {"entry": waits.number, "last_event": played.table.devices["shoe"].last_event}
    return read_event("gate", body, device="shoe")


def test_nobody_learns_by_it_what_lies_face_down() -> None:
    table = betting("1 main 10, 2 main 10", PLUS).play("squeeze 1", "close", "AS 8C 7D AH 9C")
    with pytest.raises(Refused, match="it would turn a card that lies face down"):
        DryRun(table.table).answer([dealer("reveal 1")], 1)
    voided = DryRun(table.table).answer([order("void")], 1)
    assert voided["state"] == "void"
    assert "AS" not in json.dumps(voided)
    with pytest.raises(Refused, match="it would turn"):  # nor in a round that is over by then
        DryRun(table.table).answer([dealer("reveal 1"), order("void"), dealer("next")], 1)
    for more in ("next", "split 1", "stand 1"):  # nor by what is refused behind it
        with pytest.raises(Refused, match="it would turn"):
            DryRun(table.table).answer([dealer("reveal 1"), dealer(more)], 1)
    table.say("reveal 1")
    assert "AS" in json.dumps(DryRun(table.table).answer([order("void")], 1))


def test_nobody_learns_of_one_of_two_like_cards() -> None:
    table = betting("1 main 10, 2 main 10", PLUS)
    table.play("squeeze 1", "squeeze 2", "close", "AS AS 7D 8D 8D")
    with pytest.raises(Refused, match="it would turn"):
        DryRun(table.table).answer([dealer("reveal 1")], 1)


def test_nothing_is_taken_as_said_but_behind_what_needs_it() -> None:
    """``undo`` takes one correction back; the others go on waiting for their ``done``."""
    table = betting("1 main 10, 2 main 10", PLUS)
    table.play("close", "9S 8C 7D 8H 9C", "lies 1 2", "lies 2 1")
    tried = DryRun(table.table).answer([dealer("undo")], 1)
    table.say("undo")
    assert tried["prompt"] == status(table.table)["prompt"]
    assert "lies 1 2" in str(tried["prompt"])
