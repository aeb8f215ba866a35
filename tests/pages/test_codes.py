"""Codes of errors and prompts: each is listed once, given at a place, and met at a table."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import get_args

import pytest

from controller.game.round.refusal import Refused, code_of
from controller.table.apply import apply
from controller.table.showing import prompt_text
from controller.table.showing.prompt import NoticeCode, Prompt, prompt
from controller.table.state.table import Table
from pages import codes
from pages.codes import COURSES, MEANINGS, SECTIONS, met
from pages.generated import DOCS
from pages.table.played_tables import Played, brought

PAGE = (DOCS / "codes.md").read_text(encoding="utf-8")


def _codes(text: str, shorts: tuple[str, ...] = ()) -> list[str]:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    return codes.codes_of(call, codes.MAKERS[ast.unparse(call.func)], shorts)


def test_what_the_source_gives_is_what_is_listed() -> None:
    assert codes.kinds_by_code().keys() == MEANINGS.keys()
    assert len(MEANINGS) == sum(map(len, SECTIONS.values()))


def test_the_page_has_them_all() -> None:
    assert all(f"| `{code}` | " in PAGE for code in MEANINGS)
    assert "| `say-who-and-why` | malformed, refused | " in PAGE
    assert "| `not-allowed` | not_allowed | " in PAGE


@pytest.mark.parametrize("code", MEANINGS)
def test_codes_are_small_letters_with_hyphens(code: str) -> None:
    assert code == code_of(code.replace("-", " "))


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Refused('why')", ["not-now"]),
        ("Refused('why', '3.2', 'OPEN BETS: O')", ["open-bets"]),
        ("Refused('why', short=\"SUPERVISOR'S KEY\")", ["supervisors-key"]),
        ("Refused(f'box {n}', short=f'BOX {n}', code='not-in-turn')", ["not-in-turn"]),
        ("Refused('why', '', 'TOO LATE', 'too-early')", ["too-early"]),
        ("RequestRefused('why')", ["not-now"]),
        ("RequestRefused('why', code=refused.code)", []),
        ("BadCommand(str(error), error.code)", []),
        ("BadCommand('why')", ["unreadable-command"]),
        ("Unavailable('why', 'busy')", ["busy"]),
    ],
)
def test_codes_are_read_out_of_the_source(text: str, codes: list[str]) -> None:
    assert _codes(text) == codes


def test_a_text_that_varies_is_one_of_those_named() -> None:
    assert _codes("Refused('why', '', short)", ("NO ROUND", "HELD: X")) == ["no-round", "held"]


@pytest.mark.parametrize(
    "text",
    [
        "Refused('why', short=f'BOX {n}')",
        "Refused('why', code=chosen)",
        "Unavailable('why')",
        "encode_error(1, 'refused', 'why')",
    ],
)
def test_a_place_that_does_not_say_its_code_is_named(text: str) -> None:
    with pytest.raises(codes.Unclear, match="line 1"):
        _codes(text)


def test_a_code_that_is_given_counts_for_more_than_the_keypads_text() -> None:
    assert Refused("why", short="NO CARD").code == "no-card"
    assert Refused("why", short="NO CARD", code="changed").code == "changed"


IN_WORDS = frozenset({"held", "device-not-ready"})
"""Codes whose sentences also have a reason, which the status has in words."""
LONGEST = 3


@pytest.fixture(scope="module")
def shown() -> list[tuple[str, Prompt]]:
    """What is awaited at every table, and all along the longest ways to them."""
    found, ways = [], dict[str, list[Played]]()
    for document, played in codes.tables():
        found.append((document, prompt(played.table)))
        ways.setdefault(document, []).append(played)
    for document, there in ways.items():
        for played in sorted(there, key=lambda one: len(one.events))[-LONGEST:]:
            found += [(document, one) for one in _along(played)]
    return found


def _along(played: Played) -> Iterator[Prompt]:
    table = Table()
    for event in played.events:
        apply(table, event)
        yield prompt(table)


def test_every_code_is_met() -> None:
    asked, told = met()
    assert asked.keys() == set(get_args(prompt_text.Code))
    assert told.keys() == set(get_args(NoticeCode))
    page = "\n".join((*codes.prompt_examples(), *codes.notice_examples()))
    assert all(f"| `{code}` |" in page for code in (*asked, *told))


@pytest.mark.parametrize("code", COURSES)
def test_what_is_played_for_a_code_shows_it(code: str) -> None:
    now = prompt(brought(*COURSES[code]).table)
    told = now.asks["values"]["notices"]
    assert isinstance(told, list)
    assert code in (now.said.code, *(one["code"] for one in told))


def test_code_and_values_say_all_that_the_sentence_says(shown: list[tuple[str, Prompt]]) -> None:
    sentences: dict[tuple[str, str], set[str]] = {}
    for document, now in shown:
        if now.said.code not in IN_WORDS:
            sentences.setdefault((document, json.dumps(now.asks)), set()).add(now.said.text)
    assert len(sentences) > 100
    assert {key: texts for key, texts in sentences.items() if len(texts) > 1} == {}


def test_a_sentence_has_one_code(shown: list[tuple[str, Prompt]]) -> None:
    codes: dict[tuple[str, str], set[str]] = {}
    for document, now in shown:
        codes.setdefault((document, now.said.text), set()).add(now.said.code)
    assert {key: found for key, found in codes.items() if len(found) > 1} == {}


def test_amounts_are_text_and_who_takes_what_back_is_said() -> None:
    values = prompt(brought(*COURSES["bets-above-maximum"]).table).asks["values"]
    assert (values["box"], values["above"], values["most"]) == (1, "10.00", "5000.00")
    assert values["take_back"] == {"b": "10.00"}
    assert values["clause"] == "3.6"


def test_a_card_that_lies_face_down_is_not_named() -> None:
    squeezed = brought(codes.PLUS, "open; wager 1 main 20; squeeze 1; close; deal AS 7D KH")
    assert prompt(squeezed.table).said.code == "reveal"
    shown = json.dumps(prompt(squeezed.table).asks)
    assert "AS" not in shown
    assert "KH" not in shown


def test_a_correction_that_is_refused_says_by_which_code() -> None:
    values = prompt(brought(*COURSES["correction-refused"]).table).asks["values"]
    assert (values["because"], values["steps"]) == ("was-split", ["correct 1 9C"])


def test_of_discards_that_go_back_is_said_how_they_are_cut() -> None:
    course = "open; wager 2 main 10; wager 5 main 10; close; deal 9C 4C 7D 8H 5H; stand 2"
    empty = "double 5 10; event shoe SHOE_STATE state=0 remaining=0; order reshuffle"
    values = prompt(brought(codes.MBS, f"{course}; {empty}").table).asks["values"]
    assert values["trouble"] == "discards-go-back"
    how = {"how": "riffled_once_next_hand_cuts", "box": 5, "clauses": ["5.19"]}
    assert values["discards"] == how
