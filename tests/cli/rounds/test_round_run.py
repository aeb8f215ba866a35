"""``round run``: the fixed formats, exit codes, and that one bad script stops no other."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.main import main
from tests.cli.support import EXAMPLES, ROOT, Tablectl, a_process

PONTOON = EXAMPLES / "pontoon-with-standing-bettor.json"
SETTLEMENT = ("box", "bettor", "hand", "kind", "stake", "outcome", "odds", "net", "clause")
RESULT = {
    "title": "Pontoon, 25x, with a standing bettor",
    "rules": "mbs-pontoon-pandemonium-v5",
    "outcome": "settled",
    "dealer": {"cards": "8H 9C", "total": 17},
    "boxes": {
        "1": [{"cards": "AS KC", "total": 21}],
        "3": [{"cards": "9D 9H", "total": 18}],
    },
    "settlements": [
        dict(zip(SETTLEMENT, row, strict=True))
        for row in [
            (1, "a", 1, "pair", "10.00", "lose", None, "-10.00", "3.15.1"),
            (1, "a", 1, "main", "100.00", "win", "3:2", "150.00", "3.19"),
            (1, "b", 1, "main", "50.00", "win", "3:2", "75.00", "3.19"),
            (1, "a", 1, "pandemonium", "5.00", "win", "25:1", "125.00", "3.19.1"),
            (3, "a", 1, "main", "25.00", "win", "1:1", "25.00", "4.3.2"),
        ]
    ],
    "net": {"1a": "265.00", "1b": "75.00", "3a": "25.00"},
}


def script(**changes: Any) -> dict[str, Any]:
    return {**json.loads(PONTOON.read_text(encoding="utf-8")), **changes}


def write(path: Path, *scripts: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(s) + "\n" for s in scripts), encoding="utf-8")
    return path


def test_the_result_is_exactly_that(tablectl: Tablectl) -> None:
    for argv in (["round", "run", "--json", PONTOON], ["--json", "round", "run", PONTOON]):
        ran = tablectl(*argv)
        assert (ran.code, ran.err) == (0, "")
        assert json.dumps(ran.json) == json.dumps(RESULT)


def test_the_account_reads_as_the_round_was_played(tablectl: Tablectl) -> None:
    ran = tablectl("round", "run", PONTOON)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "Pontoon, 25x, with a standing bettor"
    play = lines.index("play")
    assert lines[play + 1 : play + 6] == [
        "  box 1 AS, box 3 9D, dealer 8H, box 1 KC, box 3 9H",
        "  press 1",
        "  the meter shows 25x",
        "  stand 3",
        "  dealer 9C",
    ]
    assert "  1a  pandemonium    5.00  win   25:1  +125.00  [3.19.1]" in lines
    assert "  1a  +265.00" in lines


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_every_example_runs(tablectl: Tablectl, path: Path) -> None:
    assert tablectl("round", "run", path).code == 0


def test_a_file_of_many_has_a_result_a_line(tablectl: Tablectl, tmp_path: Path) -> None:
    path = write(tmp_path / "many.jsonl", script(title="one"), script(title="two"))
    ran = tablectl("round", "run", "--json", path, PONTOON)
    assert [line["title"] for line in ran.lines] == ["one", "two", RESULT["title"]]


@pytest.mark.parametrize("name", ["one.json", "many.jsonl"])
def test_a_byte_order_mark_is_taken_off(tablectl: Tablectl, tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, script(title="one"))
    path.write_bytes(codecs.BOM_UTF8 + path.read_bytes())
    assert [line["title"] for line in tablectl("round", "run", "--json", path).lines] == ["one"]
    path.write_bytes(path.read_text("utf-8-sig").encode("utf-16"))
    ran = tablectl("round", "run", path)
    assert (ran.code, "it is written in UTF-16 ('Unicode'): save it as UTF-8" in ran.err) == (2, 1)


def test_errors_stand_in_their_place_and_the_highest_status_counts(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    path = write(
        tmp_path / "many.jsonl",
        script(title="short", shoe="AS"),
        script(title="wrong", steps=["press 1", "double 3 9999"]),
        script(title="right"),
        script(title="armed", steps=[]),
    )
    with path.open("a") as file:
        file.write("\n{\n")
    ran = tablectl("round", "run", "--json", path)
    assert ran.code == 3
    short, wrong, right, armed, broken = ran.lines
    assert (short["title"], short["error"]["status"]) == ("short", 2)
    assert (wrong["error"]["status"], wrong["error"]["step"]) == (3, 1)
    codes = [line["error"]["code"] for line in (short, wrong, armed, broken)]
    assert codes == ["unreadable-script", "above-most", *["unreadable-script"] * 2]
    assert set(wrong["error"]) >= {"reason", "state", "permitted", "clause"}
    assert "error" not in right
    assert (armed["error"]["status"], armed["error"]["step"]) == (2, None)
    assert broken == {"title": None, "error": broken["error"]}
    complaints = ran.err.splitlines()
    assert [line.split(": ")[1] for line in complaints] == [f"{path}:{n}" for n in (1, 2, 4, 6)]
    assert tablectl("round", "run", path).code == 3


@pytest.mark.parametrize(
    ("changes", "code", "line"),
    [
        ({"shoe": "AS"}, 2, '"shoe": "AS"'),
        ({"colour": 1}, 2, '"colour": 1'),
        ({"steps": ["press 1", "jump"]}, 2, '"jump"'),
        ({"steps": ["press 1", "stand 3", "hit 3"]}, 3, '"hit 3"'),
        ({"multipliers": []}, 2, '"multipliers": []'),
        ({"wagers": [7, {"box": 1, "main": 1e308}]}, 2, "7"),
        ({"title": [[[]], {"}": '"'}], "steps": "stand"}, 2, '"title": ['),
    ],
)
def test_file_and_line_are_told(
    tablectl: Tablectl, tmp_path: Path, changes: dict[str, Any], code: int, line: str
) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(script(**changes), indent=1), encoding="utf-8")
    ran = tablectl("round", "run", path)
    assert ran.code == code
    told = int(ran.err.removeprefix(f"tablectl: {path}:").split(":")[0])
    assert path.read_text(encoding="utf-8").splitlines()[told - 1].strip(" ,") == line


def test_files_that_cannot_be_read(tablectl: Tablectl, tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b"\xff")
    ran = tablectl("round", "run", "--json", tmp_path / "none.json", tmp_path, PONTOON)
    assert ran.code == 2
    assert [line.get("error", {}).get("status") for line in ran.lines] == [2, 2, None]
    assert tablectl("round", "run", tmp_path / "latin.json").code == 2


def test_bytes_that_are_no_text_spoil_their_own_line_only(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    path = tmp_path / "many.jsonl"
    good = json.dumps(script()).encode()
    path.write_bytes(b"\n".join([good, b'{"title": "\xff"}', good]))
    ran = tablectl("round", "run", "--json", path)
    assert ran.code == 2
    assert [line.get("error", {}).get("status") for line in ran.lines] == [None, 2, None]
    assert f"{path}:2: is not UTF-8" in ran.err
    lines = tmp_path / "lines.json"
    lines.write_bytes(b'{\n"title":\n"\xff"}')
    assert f"{lines}:3: is not UTF-8" in tablectl("round", "run", lines).err


def test_rules_are_relative_to_the_script(tablectl: Tablectl, tmp_path: Path) -> None:
    rules = (ROOT / "config" / "rules" / "mbs-pontoon-pandemonium-v5.toml").read_bytes()
    (tmp_path / "house.toml").write_bytes(rules)
    assert (
        tablectl("round", "run", write(tmp_path / "a.json", script(rules="house.toml"))).code == 0
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(["title", "rules", "wagers", "shoe", "multipliers", "steps", "limits", "x"])


@given(st.dictionaries(KEYS, JSON, max_size=3))
def test_scripts_of_any_kind_run_or_are_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    assert main(["round", "run", str(write(tmp_path / "a.json", script(**changes)))]) in (0, 2, 3)


@given(st.binary(max_size=100))
def test_bytes_run_or_are_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(raw)
    assert main(["round", "run", "--json", str(tmp_path / "a.jsonl")]) in (0, 2, 3)


def test_scripts_from_standard_input() -> None:
    done = a_process("--json", "round", "run", "-", input=json.dumps(script()))
    assert (done.returncode, json.loads(done.stdout)) == (0, RESULT)
