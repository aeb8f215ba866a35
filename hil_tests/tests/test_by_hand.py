"""Devices tried by hand at a real table: simulated devices do what the person is told to, and each
fault that is planted in them is found and named."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.cli.devices import devices
from controller.cli.main import main
from controller.commissioning.by_hand import buttons, cards
from controller.commissioning.person import PersonAtTerminal
from drivers.link_counters import DEGRADING_FROM
from hil_tests.bench.logged_program import until
from hil_tests.bench.processes import ROOT
from simulators import hands as simulated

WAIT_S = 60.0
ALL_YES: dict[str, str] = {"[y/n]": "y"}


class Table:
    """A table that ``demo --stay`` has put up, in service."""

    def __init__(self, told: dict[str, str]) -> None:
        self.socket = told["socket"]
        self.order("service on")

    def order(self, command: str, code: int = 0) -> None:
        assert main(["supervisor", command, "--by", "Sue", "--why", "x", *self._socket]) == code

    @property
    def _socket(self) -> list[str]:
        return ["--socket", self.socket]

    def becomes(self, device: str, name: str, value: object) -> bool:
        """Whether that is to be seen at the device within some seconds: it is put back when its
        trial has ended."""
        with self._hands_at(device) as twin:
            try:
                return bool(twin.wait_for(lambda state: state[name] == value, 10.0))
            except TimeoutError:
                return False

    def handle(self, device: str, verb: str, /, **given: Any) -> dict[str, Any]:
        with self._hands_at(device) as twin:
            return twin.do(verb, **given)

    def _hands_at(self, device: str) -> simulated.Hands:
        return simulated.Hands.connect(Path(self.socket).with_name("twins") / device)


class Hands(io.StringIO):
    """A person who does what he is told: ``script`` has for words in a prompt what he does then, or
    what he types."""

    def __init__(self, script: dict[str, Callable[[], object] | str]) -> None:
        super().__init__()
        self.script = script
        self.reading, self._typing = os.pipe()

    def write(self, text: str) -> int:
        for words, does in self.script.items():
            if words in text:
                if isinstance(does, str):
                    os.write(self._typing, f"{does}\n".encode())
                else:
                    does()
        if text.rstrip().endswith("then Enter"):
            os.write(self._typing, b"\n")
        return super().write(text)

    def leave(self) -> None:
        os.close(self.reading)
        os.close(self._typing)


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder = tmp_path_factory.mktemp("by-hand")
    with subprocess.Popen(
        [sys.executable, "-m", "controller.cli.main", "demo", "--stay", "--json"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    ) as demo:
        try:
            assert demo.stdout
            yield Table(json.loads(demo.stdout.readline()))
        finally:
            demo.send_signal(signal.SIGTERM)
            demo.communicate(timeout=WAIT_S)


@pytest.fixture
def table(standing: Table) -> Iterator[Table]:
    yield standing
    standing.handle("jackpot", "display", mode="good")
    standing.handle("keypad", "switch", supervisor=False)


Try = Callable[..., dict[str, Any]]


@pytest.fixture
def tried(table: Table, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Try:
    """Try one thing of a device; what came of it."""

    def run_test(
        device: str, only: str, script: dict[str, Any], *more: str, wait: str = "20"
    ) -> dict[str, Any]:
        hands = Hands(script)
        monkeypatch.setattr(
            devices, "PersonAtTerminal", lambda: PersonAtTerminal(hands.reading, hands)
        )
        words = ["devices", "test", device, "--by-hand", "--only", only, "--wait", wait, *more]
        capsys.readouterr()
        try:
            code = main([*words, "--json", "--socket", table.socket])
        finally:
            hands.leave()
        out, err = capsys.readouterr()
        assert out, err
        told = json.loads(out)
        tests = {test["name"]: test for test in told["tests"]}
        # The command's end is that of all tests, those without a person among them; a machine that
        # is busy answers late, and its line may fail for it.
        failed = {name for name, test in tests.items() if not test["ok"]}
        assert failed <= {only, "line"}, tests
        assert (code, told["well"]) == ((1, False) if failed else (0, True)), tests
        assert only in hands.getvalue()
        return dict(tests[only])

    return run_test


# ---- the shoe ---------------------------------------------------------------------------------

PACK = "AC 2C 3C 4C 5C 9D"


def a_pack(table: Table, cards: str, **marks: bool) -> dict[str, Any]:
    """The person puts these cards in, and draws them all when he is told to."""

    def draw() -> None:
        table.handle("shoe", "draw", count=len(cards.split()), **marks)

    return {
        "Put the known pack in": lambda: table.handle("shoe", "load", cards=cards),
        "Draw them all": draw,
    }


@pytest.mark.parametrize(
    ("cards", "found"),
    [
        (PACK, ""),
        ("AC 2C 3C 4C 5H 9D", "1 misread of 6 cards; 5C as 5H; by suit: clubs;"),
        ("AC 2C 3C 5C 9D", "not reported: 4C;"),
        ("AC 2C 3C 4C 4C 5C 9D", ""),
    ],
)
def test_a_known_pack_is_read_or_what_was_misread_is_named(
    table: Table, tried: Try, cards: str, found: str
) -> None:
    if len(cards.split()) > len(PACK.split()):
        script = a_pack(table, cards)
        test = tried("shoe", "pack", script, "--pack", PACK)
        assert test["what"].startswith("too many: 4C")
        return
    test = tried("shoe", "pack", a_pack(table, cards), "--pack", PACK)
    assert test["ok"] is (not found)
    assert test["what"].startswith(found or "6 cards read right")


def test_cards_that_cannot_be_read_are_named(table: Table, tried: Try) -> None:
    script = a_pack(table, PACK, unread=True)
    test = tried("shoe", "pack", script, "--pack", PACK, "--passes", "2")
    assert test["what"].startswith("pass 1: 6 misreads of 6 cards; AC as ??; 2C as ??")
    assert "by suit" not in test["what"]


def test_passes_are_counted_and_a_wait_can_be_ended(table: Table, tried: Try) -> None:
    test = tried("shoe", "pack", a_pack(table, PACK), "--pack", PACK, "--passes", "2")
    assert test["what"] == "12 cards in 2 passes read right"
    nothing = {"Draw them all": "", "Did you draw any card?": "y"}
    script = {**a_pack(table, "AC 2C"), **nothing}
    test = tried("shoe", "pack", script, "--pack", PACK)
    assert "not reported: AC, 2C, 3C, 4C, 5C, 9D" in test["what"]


def test_a_new_pack_is_expected_as_the_table_plays(table: Table, tried: Try) -> None:
    script = {"Put the known pack in, 48 cards": lambda: table.handle("shoe", "load", decks=1)}
    test = tried("shoe", "pack", {**script, "Draw them all": "", "any card?": "y"})
    assert "and 42 more" in test["what"]


def test_the_gate(table: Table, tried: Try) -> None:
    assert tried("shoe", "gate", ALL_YES)["ok"]
    table.handle("shoe", "load", cards="9D 8D")
    leaky = {"pull gently": lambda: table.handle("shoe", "draw", force=True)}
    test = tried("shoe", "gate", leaky)
    assert "it let 9D (through the locked gate) through" in test["what"]
    assert "the answer was no" in tried("shoe", "gate", {"[y/n]": "n"})["what"]


def test_the_lamp(table: Table, tried: Try) -> None:
    seen: list[Any] = []

    def note_lamp() -> None:
        state = table.handle("shoe", "look")["state"]
        seen.append((state["signal"], state["blink"]))

    script: dict[str, Any] = {
        "Is the shoe's lamp": note_lamp,
        "Does it blink": note_lamp,
        **ALL_YES,
    }
    assert tried("shoe", "lamp", script)["ok"]
    assert seen == [("green", False), ("amber", False), ("red", False), ("red", True)]
    test = tried("shoe", "lamp", {"amber": "no idea\nn", "green": "yes"})
    assert test["what"] == "the answer was no: Is the shoe's lamp amber?"


# ---- button and meter -------------------------------------------------------------------------


def test_presses_are_timed_and_a_dead_button_is_named(table: Table, tried: Try) -> None:
    test = tried("jackpot", "button", {"Press the button once": lambda: press(table)})
    assert test["what"].startswith("3 presses, ")
    test = tried("jackpot", "button", {"Did you press it?": "y"}, wait="0.2")
    assert "press 1 of 3 did not come, the unit saw none" in test["what"]
    assert table.becomes("jackpot", "armed", None)


def press(table: Table) -> None:
    table.handle("jackpot", "press")


def test_a_press_without_being_armed(
    table: Table, tried: Try, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buttons, "QUIET_S", 0.3)
    script = {"armed: press it": lambda: press(table), "Did you press it?": "y"}
    assert tried("jackpot", "not armed", script)["ok"]
    script["Did you press it?"] = "n"
    assert "the answer was no" in tried("jackpot", "not armed", script)["what"]


def test_a_button_that_is_held(table: Table, tried: Try, monkeypatch: pytest.MonkeyPatch) -> None:
    down: dict[str, Any] = {"keep it down": lambda: table.handle("jackpot", "hold")}
    up = {"Let go": lambda: table.handle("jackpot", "release")}
    assert "free again" in tried("jackpot", "hold", {**down, **up})["what"]
    monkeypatch.setattr(buttons, "HELD_S", 0.3)
    test = tried("jackpot", "hold", down)
    assert "still down for the unit" in test["what"]
    table.handle("jackpot", "release")
    script = {"Did you keep it down?": "y"}
    assert "nothing was reported" in tried("jackpot", "hold", script, wait="0.2")["what"]


def test_the_light_and_the_test_pattern(table: Table, tried: Try) -> None:
    assert tried("jackpot", "light", ALL_YES)["ok"]
    assert tried("jackpot", "test pattern", ALL_YES)["ok"]
    test = tried("jackpot", "test pattern", {"segments": "n"})
    assert test["what"] == "the answer was no: Are all segments of the meter lit?"
    assert table.becomes("jackpot", "pattern", 0)


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        ("good", "100, 50, 25, 20, 10, 5, 3, 2: each shown and read back"),
        ("dark", "100 cannot be read; 50 cannot be read"),
        ("wrong", "100 reads "),
        ("mute", "100 is not reported as shown"),
    ],
)
def test_every_figure_is_shown_and_read_back(
    table: Table, tried: Try, monkeypatch: pytest.MonkeyPatch, mode: str, found: str
) -> None:
    monkeypatch.setattr(buttons, "SHOWN_S", 0.3 if mode == "mute" else 5.0)
    table.handle("jackpot", "display", mode=mode)
    test = tried("jackpot", "figures", ALL_YES)
    assert test["what"].startswith(found)
    assert test["ok"] is (mode == "good")
    assert table.becomes("jackpot", "shown", 0)


# ---- shuffler and keypad ----------------------------------------------------------------------


def test_a_set_through_the_shuffler(table: Table, tried: Try) -> None:
    table.handle("shuffler", "load", set=1)
    test = tried("shuffler", "passes", {}, "--passes", "2")
    assert test["what"] == "set 1: 2 passes, 384 cards each, complete"


def test_what_a_shuffler_finds_is_named(
    table: Table, tried: Try, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.handle("shuffler", "load", set=1)
    table.handle("shuffler", "plant", set=1, card="9D", difference=-1)
    test = tried("shuffler", "passes", {})
    assert "1 9D missing" in test["what"]
    assert "expected are 384 cards, counted were 383" in test["what"]
    table.handle("shuffler", "plant", set=1, result="unreadable")
    assert "a card cannot be read" in tried("shuffler", "passes", {})["what"]
    table.handle("shuffler", "load", set=1, count=0)
    assert "refuses START" in tried("shuffler", "passes", {})["what"]
    table.handle("shuffler", "load", set=1, count=380)

    one = cards._one_pass

    def then_some_are_taken_out(*given: Any) -> tuple[int, str]:
        found = one(*given)
        table.handle("shuffler", "load", set=1, count=379)
        return found

    monkeypatch.setattr(cards, "_one_pass", then_some_are_taken_out)
    test = tried("shuffler", "passes", {}, "--passes", "2")
    assert "the passes do not agree: 380, 379 cards" in test["what"]


def test_a_shuffler_that_jams_or_falls_silent(
    table: Table, tried: Try, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.handle("shuffler", "load", set=1)
    jams: dict[str, Any] = {"(1 of 1)": lambda: table.handle("shuffler", "jam")}
    test = tried("shuffler", "passes", jams)
    assert "refuses START" in test["what"]
    table.handle("shuffler", "door", open=True)
    table.handle("shuffler", "door", open=False)


def test_rows_lamps_and_keys(table: Table, tried: Try) -> None:
    assert tried("keypad", "rows", ALL_YES)["ok"]
    assert tried("keypad", "lamps", ALL_YES)["ok"]
    every = "0123456789.#*ONBMPJSDLIUWYFAXVRE"
    script = {"Press every key": lambda: table.handle("keypad", "key", keys=every)}
    assert tried("keypad", "keys", script)["what"] == "all 32 keys"
    script = {"Press every key": lambda: table.handle("keypad", "key", keys=every[:-2])}
    assert "not heard: R E" in tried("keypad", "keys", script, wait="0.5")["what"]
    said = {"Did you press any key?": "n"}
    assert "the answer was no" in tried("keypad", "keys", said, wait="0.2")["what"]


def test_the_key_switch(table: Table, tried: Try) -> None:
    def turn(*, supervisor: bool) -> None:
        table.handle("keypad", "switch", supervisor=supervisor)
        table.handle("keypad", "key", keys="1")

    script: dict[str, Any] = {
        "switch to supervisor": lambda: turn(supervisor=True),
        "switch to dealer": lambda: turn(supervisor=False),
    }
    assert tried("keypad", "key switch", script)["ok"]
    script["switch to dealer"] = lambda: turn(supervisor=True)
    assert (
        "turned to dealer, the keypad says otherwise"
        in (tried("keypad", "key switch", script)["what"])
    )
    said = {"Did you press a key": "y"}
    assert "no key came" in tried("keypad", "key switch", said, wait="0.2")["what"]


# ---- what ends a trial ------------------------------------------------------------------------


def test_a_cable_pulled_in_the_middle(table: Table, tried: Try) -> None:
    pulls: dict[str, Any] = {"(1 of 3)": lambda: table.handle("jackpot", "unplug")}
    test = tried("jackpot", "button", pulls, wait="0.5")
    assert not test["ok"]
    assert "not tried to the end" in test["what"]
    table.handle("jackpot", "plug")


def test_nobody_is_there(table: Table, tried: Try) -> None:
    def goes() -> None:
        os.close(hands[0]._typing)
        hands[0]._typing = os.open(os.devnull, os.O_WRONLY)

    hands: list[Hands] = []
    original = Hands.__init__

    def noted(self: Hands, script: Any) -> None:
        original(self, script)
        hands.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Hands, "__init__", noted)
        test = tried("shoe", "lamp", {"(1 of 1)": goes})
    assert test["what"] == "not done, nobody answered: Is the shoe's lamp green?"


def test_when_service_ends_so_does_the_trial(
    table: Table, tried: Try, capsys: pytest.CaptureFixture[str]
) -> None:
    script: dict[str, Any] = {"(1 of 1)": lambda: table.order("service off")}
    with pytest.raises(ValueError, match="Expecting value"):  # what the order said is there, too
        tried("shoe", "lamp", script)
    words = ["devices", "test", "shoe", "--by-hand", "--socket", table.socket]
    assert main(words) == 3
    assert "in service, and the table is idle" in capsys.readouterr().err
    table.order("service on")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("roulette",), "no device 'roulette'"),
        (("shoe", "--only", "figures"), "of a shoe expected one of lamp, gate, pack"),
        (("--port", "/dev/null"), "takes the NAME"),
        (("shoe", "--pack", "1X"), "is not a card"),
        (("shoe", "--pack", " "), "expected cards"),
        (("shoe", "--passes", "0"), "expected 1 to 100"),
        (("shoe", "--wait", "x"), "expected seconds"),
    ],
)
def test_wrong_use_is_said(
    table: Table, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    try:
        code = main(["devices", "test", "--by-hand", *words, "--socket", table.socket])
    except SystemExit as left:
        code = int(left.code or 0)
    assert code == 2
    assert said in capsys.readouterr().err


def test_a_line_that_has_sent_again_fails_beside_a_test_that_is_well(
    table: Table, tried: Try, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a machine that is too busy to answer in time."""

    def link() -> tuple[str, int]:
        capsys.readouterr()
        assert main(["devices", "list", "--stats", "--json", "--socket", table.socket]) == 0
        told = json.loads(capsys.readouterr().out)["keypad"]
        return told["link"], told["stats"]["minute"].get("retries", 0)

    table.handle("keypad", "hold_back", outward=True)
    until(lambda: link()[0] != "up", "it is still up")
    table.handle("keypad", "let_go", drop=True)
    until(lambda: link()[0] == "up", "it is not up again")
    assert link()[1] >= DEGRADING_FROM
    assert tried("keypad", "rows", ALL_YES)["ok"]


def test_every_test_is_an_entry_and_the_table_is_as_it_was(
    table: Table, tried: Try, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tried("shoe", "gate", ALL_YES)
    capsys.readouterr()
    assert main(["status", "--json", "--socket", table.socket]) == 0
    state = json.loads(capsys.readouterr().out)
    assert (state["state"], state["round"], state["held"]) == ("service", 0, None)
    assert main(["journal", "export", "--state", state["state_directory"]]) == 0
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    tested = [entry for entry in entries if entry["type"] == "device-tested"]
    assert {"test": "gate", "ok": True, "by_hand": True}.items() <= tested[-1]["body"].items()
    commands = [entry["body"] for entry in entries if entry["type"] == "device-command"]
    assert {"command": "GATE", "fields": {"unlocked": 0, "cards": 0}}.items() <= commands[
        -1
    ].items()
