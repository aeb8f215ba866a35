"""``journal`` and ``round show`` on a stopped table's journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller import ENGINE_VERSION
from controller.draw.weights import Weights
from controller.forms.json_values import checked
from controller.journal.model import Draft
from controller.journal.schema import FILE_NAME
from controller.table.events.reading import read_event
from tests.cli.support import Played, Tablectl
from tests.journal.helpers import raw, reformed


def after_of(draft: Draft) -> dict[str, object]:
    return checked(dict[str, object], draft.body["after"])


def test_a_sound_journal_is_well(tablectl: Tablectl, state: Path) -> None:
    ran = tablectl("journal", "verify", "--state", state, "--json")
    assert ran.code == 0
    assert ran.json["well"] is True
    assert ran.json["differences"] == ran.json["findings"] == []
    assert ran.json["entries"] == ran.json["last_seq"] > 10
    assert ran.json["replayed"] is True
    assert "well" in tablectl("--state", state, "journal", "verify").out


@pytest.mark.parametrize(
    "command",
    [
        *(("journal", each) for each in ("verify", "export", "stats", "heads", "recover")),
        *(("counters",), ("round", "show", "1"), ("shift", "report")),
        ("journal", "find", "--box", "1"),
    ],
)
@pytest.mark.parametrize("version", [1, 0, 3])
def test_a_journal_of_another_format_is_refused(
    tablectl: Tablectl, state: Path, command: tuple[str, ...], version: int
) -> None:
    """By its first entry, which is as it was written, or by its header."""
    with raw(state) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    if version == 1:
        reformed(state, None)
    before = (state / FILE_NAME).read_bytes()
    ran = tablectl(*command, "--state", state)
    refused = "not of format 1: keep that folder, and begin a new one"
    assert refused in ran.out + ran.err
    assert ran.code == 2
    assert (state / FILE_NAME).read_bytes() == before


def damage(state: Path, statement: str) -> None:
    with sqlite3.connect(next(state.glob("*.sqlite*"))) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        kept = triggers.fetchall()
        for name, _ in kept:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)
        for _, sql in kept:
            connection.execute(sql)
    connection.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET body = replace(body, '\"rank\":9', '\"rank\":8') WHERE type = 'CARD'",
        "DELETE FROM entry WHERE seq = 7",
        "UPDATE entry SET body = '[]' WHERE seq = 7",
        "UPDATE entry SET body = '{\"settings\":5}' WHERE seq = 1",
        "UPDATE entry SET type = 'CARD' WHERE seq = 6",
    ],
)
def test_a_changed_journal_is_not(tablectl: Tablectl, state: Path, statement: str) -> None:
    damage(state, statement)
    ran = tablectl("journal", "verify", "--state", state)
    assert ran.code == 1
    assert "NOT WELL" in ran.out
    assert "repair nothing" in ran.err
    for more in (["export"], ["stats"], ["verify", "--no-replay"]):
        assert tablectl("journal", *more, "--state", state).code in (0, 1)
    assert tablectl("round", "show", "--state", state).code in (0, 1, 2)


def settled(played: Played) -> list[dict[str, Any]]:
    """The settlements in the journal of a round, to be written otherwise."""
    for draft in played.drafts:
        if found := after_of(draft).get("settlements"):
            assert isinstance(found, list)
            return found
    raise AssertionError("nothing was settled")


def drop(settlements: list[dict[str, Any]]) -> None:
    del settlements[0]


def spoil(settlements: list[dict[str, Any]]) -> None:
    settlements.append({"box": 1})


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (lambda found: found[0].update(net="-20.00"), "{wager}: journal -20.00, replay {net}"),
        (lambda found: found[0].update(clause="9.9"), "{wager}, clause: journal 9.9, replay "),
        (drop, "{wager}: journal not settled, replay {net}"),
        (spoil, "settlements is [] on replay, but the journal has [{{'box': 1}}]"),
    ],
)
def test_a_settlement_that_differs_on_replay_is_told_by_its_wager(
    tablectl: Tablectl, tmp_path: Path, alter: Callable[[Any], object], said: str
) -> None:
    played = Played()
    played.a_round()
    found = settled(played)
    first = dict(found[0])
    alter(found)
    ran = tablectl("journal", "verify", "--state", played.write(tmp_path), "--json")
    assert ran.code == 1
    wager = f"box {first['box']}{first['bettor']} hand {first['hand']} {first['kind']}"
    finding = ran.json["findings"][-1]
    assert finding["what"].startswith(said.format(wager=wager, net=first["net"]))
    assert len(finding["what"]) < 100


def test_what_another_engine_played_otherwise_is_no_fault(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    """One before this one or behind it: its rounds are played by what holds now, and compared."""
    for engine, code in (("4", 0), ("999", 0), (ENGINE_VERSION, 1)):
        played = Played(engine)
        played.a_round()
        last = played.drafts[-1]
        after = {**after_of(last), "notes": ["said otherwise then"]}
        object.__setattr__(last, "body", {**last.body, "after": after})
        state = played.write(tmp_path / engine)
        ran = tablectl("journal", "verify", "--state", state, "--json")
        assert ran.code == code
        assert len(ran.json["differences"]) + len(ran.json["findings"]) == 1
        assert "notes" in tablectl("journal", "verify", "--state", state).out


def test_export(tablectl: Tablectl, state: Path) -> None:
    ran = tablectl("journal", "export", "--state", state)
    assert ran.code == 0
    assert [line["seq"] for line in ran.lines] == list(range(1, len(ran.lines) + 1))
    card = next(line for line in ran.lines if line["type"] == "CARD")
    assert (card["device"], card["session"], card["rank"]) == ("shoe", 7, 9)


def test_stats(tablectl: Tablectl, state: Path) -> None:
    told = tablectl("journal", "stats", "--state", state, "--json").json
    assert told["rounds"] == 2
    assert told["by_type"]["CARD"] == 8
    assert "rounds            2" in tablectl("journal", "stats", "--state", state).out


def test_a_round_as_it_was_played(tablectl: Tablectl, state: Path) -> None:
    for argv in (["last"], [], ["2"]):
        ran = tablectl("round", "show", *argv, "--state", state, "--json")
        assert ran.code == 0
        assert ran.json["round"] == 2
        assert ran.json["shoe"] == "9S 8H 9D 9C"
        assert ran.json["draws"] == []
        assert ran.json["net"] == {"1a": "100.00"}
        assert ran.json["settlements"][0]["clause"] == "4.3.2"
    told = tablectl("round", "show", "1", "--state", state)
    assert "Round 1" in told.out
    assert "[4.3.2]" in told.out


@pytest.mark.parametrize("number", ["3", "0", "x", "-1", "٣", "9" * 5000])
def test_a_round_that_is_not_there(tablectl: Tablectl, state: Path, number: str) -> None:
    assert tablectl("round", "show", "--state", state, "--", number).code == 2


def test_no_journal(tablectl: Tablectl, tmp_path: Path) -> None:
    for argv in (["journal", "verify"], ["journal", "export"], ["round", "show"], ["counters"]):
        ran = tablectl(*argv, "--state", tmp_path / "none")
        assert ran.code == 2
        assert "does not exist" in ran.err
    played = Played()
    assert tablectl("round", "show", "--state", played.write(tmp_path / "fresh")).code == 2


@pytest.mark.parametrize("command", [["export"], ["stats"], ["stats", "--json"]])
@pytest.mark.parametrize("page", [100, 3072, 12288])
def test_a_broken_page_is_told_and_is_no_traceback(
    tablectl: Tablectl, state: Path, command: list[str], page: int
) -> None:
    with next(state.glob("*.sqlite*")).open("r+b") as file:
        file.seek(page)
        file.write(b"\xa5" * 1024)
    ran = tablectl("journal", *command, "--state", state)
    assert ran.code == 1
    assert "damaged" in ran.err


@pytest.mark.parametrize("command", [["export"], ["stats"], ["verify"]])
def test_a_body_without_bottom_is_told(tablectl: Tablectl, state: Path, command: list[str]) -> None:
    damage(state, f"""UPDATE entry SET body = '{{"a":{"[" * 20000}{"]" * 20000}}}' WHERE seq = 7""")
    assert tablectl("journal", *command, "--state", state).code == 1


def said_otherwise(engine: str, *behind: Draft) -> Played:
    """Of eight rounds each entry says something else than what is played."""
    played = Played(engine)
    for _ in range(8):
        played.a_round()
        played.dealer("next")
    for draft in played.drafts:
        after = {**after_of(draft), "notes": ["said otherwise"], "more": 1}
        object.__setattr__(draft, "body", {**draft.body, "after": after})
    played.drafts += behind
    return played


def test_differences_of_another_engine_hide_no_fault_of_this_one(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    start = Draft("start", {**Played().drafts[0].body, "after": {"state": "lost"}})
    played = said_otherwise("4", start)
    state = played.write(tmp_path / "state")
    ran = tablectl("journal", "verify", "--state", state, "--json")
    assert (ran.code, ran.json["well"]) == (1, False)
    assert [finding["seq"] for finding in ran.json["findings"]] == [len(played.drafts)]
    assert len(ran.json["differences"]) == 100
    assert ran.json["differences_untold"] > 0
    assert "more differences" in tablectl("journal", "verify", "--state", state).out


def test_faults_beyond_a_hundred_are_not_told_but_that_there_are_more(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    state = said_otherwise(ENGINE_VERSION).write(tmp_path / "state")
    ran = tablectl("journal", "verify", "--state", state, "--json")
    assert (ran.code, len(ran.json["findings"])) == (1, 101)
    assert "no more are told" in ran.json["findings"][-1]["what"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, None),
        ({"multiplier": 100}, "has multiplier 100, ticket 19 stands for 25"),
        ({"ticket": 100}, "has ticket 100, which is not below the total of 100"),
        ({"rejected": [5]}, "rejected [5], among them a ticket that counts"),
        ({"weights": "0" * 64}, "was drawn with other weights"),
        ({"press": {"session": 7, "event_no": 9}}, "answers a press (event 9 of 7) of offer 1"),
    ],
)
def test_a_draw_follows_from_its_ticket_and_the_weights_of_the_round(
    tablectl: Tablectl, tmp_path: Path, changes: dict[str, Any], said: str | None
) -> None:
    weights = Weights(((100, 4), (25, 96)))
    played = Played(weights=weights.pairs)
    body = {
        "box": 1,
        "multiplier": 25,
        "ticket": 19,
        "total": 100,
        "rejected": [120],
        "bits": 7,
        "weights": weights.identity,
        "mapping": "cumulative-rejection-1",
        "press": "read from the unit",
        "after": {},
    }
    played.take(read_event("pressed", {"offer_id": 1}, "jackpot"))
    played.drafts.append(Draft("draw", {**body, **changes}, offer=1))
    state = played.write(tmp_path / "state")
    told = tablectl("journal", "verify", "--state", state).out
    assert ("is a draw that" in told) == (said is not None)
    assert said is None or said in told
