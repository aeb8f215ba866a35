"""A report as people see it, in a browser: narrow and wide, light, dark and on paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import (
    LARGE,
    Screen,
    not_accessible,
    not_by_keyboard,
    on_paper,
    too_wide,
)

pytestmark = pytest.mark.needs("chromium")

NARROW = Screen("narrow", 400, 800)


@pytest.mark.parametrize("screen", [NARROW, LARGE], ids=lambda screen: screen.name)
def test_it_fits_and_everybody_can_read_it(
    visits: Visits, tmp_path: Path, written: str, screen: Screen
) -> None:
    file = tmp_path / "report.html"
    file.write_text(written)
    shown = visits.open(file.as_uri(), screen)
    assert [*too_wide(shown), *not_accessible(shown)] == []
    visits.picture(shown, f"report-{screen.name}-light")
    shown.emulate_media(color_scheme="dark")
    assert not_accessible(shown, "color-contrast") == []
    visits.picture(shown, f"report-{screen.name}-dark")
    with on_paper(shown):
        assert too_wide(shown) == []


def test_tables_that_scroll_are_reached_by_keyboard(
    visits: Visits, tmp_path: Path, written: str
) -> None:
    file = tmp_path / "report.html"
    file.write_text(written)
    assert not_by_keyboard(visits.open(file.as_uri(), NARROW)) == []
