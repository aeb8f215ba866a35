"""Commands that speak to a running controller, over its real socket."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli.table.status import ELSEWHERE, device_table, every_line
from controller.evidence.trust import OWN_WORD, add_key
from pages.moments import full
from tests.cli.support import Tablectl
from tests.control.support import controller
from tests.journal.helpers import KEY

STATUS = {
    "rules": "mbs-pontoon-pandemonium-v5",
    "state": "play.decide",
    "round": 12,
    "prompt": "Box 1: 12. Ask.",
    "awaiting": "dealer",
    "permitted": ["stand 1", "double 1 AMOUNT"],
    "turn": {"box": 1, "hand": 2},
    "boxes": {
        "1": {
            "hands": [{"cards": "9S 9D", "total": 18}, {"cards": "9C 3D", "total": 12}],
            "wagers": {"a": {"main": "100.00", "pair": None}},
        },
        "4": {"hands": [], "wagers": {"b": {"main": "20.00"}}, "absent": ["b"]},
    },
    "dealer": {"cards": "8H", "total": 8},
    "meter": {"offer": 7, "box": 1, "multiplier": 25},
    "devices": {
        "shoe": {"link": "up", "serial": "S1", "since": "12:00", "last_event": 7},
        "keypad": {"link": "down", "serial": None, "since": "12:00", "reason": "port is gone"},
    },
    "held": {"reason": "look at the card", "fault": "card-unread", "remedies": ["card CARD"]},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "control.sock"


def test_status(tablectl: Tablectl, path: Path) -> None:
    with controller(path, STATUS):
        ran = tablectl("--socket", path, "status", "--json")
        assert (ran.code, ran.json) == (0, {"table": "P12", "count": 0, **STATUS})
        told = tablectl("status", "--socket", path)
        assert tablectl("devices", "list", "--json", "--socket", path).json == STATUS["devices"]
        assert "port is gone" in tablectl("devices", "list", "--socket", path).out
    assert told.code == 0
    for text in (
        *("Table P12", "round 12", "Box 1: 12. Ask.", "HELD, card-unread", "card CARD", "pair on"),
        *("> box 1.2  9C 3D  12", "25x for box 1", "port is gone", "double 1", "not there: b"),
    ):
        assert text in told.out


def test_status_is_cut_for_a_terminal_only(
    tablectl: Tablectl, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = full()
    with controller(path, dict(state)):
        piped = tablectl("status", "--socket", path).out.splitlines()
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("LINES", "24")
        on_a_screen = tablectl("status", "--socket", path).out.splitlines()
    assert piped[1:] == every_line(state)[1:]
    assert len(piped) > 24
    assert (len(on_a_screen) < 24, on_a_screen[-1]) == (True, ELSEWHERE)


def test_status_of_a_table_that_says_little(tablectl: Tablectl, path: Path) -> None:
    with controller(path, {"boxes": None, "devices": {}, "held": None}):
        assert tablectl("status", "--socket", path).code == 0


def test_status_of_another_form_is_told_without_a_traceback(tablectl: Tablectl, path: Path) -> None:
    with controller(path, {"boxes": {"1": {"hands": 7}}}):
        ran = tablectl("status", "--socket", path)
        assert (ran.code, ran.err) == (1, "tablectl: status.boxes.1.hands = 7: expected a list\n")
        assert tablectl("status", "--json", "--socket", path).code == 0


def test_the_environment_names_the_socket(
    tablectl: Tablectl, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLE_CONTROLLER_SOCKET", str(path))
    with controller(path):
        assert tablectl("status").code == 0
        assert tablectl("status", "--socket", path.with_name("other")).code == 4


def test_dealers_commands_one_by_one_to_the_first_refused(tablectl: Tablectl, path: Path) -> None:
    with controller(path):
        ran = tablectl("dealer", "open", "stand 1", "close", "--socket", path)
        assert ran.code == 3
        assert ran.out == "open: next\n"
        assert "stand 1: box 1 has no hand in turn (3.27)" in ran.err
        assert "permitted now: hit 2" in ran.err
        assert tablectl("status", "--json", "--socket", path).json["count"] == 1
        sent, refused = tablectl("dealer", "open", "stand 1", "--json", "--socket", path).lines
    assert sent == {"command": "open", "ok": True, "result": {"prompt": "next"}}
    assert refused["error"] == {
        "kind": "refused",
        "code": "not-in-turn",
        "reason": "box 1 has no hand in turn",
        "clause": "3.27",
        "permitted": ["hit 2"],
        "actions": [{"text": "hit 2"}],
    }


def test_what_cannot_be_read_is_wrong_use(tablectl: Tablectl, path: Path) -> None:
    with controller(path):
        for command in ("gibberish", "x" * 300, "", "\udcff"):
            assert tablectl("dealer", command, "--socket", path).code == 2
        void = ("supervisor", "void", "--by", "Ida", "--socket", path)
        assert tablectl(*void, "--why", "x" * 9000).code == 2
        assert tablectl(*void, "--why", "misdeal").code == 0


def test_a_command_that_may_have_been_done(tablectl: Tablectl, path: Path) -> None:
    with controller(path):
        ran = tablectl("dealer", "crash", "--json", "--socket", path)
    assert ran.code == 4
    assert (ran.json["error"]["kind"], ran.json["error"]["code"]) == ("unavailable", "failed")
    assert "ask 'tablectl status'" in ran.err


def test_nobody_answers(tablectl: Tablectl, path: Path) -> None:
    for argv in (
        *(["status"], ["watch"], ["watch", "--plain"], ["counters"], ["shift", "report"]),
        *(["dealer", "open"], ["journal", "stats"], ["devices", "list"]),
        *(["devices", "test", "shoe"], ["devices", "capture", "shoe"]),
    ):
        ran = tablectl(*argv, "--socket", path)
        assert (ran.code, ran.out) == (4, "")
        assert str(path) in ran.err


def test_the_journal_is_where_the_controller_says(
    tablectl: Tablectl, path: Path, state: Path
) -> None:
    """And the keys that count are beside its configuration, whatever the journal says."""
    add_key(path.with_name("journal.vkey"), KEY.public)
    told = {"configuration": {"path": str(path.with_name("table.toml"))}}
    with controller(path, {"state_directory": str(state), **told}):
        assert tablectl("journal", "verify", "--socket", path).code == 0
    path.with_name("journal.vkey").unlink()
    with controller(path, {"state_directory": str(state), **told}):
        ran = tablectl("journal", "verify", "--socket", path)
        assert (ran.code, ran.out.splitlines()[0]) == (1, OWN_WORD)
    with controller(path):
        assert tablectl("journal", "verify", "--socket", path).code == 2


def test_probing(tablectl: Tablectl, tmp_path: Path) -> None:
    ran = tablectl("devices", "probe", tmp_path / "none")
    assert ran.code == 1
    assert str(tmp_path / "none") in ran.err
    assert tablectl("devices", "probe", "").code == 2


def test_a_device_that_is_not_named_after_its_kind_is_listed_with_it() -> None:
    listed = device_table({"shoe": {"kind": "shoe"}, "left": {"kind": "display"}})
    assert "left (display)" in listed
    assert "shoe (" not in listed
