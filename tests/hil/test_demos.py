"""A table with its screens, and a floor with tables at play, as a visitor starts them: ``make demo-
console`` and ``make floor-demo``."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from controller.control.client import ControlClient
from hil_tests.bench.processes import ROOT
from hil_tests.browser.chromium import Visits
from hil_tests.browser.looking import not_accessible, too_wide
from hil_tests.process_tree import descendants

FLOOR_WAIT_S = 120.0
KILLED_WITHIN_S = 50.0
"""Less than one wait for a floor that does not answer any more."""
NOTHING = "Nothing is left behind."


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    """Where the floor is to be: PostgreSQL may run as another user."""
    for above in (tmp_path, *tmp_path.parents[:2]):
        above.chmod(0o755)
    return tmp_path


@pytest.mark.needs("postgresql")
def test_all_that_six_tables_play_is_in_the_database(floor: Path) -> None:
    with start_demo("hil_tests.floor", floor, "--seconds", "12", "--json") as demo:
        out, err = demo.communicate(timeout=FLOOR_WAIT_S)
    assert demo.returncode == 0, err
    told = json.loads(out)
    assert told["well"]
    assert told["found"] == []
    assert len(told["entries"]) == 6
    assert min(told["entries"].values()) > 20
    assert told["delay_s"]["p99"] > 0
    assert list(floor.iterdir()) == []


@pytest.mark.needs("postgresql")
def test_an_interrupt_ends_all_and_leaves_nothing(floor: Path) -> None:
    with start_demo("hil_tests.floor", floor) as demo:
        assert demo.stdout is not None
        lines = iter(demo.stdout.readline, "")
        assert any("Ctrl-C" in line for line in lines)
        demo.send_signal(signal.SIGINT)
        out, err = demo.communicate(timeout=FLOOR_WAIT_S)
    assert demo.returncode == 0, err
    assert NOTHING in out
    assert list(floor.iterdir()) == []


@pytest.mark.needs("postgresql")
def test_a_collector_that_is_killed_ends_it_at_once_and_is_named(floor: Path) -> None:
    with start_demo("hil_tests.floor", floor) as demo:
        assert demo.stdout is not None
        assert any("Ctrl-C" in line for line in iter(demo.stdout.readline, ""))
        [collector] = [one for one in descendants(demo.pid) if logs_to(one) == "floor-1.log"]
        os.kill(collector, signal.SIGKILL)
        _, err = demo.communicate(timeout=KILLED_WITHIN_S)
    assert demo.returncode == 1
    assert err.count("NOT WELL") == 1
    assert "floor.main collector --config" in err
    assert "has ended" in err
    assert list(floor.iterdir()) == []


def logs_to(process: int) -> str:
    """The name of the file that its output goes to; "" of one that has ended meanwhile."""
    try:
        return Path(f"/proc/{process}/fd/1").readlink().name
    except (FileNotFoundError, ProcessLookupError):
        return ""


@pytest.mark.needs("postgresql")
def test_what_a_floor_lacks_is_named(floor: Path) -> None:
    script = (
        "import sys; from pathlib import Path; import hil_tests.postgresql as it;"
        "it.programs = lambda: None; from hil_tests.floor.__main__ import main; sys.exit(main())"
    )
    told = told_by(script, floor)
    assert told.returncode == 2
    assert "apt install --no-install-recommends postgresql" in told.stderr
    assert list(floor.iterdir()) == []


StartedDemo = subprocess.Popen[str]


ENDS_S = 60.0


@contextmanager
def start_demo(module: str, folder: Path, *options: str) -> Iterator[StartedDemo]:
    """``python -m MODULE``, whose temporary files go into the folder; where the block has not ended
    it, as a test does that fails, it is interrupted."""
    with subprocess.Popen(
        [sys.executable, "-m", module, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    ) as demo:
        try:
            yield demo
        finally:
            if demo.poll() is None:
                demo.send_signal(signal.SIGINT)
                _until_ended(demo)


def _until_ended(demo: StartedDemo) -> None:
    try:
        demo.communicate(timeout=ENDS_S)
    except subprocess.TimeoutExpired:
        demo.kill()


def told_by(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a Python that runs the script says at its end; its files likewise."""
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    )


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
