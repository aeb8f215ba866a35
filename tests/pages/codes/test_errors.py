"""Codes of errors: every place in the source gives one that is listed, and none is listed twice."""

from __future__ import annotations

import ast

import pytest

from controller.game.round.refusal import Refused, code_of
from pages.codes.describe import DOCUMENT
from pages.codes.meanings import MEANINGS, SECTIONS
from pages.codes.source import MAKERS, Unclear, codes_of, kinds_by_code


def _codes(text: str, shorts: tuple[str, ...] = ()) -> list[str]:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    return codes_of(call, MAKERS[ast.unparse(call.func)], shorts)


def test_what_the_source_gives_is_what_is_listed() -> None:
    assert kinds_by_code().keys() == MEANINGS.keys()
    assert len(MEANINGS) == sum(map(len, SECTIONS.values()))


def test_the_page_has_them_all() -> None:
    page = DOCUMENT.read_text(encoding="utf-8")
    assert all(f"| `{code}` | " in page for code in MEANINGS)
    assert "| `say-who-and-why` | malformed, refused | " in page
    assert "| `not-allowed` | not_allowed | " in page


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
    with pytest.raises(Unclear, match="line 1"):
        _codes(text)


def test_a_code_that_is_given_counts_for_more_than_the_keypads_text() -> None:
    assert Refused("why", short="NO CARD").code == "no-card"
    assert Refused("why", short="NO CARD", code="changed").code == "changed"
