"""Captures played again through drivers and table: all as it was, and planted changes found.

The captures in tests/captures were taken on the virtual bench (hil_tests/replay/capturing.py), each
with the journal of that time beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.daemon.devices.fleet import Fleet
from controller.daemon.devices.stewards import DeviceCommand, ShoeSteward
from controller.table.showing.wanted import Wants
from drivers.table_link.messages import decode, encode
from hil_tests.replay import JOURNAL, replay
from hil_tests.replay.__main__ import main
from hil_tests.replay.capturing import STORIES
from hil_tests.replay.case import CannotReplay
from hil_tests.replay.exported import BadExport
from tests.capture.support import ROOT

Line = dict[str, Any]
CAPTURES = ROOT / "tests" / "captures"


def lines_of(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def planted(folder: Path, name: str, change: Callable[[list[Line]], list[Line]]) -> Path:
    """A capture with something changed in it, and its journal as it was."""
    lines = change(lines_of(CAPTURES / f"{name}.jsonl"))
    lines[-1] = {"end": {"messages": len(lines) - 2, "dropped": 0}}
    path = folder / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="ascii")
    journal = path.with_suffix(JOURNAL)
    journal.write_bytes((CAPTURES / journal.name).read_bytes())
    return path


def refilled(line: Line, **fields: int) -> Line:
    """The line with other fields in its payload."""
    message = decode(bytes.fromhex(line["raw"]))
    payload = encode(message.type, message.id, {**message.fields, **fields})
    return {**line, "raw": payload.hex()}


def is_event(line: Line, name: str, number: int) -> bool:
    return line.get("message") == name and line["fields"]["event_no"] == number


@pytest.mark.parametrize("name", [*STORIES])
def test_what_was_captured_comes_again(name: str) -> None:
    came = replay(CAPTURES / f"{name}.jsonl")
    assert came.differences == []
    assert came.entries > 10


def test_the_stories_have_in_them_what_they_are_kept_for() -> None:
    told = {name: lines_of(CAPTURES / f"{name}.jsonl") for name in STORIES}
    names = {name: [line.get("message", "") for line in lines] for name, lines in told.items()}
    assert {"PRESS", "SHOW", "SHOWN", "ARM"} <= set(names["a-press"])
    ports = [line["port"] for line in told["pressed-while-unplugged"] if "port" in line]
    assert ports == ["closed", "opened"]
    assert "HELLO answer" in names["pressed-while-unplugged"]
    assert sum("bytes" in line for line in told["a-bad-line"]) > 5
    cards = [
        line["fields"]["event_no"] for line in told["a-bad-line"] if line.get("message") == "CARD"
    ]
    assert len(cards) > len(set(cards))  # sent again


Change = Callable[[list[Line]], list[Line]]


def by_line(change: Callable[[Line], Line | None]) -> Change:
    """Line by line behind the head; None leaves a line out."""
    return lambda lines: [lines[0], *(new for line in lines[1:] if (new := change(line)))]


def flipped(number: int, rank: int) -> Change:
    """That card has another rank."""
    return by_line(
        lambda line: refilled(line, rank=rank) if is_event(line, "CARD", number) else line
    )


def last_acknowledgement(device: str, *more: int) -> Change:
    """The last one of the device, covered by no later one, is not there, or others follow it."""

    def change(lines: list[Line]) -> list[Line]:
        is_one = [one.get("message") == "EVENT_ACK" and one["device"] == device for one in lines]
        last = len(lines) - 1 - is_one[::-1].index(True)
        others = [refilled(lines[last], event_no=number) for number in more]
        return [*lines[:last], *([lines[last]] if more else []), *others, *lines[last + 1 :]]

    return change


@pytest.mark.parametrize(
    ("change", "told", "alone"),
    [
        (flipped(6, 7), ["(CARD): rank is 7, was 6"], False),
        (flipped(7, 2), ["(CARD): rank is 2, was 9", "(CARD): after is"], False),
        (last_acknowledgement("shoe"), ["shoe: event 7 of session", " is acknowledged"], True),
        (
            last_acknowledgement("jackpot", 99),
            ["jackpot: event 99 of session", "is not acknowledged"],
            True,
        ),
        (
            by_line(lambda line: None if line.get("message") == "PRESS" else line),
            ["(PRESS)", "is not told SHOW"],
            False,
        ),
        (
            by_line(
                lambda line: refilled(line, lit=127) if line.get("message") == "LAMPS" else line
            ),
            ["keypad: shows LAMPS", "was LAMPS lit=127"],
            True,
        ),
    ],
    ids=["a card", "what is paid", "no acknowledgement", "another", "no press", "a display"],
)
def test_what_is_otherwise_is_found(
    tmp_path: Path, change: Change, told: list[str], *, alone: bool
) -> None:
    came = replay(planted(tmp_path, "a-press", change))
    assert [words for words in told if words not in "\n".join(came.differences)] == []
    assert len(came.differences) == 1 or not alone


@pytest.mark.parametrize(
    ("name", "fields", "why"),
    [
        ("GATE", {"cards": 9}, "shoe: is told GATE unlocked=1 cards=5; the capture has GATE"),
        ("SHOW", {"multiplier": 3}, "jackpot: is told SHOW"),
        ("ARM", {"box": 2}, "jackpot: is told ARM"),
    ],
)
def test_another_command_is_found(
    tmp_path: Path, name: str, fields: dict[str, int], why: str
) -> None:
    done: list[Line] = []

    def alter(line: Line) -> Line:
        if line.get("message") != name or done:
            return line
        done.append(line)
        return refilled(line, **fields)

    came = replay(planted(tmp_path, "a-press", by_line(alter)))
    assert any(why in told for told in came.differences), came.differences


def test_another_entry_of_the_dealer_is_found(tmp_path: Path) -> None:
    path = planted(tmp_path, "a-press", lambda lines: lines)
    journal = path.with_suffix(JOURNAL)
    text = journal.read_text("ascii")
    assert '"wager 1b main 50"' in text
    journal.write_text(text.replace('"wager 1b main 50"', '"wager 1b main 60"'), encoding="ascii")
    came = replay(path)
    assert any("'stake': '60.00'" in told for told in came.differences)
    journal.write_text(text.replace('"stand 3"', '"stand 4"'), encoding="ascii")
    came = replay(path)
    assert any("'stand 4', is refused" in told for told in came.differences)


def test_a_capture_of_another_clock_is_brought_to_the_journals(tmp_path: Path) -> None:
    ahead = 3_600_000_000_000

    def moved(lines: list[Line]) -> list[Line]:
        head = {**lines[0], "boot_id": "host", "began_ns": lines[0]["began_ns"] + ahead}
        rest = [{**line, "at_ns": line["at_ns"] + ahead} for line in lines[1:-1]]
        return [head, *rest, lines[-1]]

    came = replay(planted(tmp_path, "pressed-while-unplugged", moved))
    assert came.differences == []


def one_by_one(folder: Path, name: str) -> list[Path]:
    """A capture as one file for each device."""
    whole = CAPTURES / f"{name}.jsonl"
    head, *lines, _ = lines_of(whole)
    paths = []
    for device, told in head["devices"].items():
        here = [line for line in lines if line["device"] == device]
        end = {"end": {"messages": len(here), "dropped": 0}}
        paths.append(folder / f"{device}.jsonl")
        all_lines = [{**head, "devices": {device: told}}, *here, end]
        paths[-1].write_text("".join(f"{json.dumps(line)}\n" for line in all_lines), "ascii")
    return paths


def test_captures_of_single_devices_are_merged(tmp_path: Path) -> None:
    paths = one_by_one(tmp_path, "a-press")
    assert len(paths) == 4
    assert replay(*paths, journal=CAPTURES / f"a-press{JOURNAL}").differences == []


def test_one_that_begins_in_mid_round_is_refused(tmp_path: Path) -> None:
    def later(lines: list[Line]) -> list[Line]:
        first = next(n for n, line in enumerate(lines) if line.get("message") == "CARD")
        return [{**lines[0], "began_ns": lines[first]["at_ns"]}, *lines[first:]]

    with pytest.raises(CannotReplay, match="in mid-round"):
        replay(planted(tmp_path, "a-press", later))


def test_one_with_gaps_is_refused(tmp_path: Path) -> None:
    path = planted(tmp_path, "a-press", lambda lines: lines)
    lines = lines_of(path)
    lines[-1] = {"dropped": 3}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="ascii")
    with pytest.raises(CannotReplay, match="3 messages are missing"):
        replay(path)


def test_the_journal_of_another_table_is_refused() -> None:
    other = CAPTURES / f"a-bad-line{JOURNAL}"
    with pytest.raises(CannotReplay, match="this table's"):
        replay(CAPTURES / "a-press.jsonl", journal=other)


def test_an_export_that_is_none_is_refused(tmp_path: Path) -> None:
    path = planted(tmp_path, "a-press", lambda lines: lines)
    journal = path.with_suffix(JOURNAL)
    text = journal.read_text("ascii")
    for content in ("", "{}\n", "tea\n", text[text.index("\n") + 1 :]):
        journal.write_text(content, encoding="ascii")
        with pytest.raises(BadExport, match=r"a-press.journal.jsonl"):
            replay(path)


def test_the_command_says_by_its_exit_how_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(CAPTURES / "a-press.jsonl")]) == 0
    assert "21 entries in" in capsys.readouterr().out

    path = planted(tmp_path, "a-press", flipped(6, 7))
    assert main([str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["differences"]
    assert main([str(tmp_path / "nothing.jsonl")]) == 2
    assert "nothing.jsonl" in capsys.readouterr().err
    assert main([str(path), "--journal", str(path)]) == 2
    assert "no entry of a journal" in capsys.readouterr().err


def test_a_controller_that_does_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fleet, "_acknowledge", lambda *_: None)
    silent = replay(CAPTURES / "a-press.jsonl")
    assert any("event 2" in told and "not acknowledged" in told for told in silent.differences)


def test_a_controller_that_leaves_the_gate_open_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ShoeSteward.next_command

    def never_locks(steward: ShoeSteward, wants: Wants) -> DeviceCommand | None:
        wanted = plain(steward, wants)
        locks = wanted is not None and wanted.name == "GATE" and not wanted.fields["unlocked"]
        return None if locks else wanted

    monkeypatch.setattr(ShoeSteward, "next_command", never_locks)
    came = replay(CAPTURES / "a-press.jsonl")
    assert any("is not told GATE unlocked=0" in told for told in came.differences)


def test_a_capture_that_is_cut_off_is_good_up_to_there_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (CAPTURES / "a-press.jsonl").read_bytes()
    path = tmp_path / "a-press.jsonl"
    path.write_bytes(whole[: whole.index(b"\n", 4000) + 20])
    journal = path.with_suffix(JOURNAL)
    journal.write_bytes((CAPTURES / journal.name).read_bytes())
    cut_off = path.read_bytes().count(b"\n") + 1
    assert main([str(path)]) == 0
    told = capsys.readouterr()
    assert told.err == f"{path}: line {cut_off} is cut off and left out\n"
    assert "as it was" in told.out
