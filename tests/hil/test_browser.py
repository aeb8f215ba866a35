"""The browser of the rig finds what is wrong with a page, and disturbs nothing beside it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hil_tests.browser.chromium import Chromium, Visits
from hil_tests.browser.looking import (
    SCREENS,
    SMALL,
    Screen,
    not_accessible,
    not_by_keyboard,
    on_paper,
    too_wide,
)

pytestmark = pytest.mark.needs("chromium")

WELL = "<!DOCTYPE html><html lang=en><title>T</title><main><h1>T</h1>{}</main></html>"


class Site:
    """Pages of a few words at a port of this machine."""

    def __init__(self, url: str, pages: dict[str, str]) -> None:
        self.url = url
        self._pages = pages

    def has(self, inside: str, name: str = "") -> str:
        """The address of a page with that in it."""
        self._pages[f"/{name}"] = WELL.format(inside)
        return f"{self.url}/{name}"


@pytest.fixture
def site() -> Iterator[Site]:
    pages: dict[str, str] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = pages.get(self.path, "").encode()
            self.send_response(200 if body else 204)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-security-policy", "img-src 'self'")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield Site(f"http://127.0.0.1:{server.server_address[1]}", pages)
        server.shutdown()
        thread.join()


def test_a_page_without_a_fault(site: Site, visits: Visits) -> None:
    page = visits.open(site.has("<a href=/>here</a> <button>There</button>"))
    assert visits.wrong == too_wide(page) == not_accessible(page) == not_by_keyboard(page) == []


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("<script>console.error('no good')</script>", "error in the console: no good"),
        ("<script>throw new Error('oh')</script>", "not caught: oh"),
        ("<img src=http://example.com/x.png alt=x>", "Content Security Policy"),
        ("<script src=http://127.0.0.1:1/x.js></script>", "a request to elsewhere: http://127"),
        ("<script src=http://example.com/x.js></script>", "net::ERR_NAME_NOT_RESOLVED"),
    ],
)
def test_what_nobody_expects_is_found(site: Site, visits: Visits, inside: str, words: str) -> None:
    page = visits.open(site.has(inside))
    page.wait_for_load_state("networkidle")
    assert any(words in told for told in visits.wrong), visits.wrong
    visits.expect("")


def test_what_is_expected_is_not_wrong(site: Site, visits: Visits) -> None:
    visits.expect("no good")
    visits.open(site.has("<script>console.error('no good'); console.error('other')</script>"))
    assert visits.wrong == ["error in the console: other"]
    visits.expect("other")


def test_what_is_ill_to_see_or_to_work_is_found(site: Site, visits: Visits) -> None:
    wide = visits.open(site.has("<p style='width: 2000px'>wide</p>"), SMALL)
    assert "too wide: <p" in too_wide(wide)[1]
    scrolled = (
        "<div class=scroll tabindex=0 style='overflow: auto'><p style='width: 2000px'>x</div>"
    )
    assert too_wide(visits.open(site.has(scrolled), SMALL)) == []
    pale = visits.open(site.has("<p style='color: #aaa; background: #bbb'>pale</p>"))
    assert "color-contrast" in not_accessible(pale)[0]
    hidden = "<a href=/ style='outline: none'>a</a><button tabindex=-1>b</button>"
    found = not_by_keyboard(visits.open(site.has(hidden)))
    assert found == ["without a ring when it is come to: a 1: a", "not come to by Tab: button 1: b"]
    away = "<button style='position: fixed; top: -9999px'>away</button>"
    [found_away] = not_by_keyboard(visits.open(site.has(away)))
    assert found_away == "out of sight when it is come to: button 1: away"


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
def test_a_page_is_seen_as_asked(site: Site, visits: Visits, screen: Screen) -> None:
    page = visits.open(site.has("seen"), screen, dark=True, language="zh-CN")
    told = page.evaluate(
        "[innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches,"
        " navigator.maxTouchPoints > 0, navigator.language]"
    )
    assert told == [screen.width, screen.height, True, screen.touch, "zh-CN"]
    with on_paper(page):
        assert page.evaluate("matchMedia('print').matches")
    assert page.evaluate("[matchMedia('screen').matches, innerWidth]") == [True, screen.width]


def test_pictures_are_written_where_they_are_asked_for(
    site: Site, chromium: Chromium, visits: Visits, tmp_path: Path
) -> None:
    visits.picture(visits.open(site.has("x")), "none")
    drawing = Visits(chromium, tmp_path / "pictures")
    drawing.picture(drawing.open(site.has("x"), SMALL), "small")
    drawing.close()
    assert [path.name for path in tmp_path.rglob("*.png")] == ["small.png"]


def test_a_loop_may_run_in_a_test_beside_the_browser(chromium: Chromium) -> None:
    """Playwright's own loop would forbid it in its thread."""

    async def ran() -> bool:
        await asyncio.sleep(0)
        return True

    assert asyncio.run(ran())
    assert chromium.result_of(asyncio.get_running_loop)


def test_nothing_of_a_browser_is_left(reached: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(reached))  # whose path is short: a socket is made there
    monkeypatch.setattr("tempfile.tempdir", str(reached))
    made = Chromium()
    made.result_of(lambda: Visits(made).open("about:blank"))
    made.close()
    assert [*reached.iterdir()] == []


def test_a_machine_without_chromium_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(FileNotFoundError, match="apt install"):
        Chromium()
