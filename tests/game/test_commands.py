"""Commands: slots are filled one by one, and every verb is written as it is read."""

from __future__ import annotations

import pytest

from controller.game.commands.command import Command, first_word, read_open, read_supervisors
from controller.game.commands.values import Malformed
from controller.game.commands.verbs import LYING, VERBS


def test_slots_are_filled_one_after_the_other() -> None:
    command = read_open("wager BOX KIND AMOUNT")
    for word, left in (("3b", "wager 3b KIND AMOUNT"), ("buy.2", "wager 3b buy.2 AMOUNT")):
        command = command.filled(word)
        assert str(command) == left
    assert command.filled("5") == read_supervisors("wager 3b buy.2 5")


@pytest.mark.parametrize(("text", "word"), [("shuffle SET", "3"), ("double 1 AMOUNT", "x")])
def test_a_word_that_does_not_fit_fills_no_slot(text: str, word: str) -> None:
    with pytest.raises(Malformed):
        read_open(text).filled(word)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "insure"])
def test_every_verb_is_written_with_its_slots_open_as_it_is_read(verb: str) -> None:
    named = (slot.name for slot in VERBS[verb].slots)
    command = Command(verb, open=tuple(name for name in named if name.isalpha() and name.isupper()))
    again = read_open(str(command)) if command.open or not VERBS[verb].slots else command
    assert again == command
    assert command.row is VERBS[verb]


def test_all_boxes_that_a_command_names_are_known() -> None:
    assert read_open("insure 3d@1 5").boxes == {1, 3}
    assert read_open("lies 2 4.1").boxes == {4}
    assert read_open("lies 2 out").boxes == read_open("done").boxes == frozenset()
    assert read_open("nominate 1 2b").boxes == {1, 2}


def test_the_first_word_of_nothing_is_none() -> None:
    assert (first_word(""), first_word(" stand 1")) == ("", "stand")
    assert LYING.name in VERBS
