"""A table with its screens, as a visitor starts it: ``make demo-console``."""

from __future__ import annotations

import http.client
import json
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from controller.control.client import ControlClient
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import not_accessible, too_wide
from tests.hil.demos import StartedDemo, start_demo, told_by

WAIT_S = 60.0


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[StartedDemo]:
    """Ended as by Ctrl-C: it ends well and leaves nothing."""
    with start_demo("hil_tests.console", tmp_path, "--json") as started:
        yield started
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=WAIT_S)
    assert (started.returncode, err) == (0, "")
    assert list(tmp_path.iterdir()) == []


def _asked(url: str, path: str, body: object = None, **headers: str) -> tuple[int, bytes]:
    with closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=WAIT_S)) as line:
        given = None if body is None else json.dumps(body)
        line.request("GET" if body is None else "POST", path, given, headers)
        answer = line.getresponse()
        return answer.status, answer.read()


def _done(url: str, deed: str, **given: object) -> dict[str, Any]:
    status, body = _asked(url, "/do", {"deed": deed, "given": given}, **{"X-Twins": "1"})
    told: dict[str, Any] = json.loads(body)
    assert (status == 200) == told["ok"]
    return told


def _addresses(demo: StartedDemo) -> dict[str, Any]:
    assert demo.stdout is not None
    found: dict[str, Any] = json.loads(demo.stdout.readline())
    return found


def test_a_visitor_deals_by_console_and_twins(demo: StartedDemo) -> None:
    told = _addresses(demo)
    twins = told["twins"]
    assert _asked(told["console"], "/")[0] == _asked(told["console"], "/sign")[0] == 200
    for person, pin in told["supervisors"].items():
        with ControlClient(Path(told["socket"])) as table:
            table.request("sign_in", person=person, pin=pin)
    with ControlClient(Path(told["socket"])) as table:
        table.dealer("open")
        table.dealer("burn")
        assert len(_done(twins, "draw", count=1)["result"]["cards"]) == 1
        table.dealer("wager 1 main 100")
        table.dealer("close")
        assert _done(twins, "next", cards=["9S", "6H", "7D"])["ok"]
        assert _done(twins, "draw", count=3)["result"]["cards"] == ["9S", "6H", "7D"]
        assert table.status()["state"] == "play.decide"
    for act in ("unplug", "plug"):
        assert _done(twins, "cable", name="shoe", act=act)["ok"]
    assert "1X" in _done(twins, "next", cards=["1X"])["error"]
    assert "much" in _done(twins, "draw", much=1)["error"]
    assert "expected one of draw" in _done(twins, "close")["error"]
    press = {"deed": "press", "given": {}}
    assert _asked(twins, "/do", press)[0] == 403
    assert _asked(twins, "/do", press, Host="elsewhere.example", **{"X-Twins": "1"})[0] == 400


@pytest.mark.needs("chromium")
def test_the_devices_are_worked_by_mouse(demo: StartedDemo, visits: Visits) -> None:
    told = _addresses(demo)
    with ControlClient(Path(told["socket"])) as table:
        table.dealer("open")
        table.dealer("burn")
    page = visits.open(told["twins"])
    page.get_by_label("The next cards").fill("9S")
    page.get_by_role("button", name="Choose").click()
    expect(page.get_by_role("status")).to_have_text("next: done")
    page.get_by_role("button", name="Draw", exact=True).click()
    expect(page.get_by_role("status")).to_have_text("drawn: 9S")
    page.get_by_role("button", name="Key switch: supervisor").click()
    expect(page.get_by_role("status")).to_have_text("switch: done")
    assert [*not_accessible(page), *too_wide(page)] == []


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    script = (
        "import sys; import hil_tests.console.__main__ as it;"
        "it.LIBRARIES = ('no_such_library',); sys.exit(it.main())"
    )
    told = told_by(script, tmp_path)
    assert told.returncode == 2
    assert "no_such_library" in told.stderr
    assert "make setup" in told.stderr
    assert list(tmp_path.iterdir()) == []
