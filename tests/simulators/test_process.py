"""Simulators as processes: their hands, their ends, their lines."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from simulators.__main__ import main
from simulators.hands import Hands, HandsError


def test_hands_see_act_and_are_refused(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe", "--decks", "6") as shoe:
        state = shoe.look()
        assert (state["kind"], state["remaining"], state["plugged"]) == ("shoe", 288, True)
        assert str((tmp_path / "shoe").readlink()) == state["port"]
        with pytest.raises(HandsError, match="the gate is locked"):
            shoe.do("draw")
        with pytest.raises(HandsError, match="nobody can 'sing' a shoe"):
            shoe.do("sing")
        with pytest.raises(HandsError, match="cannot be drawn"):
            shoe.do("draw", cards=3)
        assert shoe.do("draw", force=True)["remaining"] == 287


def test_cards_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "cards").write_text("AH KD\n9C")
    with Hands.start("shoe", tmp_path / "shoe", "--cards", str(tmp_path / "cards")) as shoe:
        assert shoe.look()["next"] == ["AH", "KD", "9C"]


def test_several_hands_on_one_device(tmp_path: Path) -> None:
    hands = tmp_path / "hands"
    with (
        Hands.start("keypad", tmp_path / "pad", "--hands", str(hands)) as one,
        Hands.connect(hands) as two,
    ):
        one.do("switch", supervisor=True)
        two.wait_for(lambda state: state["supervisor"])


def test_waiting_ends_with_what_was_seen(tmp_path: Path) -> None:
    with (
        Hands.start("keypad", tmp_path / "pad") as pad,
        pytest.raises(TimeoutError, match=r"still not as wanted: .*NO CONTROLLER"),
    ):
        pad.wait_for(lambda state: state["served"], timeout=0.05)


def test_link_goes_with_the_device(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        shoe.do("unplug")
        assert not (tmp_path / "shoe").is_symlink()
        shoe.do("plug")
        assert (tmp_path / "shoe").exists()
        assert shoe.stop() == 0
    assert not (tmp_path / "shoe").is_symlink()


def test_sigterm_ends_it_cleanly(tmp_path: Path) -> None:
    with Hands.start("jackpot", tmp_path / "unit") as unit:
        assert unit.pid is not None
        os.kill(unit.pid, signal.SIGTERM)
        with pytest.raises(HandsError, match="exit status 0"):
            unit.wait_for(lambda _: False)


def test_killed_shoe_remembers_its_cards_and_events(tmp_path: Path) -> None:
    memory = str(tmp_path / "memory")
    with Hands.start("shoe", tmp_path / "shoe", "--memory", memory) as shoe:
        shoe.do("draw", force=True, count=3)
        before = shoe.look()
        shoe.kill()
    with Hands.start("shoe", tmp_path / "shoe", "--memory", memory) as shoe:
        after = shoe.look()
    for same in ("session", "last_event", "unacked", "remaining", "next"):
        assert after[same] == before[same]


@pytest.mark.parametrize(
    "spoilt",
    [
        '{"session_id": 5',
        '{"session_id": 5, "last_event": 2, "events": [], "model": {"cards": [[1, 1, 0, 1]]}}',
    ],
)
def test_spoilt_memory_is_a_new_session(spoilt: str, tmp_path: Path) -> None:
    (tmp_path / "memory").write_text(spoilt)
    memory = str(tmp_path / "memory")
    with Hands.start("shoe", tmp_path / "shoe", "--memory", memory) as shoe:
        assert shoe.look()["session"] != 5
        assert shoe.look()["last_event"] == 1


def test_nothing_of_the_controller_is_imported() -> None:
    folder = Path(__file__).parents[2] / "simulators"
    for source in folder.glob("*.py"):
        assert "import controller" not in source.read_text()
        assert "from controller" not in source.read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--serial", "LONGER-THAN-12"], "--serial: at most 12 ASCII characters"),
        (["--serial", "SCHÜTTLER"], "--serial: at most 12 ASCII characters"),
        (["--cards", "none/such"], "--cards: "),
    ],
)
def test_what_a_device_cannot_have_is_refused_at_its_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["shoe", "--link", str(tmp_path / "port"), *options])
    assert said in capsys.readouterr().err
