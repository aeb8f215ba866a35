"""Finding drivers by entry point, and checking a device's configuration; what came from outside is
shown and never obeyed."""

from __future__ import annotations

import io
import logging
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli.output import complain, print_line, stream
from controller.daemon.log_messages import PlainFormatter
from drivers.api import DeviceConfig, DriverError
from drivers.printable import is_plain, printable
from drivers.registry import check_config, known_drivers, load_driver, parse_usb
from drivers.table_link.driver import open_link

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


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution, as an installer would leave it, with three drivers."""
    info = tmp_path / "vendor-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: vendor\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[table_controller.drivers]\n"
        "vendor-good = vendor_driver_under_test:open_link\n"
        "vendor-broken = vendor_driver_under_test:missing\n"
        "vendor-number = vendor_driver_under_test:NUMBER\n"
    )
    (tmp_path / "vendor_driver_under_test.py").write_text(
        "NUMBER = 7\ndef open_link(config, loop, listener, resume):\n    return 'link'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_table_link_is_known_and_loads() -> None:
    assert load_driver("table-link") is open_link


def test_a_driver_from_outside_is_found_and_loaded_only_when_asked_for(installed: Path) -> None:
    assert {"table-link", "vendor-good"} <= set(known_drivers())
    assert "vendor_driver_under_test" not in sys.modules
    load_driver("vendor-good")
    assert sys.modules.pop("vendor_driver_under_test")


def test_unknown_driver_names_those_known(installed: Path) -> None:
    with pytest.raises(DriverError, match='no driver "tabel-link"; installed: table-link, vendor'):
        load_driver("tabel-link")


@pytest.mark.parametrize(("name", "said"), [("broken", "missing"), ("number", "not a function")])
def test_driver_that_cannot_be_loaded_says_why(installed: Path, name: str, said: str) -> None:
    with pytest.raises(DriverError, match=said):
        load_driver(f"vendor-{name}")
    sys.modules.pop("vendor_driver_under_test")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (DeviceConfig("shoe"), "either port"),
        (DeviceConfig("shoe", port="/dev/x", usb="1209:0001"), "one of them"),
        (DeviceConfig("shoe", port=""), "port is empty"),
        (DeviceConfig("shoe", usb="1209"), "write VENDOR:PRODUCT"),
        (DeviceConfig("shoe", usb="1209:00zz"), "write VENDOR:PRODUCT"),
        (DeviceConfig("shoe", usb="1209:0001:"), "write VENDOR:PRODUCT"),
        (DeviceConfig("shoe", port="/dev/x", baud=0), "baud is 0"),
    ],
)
def test_configuration_that_cannot_be_right(config: DeviceConfig, said: str) -> None:
    with pytest.raises(DriverError, match=said):
        check_config(config)


def test_usb_unit_with_and_without_serial() -> None:
    assert parse_usb("1209:0001") == (0x1209, 1, None)
    assert parse_usb("1209:00aF:JP-0001") == (0x1209, 0xAF, "JP-0001")
