"""What entries look like from outside: canonical text, exported lines, figures."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.evidence.examine import collect, free_bytes
from controller.forms.json_values import WrongForm
from controller.journal.canonical import canonical, columns, decode
from controller.journal.errors import BadDraft
from controller.journal.export import lines, read_line, record
from controller.journal.model import Draft, Entry
from controller.journal.reader import JournalReader
from tests.journal.helpers import SESSION, WALL, card, opened, sample

texts = st.text(max_size=10)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
)
bodies = st.dictionaries(texts, values, max_size=4)
numbers = st.none() | st.integers(0, (1 << 63) - 1)


@given(bodies)
def test_a_body_comes_back_and_has_one_spelling(body: dict[str, Any]) -> None:
    text = canonical(body)
    assert decode(text) == body
    assert text.isascii()
    assert "\n" not in text
    assert canonical(decode(text)) == text
    assert canonical(dict(reversed(body.items()))) == text
    assert canonical(MappingProxyType(body)) == text
    assert text == json.dumps(body, sort_keys=True, separators=(",", ":"))


@given(
    st.tuples(*[st.integers()] * 2, st.text(), st.integers(), st.text(), st.text()),
    st.none() | st.text(),
    st.tuples(*[numbers] * 5),
)
def test_the_columns_are_written_as_json(
    first: tuple[int, int, str, int, str, str], device: str | None, rest: tuple[Any, ...]
) -> None:
    text = columns(*first, device, *rest)
    assert text == json.dumps([*first, device, *rest], separators=(",", ":"))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"a": 1.0}, r"body\.a: 1\.0 is a binary fraction"),
        ({"a": [0, {"b": float("nan")}]}, r"body\.a\[1\]\.b"),
        ({"a": b"x"}, r"body\.a: b'x' \(bytes\) cannot be written"),
        ({1: "a"}, "the key 1 is not text"),
        ({"a": {"b": {2: 3}}}, r"body\.a\.b: the key 2"),
        ({"a": "\ud83d"}, "is not text"),
        ({"\udc00": 1}, "is not text"),
        ({"a": {1, 2}}, "cannot be written"),
    ],
)
def test_what_would_not_come_back_is_refused(body: dict[str, Any], said: str) -> None:
    with pytest.raises(BadDraft, match=said):
        canonical(body)


def test_tuples_come_back_as_lists() -> None:
    assert decode(canonical({"firmware": (1, 2, 3)})) == {"firmware": [1, 2, 3]}


def test_any_entry_survives_the_file(tmp_path: Path) -> None:
    """A draw has the number of an offer, which has one draw alone."""
    offers = count(1)
    with opened(tmp_path / "state") as journal:

        @given(bodies, st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
        def survives(body: dict[str, Any], kind: str) -> None:
            draft = Draft(kind, body, offer=next(offers) if kind == "draw" else None)
            written = journal.append([draft], 1, WALL)
            assert list(journal.iterate(after=written[0].seq - 1)) == list(written)

        survives()


def exported(directory: Path) -> list[dict[str, Any]]:
    with JournalReader(directory) as reader:
        identity = reader.identity.hex()
        found = [json.loads(line) for line in lines(reader)]
    assert found[0].pop("journal") == identity
    assert not any("journal" in line or "predecessor" in line for line in found)
    return found


def test_the_export_has_the_names_that_others_rely_on(tmp_path: Path) -> None:
    written = sample(tmp_path)
    found = exported(tmp_path)
    assert [line["seq"] for line in found] == list(range(1, 11))
    assert found[0] == {
        "seq": 1,
        "boot": 1,
        "boot_id": "boot-one",
        "mono_ns": 1,
        "wall": WALL,
        "type": "CARD",
        "device": "shoe",
        "session": SESSION,
        "event_no": 1,
        "t_ms": 700,
        "digest": written[0].digest.hex(),
        "rank": 2,
        "suit": 2,
        "flags": 0,
        "card_uid": 0,
        "remaining": 384,
        "versions": {"format": 1},
    }
    assert found[4]["body"] == {"type": "dealer", "command": "close"}
    draw = found[5]
    assert {"type": "draw", "offer": 7, "box": 3, "multiplier": 25}.items() <= draw.items()
    assert "body" not in draw
    assert "device" not in draw
    assert [line["type"] for line in found].count("draw") == 2
    assert [line["boot_id"] for line in found] == ["boot-one"] * 6 + ["boot-two"] * 4


def test_a_field_named_like_a_column_is_not_lost() -> None:
    draft = Draft("CARD", {"seq": 9, "rank": 1}, "shoe", 5, 1, 1)
    line = record(Entry(3, 1, 1, WALL, draft, 2, bytes(32)))
    assert (line["seq"], line["rank"], line["body"]) == (3, 1, {"seq": 9, "rank": 1})
    assert line["renumbered"] == 2


def test_a_field_named_like_a_column_that_the_line_has_not_is_not_taken_for_one() -> None:
    draft = Draft("CARD", {"renumbered": 9, "body": {"rank": 1}, "rank": 1}, "shoe", 5, 1, 1)
    line = record(Entry(3, 1, 1, WALL, draft, 0, bytes(32)))
    assert "renumbered" not in line
    assert line["body"] == draft.body
    assert line["rank"] == 1


def test_the_figures(tmp_path: Path) -> None:
    sample(tmp_path)
    with JournalReader(tmp_path) as reader:
        stats = collect(reader)
    assert stats.by_type == {"CARD": 6, "draw": 2, "entry": 2}
    assert (stats.entries, stats.draws) == (10, 2)
    assert stats.first is not None
    assert stats.last is not None
    assert (stats.first["seq"], stats.last["seq"], stats.last["boot"]) == (1, 10, 2)
    assert [(boot["boot"], boot["entries"]) for boot in stats.boots] == [(1, 6), (2, 4)]
    assert stats.file_bytes > 0
    assert stats.wal_bytes == 0
    assert 0 < stats.free_bytes <= free_bytes(tmp_path) + (1 << 30)
    assert json.loads(json.dumps(asdict(stats)))["last"] == {"seq": 10, "boot": 2, "wall": WALL}


def test_the_figures_of_an_empty_journal(tmp_path: Path) -> None:
    with opened(tmp_path), JournalReader(tmp_path) as reader:
        stats = collect(reader)
    assert (stats.entries, stats.first, stats.last) == (0, None, None)


def test_wal_bytes_are_counted(tmp_path: Path) -> None:
    with opened(tmp_path) as journal, JournalReader(tmp_path) as reader:
        journal.append([card(1)], 1, WALL)
        assert collect(reader).wal_bytes == journal.wal_bytes > 0


# An entry out of its line is the entry that the line was written of ------------------------------


def read_back(directory: Path) -> None:
    with JournalReader(directory) as reader:
        entries = list(reader.iterate())
        assert [read_line(line) for line in lines(reader)] == entries
        assert [read_line(line.encode()) for line in lines(reader)] == entries


def test_entries_of_every_kind(tmp_path: Path) -> None:
    sample(tmp_path)
    read_back(tmp_path)


def test_renumbered_sessions_and_a_vendors_fields(tmp_path: Path) -> None:
    """A device that uses the line's own names for its fields."""
    with opened(tmp_path, boot_id="b") as journal:
        journal.append([card(1)], 1, "2026-11-20T18:16:58+00:00")
        renumbered = Draft("link", {"up": True}, "shoe", 0xCAFE_F00D, renumbered=True)
        journal.append([renumbered], 2, "2026-11-20T18:16:58+00:00")
        own = Draft("CARD", {"seq": 7, "rank": 1}, "shoe", 0xCAFE_F00D, 1, 700)
        journal.append([own], 3, "2026-11-20T18:16:58+00:00")
    read_back(tmp_path)


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"seq":"1"}', b"\xff"])
def test_what_is_no_line(line: str | bytes) -> None:
    with pytest.raises(WrongForm):
        read_line(line)
