"""``rules check``: every fault of a house's variant, its line, and what was probably meant."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.files.rule_lines import explained
from controller.files.rules import rule_files
from controller.game.rules.positions import line_of, lines_of
from tests.cli.support import Tablectl

MBS = "mbs-pontoon-pandemonium-v5"
TEXT = rule_files()[MBS].read_text(encoding="utf-8")

TRICKY = '''\
a.b = 1  # a = [
"q.r" = { x = [1, {y = """
"]"""}], z = '}' }
[[list]]
when = ["a", # [no
  "b,]",
]
[list.inside]
k = \'\'\'a''b\'\'\'
[[list]]
[[list.deep]]
d = 1979-05-27T07:32:00Z
[x.y]
[x]
e = """a\\"""""
f = 1.5
'''


def _line(of: str, text: str) -> int:
    return text[: text.index(of)].count("\n") + 1


def _checked(tablectl: Tablectl, path: Path, text: str) -> Any:
    path.write_text(text, "utf-8")
    ran = tablectl("rules", "check", path, "--json")
    assert ran.code == (0 if ran.json["well"] else 1)
    assert ran.json["file"] == str(path)
    return ran.json["faults"]


def test_rules_check_of_what_is_well(tablectl: Tablectl, tmp_path: Path) -> None:
    assert _checked(tablectl, tmp_path / "mine.toml", TEXT) == []
    ran = tablectl("rules", "check", rule_files()[MBS])
    assert (ran.code, ran.err) == (0, "")
    assert MBS in ran.out


def test_rules_check_looks_behind_a_byte_order_mark(tablectl: Tablectl, tmp_path: Path) -> None:
    assert _checked(tablectl, tmp_path / "mine.toml", "\ufeff" + TEXT) == []
    [fault] = _checked(tablectl, tmp_path / "mine.toml", "\ufeff" + "unknown = 1\n" + TEXT)
    assert (fault["key"], fault["line"]) == ("unknown", 1)


@pytest.mark.parametrize(
    ("old", "new", "key", "meant"),
    [
        (
            'value = "nearest_dealer"',
            'value = "nearest-dealr"',
            "betting.control",
            "nearest_dealer",
        ),
        ("decks_min = { value = 4", "decks_min = { value = 40", "cards.decks_min", None),
        ("tens = { value = false", "tens = { value = 'false'", "cards.tens", "false"),
        ('keypad = "J"', 'keypadd = "J"', "side_wagers.pandemonium.keypadd", "keypad"),
        (
            'lose = "3.15.2"',
            'loose = "3.15.2"',
            "side_wagers.pandemonium.settled_by.loose",
            "lose",
        ),
        (
            'settled = { value = "button"',
            'settled = { value = "buton"',
            "side_wagers.pandemonium.settled",
            "button",
        ),
        ("[insurance]", "[insurence]", "insurence", "insurance"),
        ('"void" = ', '"viod" = ', "settled_by.viod", "void"),
        (
            '"compare.higher" = ',
            '"compare.highr" = ',
            'settled_by."compare.highr"',
            "compare.higher",
        ),
        ("cards_6 =", "cards6 =", "pays.cards6", "cards_6"),
        ('trigger = "foreign"', 'trigger = "foriegn"', "irregularities[0].trigger", "foreign"),
        (
            "minimum = { value = 0, clause",
            "minimum = { value = 0, cluse",
            "stand.minimum.cluse",
            "clause",
        ),
    ],
)
def test_rules_check_names_line_and_what_was_meant(
    tablectl: Tablectl, tmp_path: Path, old: str, new: str, key: str, meant: str | None
) -> None:
    text = TEXT.replace(old, new, 1)
    path = tmp_path / "mine.toml"
    faults = {fault["key"]: fault for fault in _checked(tablectl, path, text)}
    assert faults[key]["line"] == _line(new, text)
    assert faults[key]["did_you_mean"] == meant
    told = tablectl("rules", "check", path)
    assert told.code == 1
    assert told.out == ""
    assert f"{path}:{_line(new, text)}: " in told.err
    assert meant is None or f"did you mean {meant}?" in told.err


def test_rules_check_tells_a_missing_key_at_its_section(tablectl: Tablectl, tmp_path: Path) -> None:
    text = "".join(line for line in TEXT.splitlines(keepends=True) if not line.startswith("soft17"))
    (fault,) = _checked(tablectl, tmp_path / "mine.toml", text)
    assert (fault["key"], fault["line"]) == ("dealer.soft17", _line("[dealer]", text))


def test_rules_check_tells_all_faults_in_the_order_of_the_file(
    tablectl: Tablectl, tmp_path: Path
) -> None:
    text = TEXT.replace("tens = { value = false", "tens = { value = 3", 1)
    text = text.replace('soft17 = { value = "draw"', 'soft17 = { value = "drawn"', 1)
    text = text.replace('trigger = "foreign"', 'trigger = "alien"', 1)
    faults = _checked(tablectl, tmp_path / "mine.toml", text)
    keys = [fault["key"] for fault in faults]
    assert keys == ["cards.tens", "dealer.soft17", "irregularities[0].trigger"]
    assert [fault["did_you_mean"] for fault in faults] == [None, "draw", None]


def test_rules_check_of_what_is_no_rule_file(tablectl: Tablectl, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    (fault,) = _checked(tablectl, bad, "[a]\nb = 1\nc = \n")
    assert (fault["line"], fault["key"]) == (3, "")
    bad.write_bytes(b"\xff")
    assert tablectl("rules", "check", bad).code == 1
    for nothing, why in (
        ("none", "there is no "),
        (".", "it is a directory"),
        ("a\0b", "embedded null "),
    ):
        ran = tablectl("rules", "check", tmp_path / nothing)
        assert ran.code == 2
        assert why in ran.err


def test_rules_faults_that_say_nothing_of_a_place_are_told_all_the_same() -> None:
    (fault,) = explained("a = 1", ["cannot be read: who knows"])
    assert (fault.line, fault.key, str(fault)) == (None, "", "cannot be read: who knows")


@pytest.mark.parametrize("path", sorted(rule_files().values()), ids=lambda path: path.stem)
def test_rules_positions_of_every_rule_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = lines_of(text)
    rows = text.splitlines()
    assert lines
    for at, number in lines.items():
        if len(at) == 2 and isinstance(at[1], str):
            assert at[1] in rows[number - 1]


def test_rules_positions_in_all_that_toml_allows() -> None:
    lines = lines_of(TRICKY)
    assert lines["a", "b"] == 1
    assert lines["q.r", "x", 1, "y"] == 2
    assert lines["q.r", "z"] == 3
    assert lines["list", 0, "when", 1] == 6
    assert lines["list", 0, "inside", "k"] == 9
    assert lines["list", 1] == 10
    assert lines["list", 1, "deep", 0, "d"] == 12
    assert lines["x", "f"] == 16
    assert lines_of(TRICKY.replace("\n", "\r\n")) == lines
    assert line_of(lines, ("x", "missing")) == lines["x",]
    assert line_of(lines, ("missing", "x")) is None


def test_rules_positions_are_none_where_there_is_doubt() -> None:
    assert lines_of("a = ") == {}
    assert lines_of("") == {}


_names = st.text("ab.\"'\\ #é", min_size=1, max_size=3)
_values = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.text("x\"'\\\n#[]{},=", max_size=6)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=3),
    max_leaves=8,
)


def _toml(value: Any, separator: str) -> str:
    """The value as inline TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, list):
        return f"[{separator}{f',{separator}'.join(_toml(v, separator) for v in value)}]"
    if isinstance(value, dict):
        pairs = (f"{_toml(k, ' ')} = {_toml(v, ' ')}" for k, v in value.items())
        return f"{{ {', '.join(pairs)} }}"
    return str(value)


@given(st.dictionaries(_names, _values, min_size=1, max_size=4), st.sampled_from(["", "\n  # ]\n"]))
def test_rules_positions_of_anything_are_found(data: dict[str, Any], separator: str) -> None:
    text = "".join(f"{_toml(k, ' ')} = {_toml(v, separator)}\n" for k, v in data.items())
    assert tomllib.loads(text) == data
    lines = lines_of(text)
    assert lines
    rows = text.splitlines()
    for name in data:
        assert rows[lines[name,] - 1].startswith(_toml(name, " "))
