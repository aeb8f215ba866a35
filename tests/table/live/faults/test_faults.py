"""The catalogue of faults: whole, and each fault ended only by whom it says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import controller.table
from controller.faults.catalogue import CATALOGUE, UNKNOWN
from controller.faults.model import Clears, Fault, notice
from controller.game.commands.values import Malformed
from controller.game.commands.verbs import SUPERVISORS
from controller.game.rules.cases import TRIGGERS
from tests.table.live.driver import Live, dealt
from tests.table.live.faults.fault_scenes import CONDITIONS, HOLDING, SCENES, Makes, tell


def _named_in(source: str) -> set[str]:
    """Codes that are given to ``Hold`` or told as a condition, where they stand in the code."""
    tree = ast.parse(source)
    strings = {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Constant)
        and isinstance(target := node.targets[0], ast.Name)
    }
    found: set[str] = set()
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "id", None) or getattr(call.func, "attr", None)
        place = {"Hold": 0, "has_come": 1, "end": 1, "condition": 0, "FaultFinding": 0}.get(
            str(name)
        )
        if place is None or len(call.args) <= place:
            continue
        for part in ast.walk(call.args[place]):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                found.add(part.value)
            elif isinstance(part, ast.Name) and isinstance(strings.get(part.id), str):
                found.add(str(strings[part.id]))
    return found


def test_every_fault_that_the_code_names_is_in_the_catalogue() -> None:
    root = Path(controller.table.__file__).parents[1]
    found: set[str] = set()
    for folder in ("table", "daemon"):
        for path in (root / folder).rglob("*.py"):
            found |= _named_in(path.read_text(encoding="utf-8"))
    named = {code for code in found if re.fullmatch(r"[a-z]+(-[a-z]+)+", code)}
    assert {"device-refuses", "meter-silent", "shoe-count", "clock-stepped"} <= named
    assert named <= CATALOGUE.keys()


def test_every_irregularity_has_its_place() -> None:
    other_names = {"face-up", "foreign", "together", "drawn", "count", "power"}
    assert TRIGGERS.keys() - CATALOGUE.keys() == other_names


@pytest.mark.parametrize("fault", CATALOGUE.values(), ids=lambda fault: fault.code)
def test_a_fault_is_told_in_whole_sentences(fault: Fault) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", fault.code)
    for text in (fault.text, fault.next_step):
        assert text[0].isupper() or text[0].isdigit()
        assert text.endswith(".")
        assert "  " not in text
    assert len(fault.text.split()) >= 4
    assert all(re.fullmatch(r"[A-Z]{3}-\d\d", row) for row in fault.requirements)
    assert fault.of_controller <= (fault.throttle_s > 0 or fault.code in SCENES)


def test_only_what_holds_play_keeps_devices_closed() -> None:
    with pytest.raises(ValueError, match="only what holds play at once"):
        notice("x", "X.", "Y.", devices_closed=True)


@pytest.mark.parametrize("code", [code for code in CONDITIONS if CATALOGUE[code].holds])
def test_it_is_ended_by_whom_the_catalogue_says(code: str) -> None:
    table = Live()
    fault = CATALOGUE[code]
    tell(table, code)
    may_resume = "resume" in table.status()["held"]["remedies"]
    assert may_resume == (fault.clears in (Clears.SUPERVISOR, Clears.NAMED))
    match fault.clears:
        case Clears.NAMED:
            with pytest.raises(Malformed, match="resume needs who and why: --by NAME --why TEXT"):
                table.order("resume", by="Sue", why=None)
        case Clears.CURED | Clears.ITSELF:
            table.refuses_order("resume", "still")
    notes = tell(table, code, present=False)
    assert notes[0].startswith("over: ")
    held = table.status()["held"]
    if fault.clears is Clears.ITSELF:
        assert held is None
        return
    assert held["fault"] == code
    assert table.order("resume").as_body()["ended"] == [code]
    assert table.status()["held"] is None
    assert table.status()["conditions"] == {}


def test_a_resume_tells_what_it_has_ended_and_not_what_still_stands() -> None:
    table = Live()
    for code in ("journal-cut", "heads-doubted", "program-damaged"):
        tell(table, code)
    body = table.order("resume").as_body()
    assert body["ended"] == ["journal-cut", "heads-doubted"]
    assert table.status()["held"]["fault"] == "program-damaged"
    tell(table, "program-damaged", present=False)
    assert table.order("resume").as_body()["ended"] == ["program-damaged"]
    tell(table, "clock-ahead")
    assert table.order("resume").as_body()["ended"] == ["clock-ahead"], "a notice is accepted"
    assert "ended" not in table.say("open").as_body()


def test_the_key_switch_names_nobody_and_so_does_not_end_what_needs_a_name() -> None:
    table = Live()
    tell(table, "program-changed")
    assert table.keys("E", supervisor=True) == "NO: SAY WHO AND WHY"
    assert table.status()["held"]["fault"] == "program-changed"
    table.order("resume")
    assert table.status()["held"] is None


def test_what_may_be_ended_is_ended_and_what_may_not_stays() -> None:
    table = dealt("9C 7D")
    table.up("keypad", new_session=True)
    tell(table, "generator-failed")
    table.order("resume")
    assert [hold.fault for hold in table.table.holds.standing] == ["generator-failed"]
    assert table.status()["held"]["remedies"] == ["void"]


def test_a_void_round_does_not_mend_the_controller() -> None:
    table = dealt("9C 7D")
    table.up("keypad", new_session=True)
    tell(table, "journal-damaged")
    table.order("void")
    assert [hold.fault for hold in table.table.holds.standing] == ["journal-damaged"]
    assert table.state == "held.void"


def test_devices_stay_closed_until_the_fault_is_ended() -> None:
    table = Live()
    assert table.wants().devices_open
    tell(table, "program-damaged")
    assert not table.wants().devices_open
    tell(table, "program-damaged", present=False)
    assert not table.wants().devices_open
    table.order("resume")
    assert table.wants().devices_open


def test_a_disk_that_fills_holds_play_when_the_round_is_over() -> None:
    table = dealt("9C 7D 9H")
    [said] = tell(table, "disk-full-soon", "12 MiB are free")
    assert said.endswith("12 MiB are free; play is held when this round is over")
    assert "12 MiB are free" in table.status()["prompt"]
    assert table.status()["held"] is None
    table.play("stand 1", "KD")
    assert table.state == "held.settled"
    assert table.status()["held"]["fault"] == "disk-full-soon"
    tell(table, "disk-full-soon", "900 MiB are free", present=False)
    assert table.state == "settled"
    table.say("next", "open")


def test_one_that_is_over_before_the_round_is_holds_nothing() -> None:
    table = dealt("9C 7D 9H")
    tell(table, "disk-full-soon")
    tell(table, "disk-full-soon", present=False)
    table.play("stand 1", "KD")
    assert table.status()["held"] is None


def test_a_controller_that_lost_power_meanwhile_remembers() -> None:
    table = dealt("9C 7D 9H")
    tell(table, "disk-full-soon")
    table.start("boot-1")
    table.up("shoe")
    table.play("stand 1", "KD")
    assert table.status()["held"]["fault"] == "disk-full-soon"


def test_a_notice_is_shown_for_as_long_as_it_lasts() -> None:
    table = Live()
    tell(table, "disk-low", "9 days are left")
    table.say("open", "wager 1 main 10")
    assert "9 days are left" in table.status()["prompt"]
    assert table.status()["conditions"] == {"disk-low": "9 days are left"}
    tell(table, "disk-low", "8 days are left")
    assert "9 days" not in table.status()["prompt"]
    tell(table, "disk-low", present=False)
    assert "days" not in table.status()["prompt"]


def test_what_makes_people_wait_is_shown_in_mid_round_too() -> None:
    table = dealt("9C 7D")
    tell(table, "disk-low", "9 days are left")
    tell(table, "disk-slow", "an entry took 3.0 s")
    assert "9 days are left" not in table.status()["prompt"]
    assert "waits for it: an entry took 3.0 s" in table.status()["prompt"]
    assert table.status()["held"] is None
    tell(table, "disk-slow", present=False)
    assert "waits for it" not in table.status()["prompt"]


def test_a_remark_is_told_once() -> None:
    table = Live()
    assert tell(table, "clock-stepped", "back by 7.0 s") == [
        "the clock of the box has jumped: back by 7.0 s"
    ]
    assert "jumped" not in table.status()["prompt"]


def test_a_fault_of_a_later_version_holds_and_names_itself() -> None:
    table = dealt("9C 7D")
    tell(table, "warp-core-breach", "x" * 5000)
    held = table.status()["held"]
    assert held["fault"] == UNKNOWN
    assert "warp-core-breach: xxx" in held["reason"]
    assert len(held["reason"]) < 1000
    tell(table, "warp-core-breach", present=False)
    table.order("resume")
    assert table.status()["held"] is None


@pytest.mark.parametrize(("code", "makes"), HOLDING, ids=[code for code, _ in HOLDING])
def test_its_help_names_only_what_is_a_remedy_there(code: str, makes: Makes) -> None:
    status = makes().status()
    if (held := status["held"]) is None:
        return  # the document puts it right by itself
    may = {command.split()[0] for command in [*held["remedies"], *status["permitted"]]}
    named = {said.split()[0] for said in re.findall(r"`([^`]+)`", held["next_step"])}
    assert named & {*SUPERVISORS} <= may
