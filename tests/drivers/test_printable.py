"""What came from outside is shown and never obeyed."""

from __future__ import annotations

import io
import logging
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.output import complain, print_line, stream
from controller.daemon.log_messages import PlainFormatter
from drivers.printable import is_plain, printable

OBEYED = "\x1b[2J\x07\x9b1m\u202e\r\x08"


@given(st.text())
def test_nothing_is_left_that_a_terminal_would_obey(text: str) -> None:
    shown = printable(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_printable_ascii_stays_as_it_is(text: str) -> None:
    assert printable(text) == text
    assert is_plain(text)


def test_lines_are_kept_where_they_are_meant() -> None:
    assert printable("a\n\tb\r", lines=True) == "a\n\tb\\r"
    assert printable("a\nb") == "a\\nb"


def test_nothing_that_is_said_is_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    print_line(f"serial {OBEYED}")
    stream(f"serial {OBEYED}")
    complain(f"serial {OBEYED}")
    said = capsys.readouterr()
    escaped = "serial \\x1b[2J\\x07\\x9b1m\\u202e\\r\\x08\n"
    assert said.out == escaped * 2
    assert said.err == f"tablectl: {escaped}"


def test_a_message_of_the_log_is_one_line() -> None:
    """A value cannot write a message of its own."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(PlainFormatter("%(levelname)s %(message)s"))
    log = logging.Logger("shoe")
    log.addHandler(handler)
    try:
        raise ValueError(f"bad {OBEYED}")
    except ValueError:
        log.exception("serial %s", f"A\nERROR all is well{OBEYED}")
    first, *traceback = written.getvalue().splitlines()
    assert first.startswith("ERROR serial A\\nERROR all is well\\x1b[2J")
    assert traceback[0] == "Traceback (most recent call last):"
    assert all(line.isprintable() for line in traceback)
