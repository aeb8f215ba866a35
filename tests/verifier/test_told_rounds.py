"""A round told out of its proof alone: hands, stakes, corrections and result, and as a page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from controller.journal.keys import ControllerKey
from controller.journal.reader import JournalReader
from controller.replay.replay import rounds_from
from proof.torture.alterations.material import play_journal
from tests.verifier.support import verifier
from verifier.verify_journal import INCOMPLETE, VERIFIED, WRONG, Proven, _describe_round, page

ROUNDS = 12

Prove = Callable[[int], Path]


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play_journal(folder, ROUNDS, 8)
    return folder / "state"


@pytest.fixture
def prove(state: Path, tmp_path: Path) -> Prove:
    def proof(number: int) -> Path:
        out = tmp_path / f"{number}.json"
        given = ["journal", "prove", str(number), "--out", str(out), "--state", str(state)]
        assert main(given) == 0
        return out

    return proof


@pytest.fixture
def key(state: Path) -> str:
    return ControllerKey(state / "key").public.text


def inspect(proof: Path, key: str, *more: object) -> tuple[int, str]:
    told = verifier("--proof", proof, "--key", key, *more)
    return told.status, told.text


def test_hands_and_result_are_those_of_every_round(state: Path, prove: Prove, key: str) -> None:
    with JournalReader(state) as reader:
        rounds = {played["round"]: played for played in rounds_from(reader.iterate())}
    assert len(rounds) == ROUNDS
    for number, played in rounds.items():
        status, text = inspect(prove(int(number)), key, "--json")
        said: dict[str, Any] = json.loads(text)
        assert (status, said["round"]) == (VERIFIED, number)
        hands = {
            f"{box}.{at}": hand["cards"]
            for box, formed in played["boxes"].items()
            for at, hand in enumerate(formed, 1)
            if hand["cards"]
        }
        assert said["hands"] == {**hands, "dealer": played["dealer"]["cards"]}
        told = "\n".join(said["says"])
        for one in played["settlements"]:
            assert f"{one['outcome']}, net {one['net']} (stake {one['stake']})" in told
        for bettor, net in played["net"].items():
            assert f"box {bettor}, all of it: net {net}" in told
        assert f"the round is {played['outcome']}" in told


def test_keystrokes_are_told_only_when_asked_for(prove: Prove, key: str) -> None:
    proof = prove(3)
    assert "entry" not in inspect(proof, key)[1].partition("corrections")[0].partition("\n")[2]
    assert "dealer: open" not in inspect(proof, key)[1]
    assert "dealer: open" in inspect(proof, key, "--all")[1]


def test_a_page_has_what_was_told_and_needs_nothing_else(
    prove: Prove, key: str, tmp_path: Path
) -> None:
    file = tmp_path / "round.html"
    status, text = inspect(prove(2), key, "--page", file)
    assert status == VERIFIED
    written = file.read_text("utf-8")
    assert len(written) < 10_000
    assert not re.search(r"src=|href=|url\(|<script|https?:", written)
    plain = html.unescape(written)
    for line in text.splitlines():
        assert line.strip().partition(": ")[2] in plain or line.endswith(":")
    assert "table-controller/" in written
    assert "@page{size:A4" in written
    again, _ = inspect(tmp_path / "2.json", key, "--page", file)
    assert (again, file.read_text("utf-8")) == (INCOMPLETE, written), "never over another"


def test_a_proof_that_does_not_hold_gives_no_page(prove: Prove, key: str, tmp_path: Path) -> None:
    proof = prove(2)
    told = json.loads(proof.read_text("ascii"))
    told["entries"][1:2] = []
    proof.write_text(json.dumps(told), "ascii")
    status, _ = inspect(proof, key, "--page", tmp_path / "page")
    assert status == WRONG
    assert not (tmp_path / "page").exists()


def test_corrections_are_told_in_words() -> None:
    notes = {"state": "void", "notes": ["supervisor: void by keypad (9)", "a card is burned"]}
    said = {"user": "ida", "by": "Sue", "why": "misread", "after": {"state": "settled"}}
    bodies: list[tuple[str, dict[str, Any]]] = [
        ("dealer", {"command": "open", "user": "ida"}),
        ("dealer", {"command": "undo", "user": "ida"}),
        ("supervisor", {"command": "correct 3 9H", **said}),
        ("KEY", {"key": "E", "after": notes}),
    ]
    lines = [{"seq": seq, "type": kind, "body": body} for seq, (kind, body) in enumerate(bodies, 1)]
    found = Proven()
    _describe_round(lines, found)
    assert found.told["corrections"] == [
        "entry 2: undo, by dealer ida",
        "entry 3: correct 3 9H, by supervisor Sue, because: misread",
        "entry 4: supervisor: void by keypad (9), at the keypad",
    ]
    assert found.told["stakes and result"] == ["the round is void"]


def test_what_people_wrote_is_no_part_of_the_page() -> None:
    found = Proven(told={"<b>": ["<script>alert(1)</script>", "{verdict} & \ud800"]})
    written = page(found, "proof")
    assert "<script" not in written
    assert "&lt;b&gt;" in written
    assert "{verdict} &amp;" in written
