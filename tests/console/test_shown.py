"""What the sign is told: whether a round is in play, and what the unit has shown. What stands in a
round's QR code, with as many cosignatures as it holds."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import segno
import zxingcpp

from console.following import TableFollower
from console.sign import FILE, MOST, ShownMultipliers
from console.telling import for_sign
from controller.game.round.states import State
from controller.sheets.codes import as_svg
from controller.sheets.round_code import FORM, MOST_BYTES, round_code
from controller.table.state.parts import Phase

OWN = "table-controller/0123456789abcdef\n118\nROOT=\n\n\u2014 table-controller/0123 SIGNATURE=\n"
LINE = "\u2014 witness.example/w{} " + "A" * 104 + "=\n"
PROOF = b'{"entries": []}\n'


@pytest.mark.parametrize(("given", "kept"), [(0, 0), (3, 3), (100, 20)])
def test_as_many_cosignatures_as_fit_are_read_back(given: int, kept: int) -> None:
    checkpoint = OWN + "".join(LINE.format(number) for number in range(given))
    code = round_code(7, PROOF, checkpoint)
    assert (code.cosignatures, code.left_out) == (kept, given - kept)
    assert len(code.text.encode()) <= MOST_BYTES
    if code.left_out:
        assert len((code.text + LINE.format(kept)).encode()) > MOST_BYTES
    head = f"{FORM}\nround 7\nproof {sha256(PROOF).hexdigest()}"
    assert read(code.text) == f"{head}\n\n{code.checkpoint}"
    assert checkpoint.startswith(code.checkpoint)


def test_the_picture_runs_nothing_and_loads_nothing() -> None:
    picture = as_svg("a")
    assert picture.startswith("<svg ")
    assert not any(word in picture for word in ("href", "script", "style", "http://e"))


def read(text: str) -> str:
    matrix = segno.make(text, error="l", micro=False).matrix_iter(scale=3, border=4)
    rows = [bytes(0 if dark else 255 for dark in row) for row in matrix]
    picture = memoryview(b"".join(rows)).cast("B", (len(rows), len(rows[0])))
    [found] = zxingcpp.read_barcodes(picture)
    return str(found.text)


def state(number: int, offer: int = 1, box: int = 3, multiplier: int | None = 25) -> dict[str, Any]:
    return {"round": number, "meter": {"offer": offer, "box": box, "multiplier": multiplier}}


def entry(number: int, offer: int = 1, box: int = 3, multiplier: int = 25) -> dict[str, int]:
    return {"round": number, "offer": offer, "box": box, "multiplier": multiplier}


@pytest.mark.parametrize("held", ["", "held."])
def test_a_round_is_in_play_from_its_first_card_to_its_end(tmp_path: Path, held: str) -> None:
    over = {State.SETTLED, State.VOID}
    states = {*State, *Phase} - {Phase.PLAYING, Phase.ENDED}  # then the round's own is shown
    table = TableFollower(tmp_path, lambda: None)
    between = set()
    for each in states:
        table.status = {"state": f"{held}{each}"}
        told = for_sign(table, ShownMultipliers(tmp_path), ())["table"]
        assert isinstance(told, dict)
        if told["between"]:
            between.add(each)
    assert between == states - (set(State) - over)


def test_each_is_there_once_the_newest_first_and_no_more_than_can_be_read(tmp_path: Path) -> None:
    shown = ShownMultipliers(tmp_path)
    for number in range(1, MOST + 4):
        shown.note_meter(state(number, number))
        shown.note_meter(state(number, number))
    assert shown.last == [entry(number, number) for number in range(MOST + 3, 3, -1)]


def test_nothing_is_taken_from_a_meter_that_shows_nothing(tmp_path: Path) -> None:
    shown = ShownMultipliers(tmp_path)
    shown.note_meter({"round": 1, "meter": None})
    shown.note_meter(state(1, multiplier=None))
    shown.note_meter({})
    assert shown.last == []
    assert not (tmp_path / FILE).exists()


def test_a_meter_that_shows_again_behind_a_restart_adds_nothing(tmp_path: Path) -> None:
    shown = ShownMultipliers(tmp_path)
    shown.note_meter(state(4, 2))
    shown.note_meter(state(4, 3, box=5))
    again = ShownMultipliers(tmp_path)
    again.note_meter(state(4, 2))
    again.note_meter(state(4, 3, box=5))
    assert again.last == shown.last == [entry(4, 3, box=5), entry(4, 2)]


def test_what_was_shown_in_a_void_round_stays_and_the_round_after_it_is_another(
    tmp_path: Path,
) -> None:
    shown = ShownMultipliers(tmp_path)
    shown.note_meter(state(7, 9))
    shown.note_meter({"round": 7, "state": "void", "meter": None})
    shown.note_meter(state(8, 10))
    assert shown.last == [entry(8, 10), entry(7, 9)]


def test_another_journal_that_counts_anew_is_not_taken_for_the_old_one(tmp_path: Path) -> None:
    ShownMultipliers(tmp_path).note_meter(state(1))
    other = ShownMultipliers(tmp_path)
    other.note_meter(state(1, multiplier=50))
    assert [one["multiplier"] for one in other.last] == [50, 25]


@pytest.mark.parametrize("text", ["", "[{}]", '{"round": 1}', "[" * 5000, '[{"round": "1"}]'])
def test_a_file_that_is_none_of_ours_invents_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    shown = ShownMultipliers(tmp_path)
    assert shown.last == []
    shown.note_meter(state(2))
    assert json.loads((tmp_path / FILE).read_text(encoding="utf-8")) == [entry(2)]


def test_where_it_cannot_be_written_the_sign_still_knows_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "gone"
    shown = ShownMultipliers(folder)
    shown.note_meter(state(2))
    assert shown.last == [entry(2)]
    assert str(folder) in caplog.text
