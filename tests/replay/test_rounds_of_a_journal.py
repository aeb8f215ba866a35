"""Rounds out of a journal: each once, as it was when nothing could change it any more."""

from __future__ import annotations

from pathlib import Path

from controller.game.round.result_fields import RoundResult
from controller.journal.reader import JournalReader
from controller.replay.replay import rounds_from
from controller.table.events.reading import read_event
from tests.cli.support import Played


def told(played: Played, directory: Path) -> list[RoundResult]:
    with JournalReader(played.write(directory)) as reader:
        return list(rounds_from(reader.iterate()))


def order(played: Played, command: str) -> None:
    body = {"command": command, "by": "Sue", "why": "seen", "user": "sue"}
    played.take(read_event("supervisor", body))


def test_one_that_is_gone_back_to_and_corrected_is_told_as_it_is_then(tmp_path: Path) -> None:
    played = Played()
    played.a_round()
    played.dealer("next", "open", "wager 2 main 100", "close")
    played.dealer("undo", "undo", "undo", "undo")
    assert played.table.state == "settled"
    order(played, "correct 3 8D")
    order(played, "done")
    played.dealer("open", "close")
    played.cards("9S 8H 9D")
    first, second = told(played, tmp_path)
    assert (first["round"], first["shoe"]) == (1, "9S 8H 8D 9C")
    assert (second["round"], second["outcome"]) == (2, "play.decide")


def test_the_one_before_is_told_besides_the_one_that_has_no_card_yet(tmp_path: Path) -> None:
    played = Played()
    played.a_round()
    played.dealer("open", "close")
    assert [(one["round"], one["shoe"]) for one in told(played, tmp_path)] == [
        (1, "9S 8H 9D 9C"),
        (2, ""),
    ]
