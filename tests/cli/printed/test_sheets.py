"""Pages on paper, and files that are there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli.exits import NotDone
from controller.cli.printed.sheets import cards, sheet, table, text
from controller.files.new_files import check_new, write_new


def test_cards_have_the_symbols_of_their_suits() -> None:
    assert cards("TC ?? 9H^") == (
        '<span class="card">10<span>\u2663\ufe0e</span></span> <span class="card">??</span> '
        '<span class="card">9<span class="red">\u2665\ufe0e</span>^</span>'
    )
    assert cards("") == ""
    assert "<b>" not in cards("<b> AH<b>")


def test_text_is_only_shown() -> None:
    assert text("<a href='x'>\x1b\u202e&") == "&lt;a href=&#x27;x&#x27;&gt;\\x1b\\u202e&amp;"


def test_a_page_stands_alone() -> None:
    page = sheet("A & B", [table(("one",), [], widths=(100,))])
    assert "<title>A &amp; B</title>" in page
    assert "default-src 'none'" in page
    assert '<col style="width:100%">' in page


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    check_new(file)
    write_new(file, "one \u2660")
    with pytest.raises(NotDone, match="is there already"):
        check_new(file)
    with pytest.raises(NotDone, match="something stands there already"):
        write_new(file, "two")
    assert file.read_text(encoding="utf-8") == "one \u2660"
    assert list(tmp_path.iterdir()) == [file]
