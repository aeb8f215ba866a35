"""Who two commands are from: another person is one for certain, by PIN or by the user's number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.forms.json_values import WrongForm
from controller.game.round.refusal import Refused
from controller.table.events.of_people import KEY_SWITCH, Giver
from controller.table.events.reading import read_event
from tests.table.live.driver import Live
from tests.table.live.entering.test_voiding import drawn

NAMES = st.sampled_from(("daemon", "uid 1", "uid 2", "sue"))
WORKING = st.builds(Giver, NAMES, st.integers(0, 2), st.sampled_from((None, "Novak", "Ida")))
OF_BEFORE = st.builds(Giver, st.one_of(NAMES, st.just(KEY_SWITCH)))
ANYBODY = st.one_of(WORKING, OF_BEFORE)


@given(ANYBODY, ANYBODY)
def test_it_holds_both_ways_and_never_for_the_same(one: Giver, other: Giver) -> None:
    assert one.is_another(other) == other.is_another(one)
    assert not one.is_another(one)


@given(WORKING, WORKING)
def test_names_of_users_decide_nothing(one: Giver, other: Giver) -> None:
    renamed = Giver("whatever the database says", one.uid, one.person)
    assert one.is_another(other) == renamed.is_another(other)
    assert not one.is_another(renamed)
    if one.person and other.person:
        assert one.is_another(other) == (one.person != other.person)
    else:
        assert one.is_another(other) == (one.uid != other.uid)


@given(OF_BEFORE, OF_BEFORE)
def test_entries_of_before_are_compared_as_they_were(one: Giver, other: Giver) -> None:
    assert one.is_another(other) == (one.user != other.user)


@given(WORKING)
def test_the_key_switch_is_one_person(who: Giver) -> None:
    assert Giver(KEY_SWITCH).is_another(who)
    assert not Giver(KEY_SWITCH).is_another(Giver(KEY_SWITCH))
    assert not Giver("sue").is_another(who)  # asked before an upgrade: nobody knows


@given(ANYBODY, ANYBODY)
def test_the_same_identity_is_never_another_person(one: Giver, other: Giver) -> None:
    if one.key == other.key:
        assert not one.is_another(other)


@pytest.mark.parametrize("body", [{"uid": "1"}, {"uid": True}, {"uid": 1, "person": 3}])
def test_an_entry_says_who_in_one_form(body: dict[str, object]) -> None:
    with pytest.raises(WrongForm):
        read_event("dealer", {"command": "open", **body})


def say(table: Live, command: str, user: str, uid: int, person: str | None = None) -> None:
    """A supervisor's command; the user database calls him ``user`` at this moment."""
    body: dict[str, object] = {"command": command, "by": person or "Sue", "why": "x"}
    more = {} if person is None else {"person": person}
    table.apply("supervisor", {**body, "user": user, "uid": uid, **more})


def test_a_slow_user_database_makes_nobody_two() -> None:
    """He was ``daemon`` first and ``uid 1`` afterwards, and confirmed his own void."""
    table = drawn()
    say(table, "void", "daemon", 1)
    with pytest.raises(Refused, match="daemon asked for it: another person confirms it"):
        say(table, "confirm void", "uid 1", 1)
    say(table, "confirm void", "uid 2", 2)
    assert table.state == "void"


def test_a_journal_of_before_is_replayed_as_it_was() -> None:
    """It has names only, and what it took then it takes today."""
    table = drawn()
    for command, user in (("void", "daemon"), ("confirm void", "uid 1")):
        body = {"command": command, "by": "Sue", "why": "x", "user": user}
        table.apply("supervisor", body)
    assert table.state == "void"


def test_by_pin_two_people_share_a_user_and_one_has_none_to_share() -> None:
    table = drawn()
    say(table, "void", "console", 5, "Novak")
    assert table.status()["held"]["reason"].startswith("Novak asks for the round to be void")
    for user, uid, person in (("console", 5, None), ("uid 9", 9, "Novak")):
        with pytest.raises(Refused, match="Novak asked for it: another person confirms it"):
            say(table, "confirm void", user, uid, person)
    say(table, "confirm void", "console", 5, "Ida")
    assert table.state == "void"


def test_a_user_by_the_name_of_the_key_switch_is_not_it() -> None:
    """The void that such a user asks for is offered to the key, which confirms it."""
    table = drawn()
    say(table, "void", KEY_SWITCH, 7)
    with pytest.raises(Refused):
        say(table, "confirm void", KEY_SWITCH, 7)
    table.keys("X", supervisor=True)
    assert table.rows()[0] == "1 CONFIRM VOID"
    table.keys("V #", supervisor=True)
    assert table.state == "void"
