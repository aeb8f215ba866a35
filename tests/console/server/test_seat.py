"""One page acts at a time: the first; another is told who does, and may take over."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest

from hil_tests.bench.logged_program import until
from tests.console.server.beside import ConsolePage, DealersConsole, code

NOT_ACTING = (409, "not_acting")


def test_the_first_page_acts_and_another_is_told_which(
    console: DealersConsole, acting: ConsolePage
) -> None:
    with console.page().following() as other:
        assert other.parts["seat"] == acting.name
        for answered in (
            other.give("wager 1 main 25"),
            other.post("/touch"),
            other.sign_in("Novak"),
            other.post("/seat"),
        ):
            assert code(answered) == NOT_ACTING
        assert other.get("/choices")[0] == 200  # what everybody at the screen sees
        acting.done("wager 1 main 25")


@pytest.mark.needs("root")
def test_the_name_without_the_secret_is_of_no_use(
    console: DealersConsole, acting: ConsolePage
) -> None:
    """All may see the name of the page that acts. It would believe that it still does where another
    of that name took the seat."""
    namesake = ConsolePage(console.port, acting.name)
    namesake.parts = acting.parts
    acting.sign_in("Novak")
    acting.until(lambda parts: parts["person"] == "Novak")
    assert code(namesake.get("/events")) == NOT_ACTING
    assert code(namesake.post("/seat", over=True)) == NOT_ACTING
    assert code(namesake.give("wager 1 main 25")) == NOT_ACTING
    assert code(namesake.get("/rounds/1.json"))[1] == "not_allowed"
    acting.done("wager 1 main 25")


def test_of_many_that_ask_at_once_one_gets_it(console: DealersConsole) -> None:
    with ExitStack() as open_pages:
        pages = [open_pages.enter_context(console.page().following()) for _ in range(4)]
        pages[0].post("/seat", over=True)
        got: list[str] = []

        def ask(page: ConsolePage) -> None:
            if page.post("/seat")[0] == 200:
                got.append(page.name)

        asking = [threading.Thread(target=ask, args=(page,)) for page in pages]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        assert got == [pages[0].name]


def test_with_the_stream_the_seat_is_free_and_whoever_was_in_is_out(
    console: DealersConsole,
) -> None:
    with console.acting() as other:
        with console.page().following() as first:
            assert first.post("/seat", over=True)[0] == 200
            assert first.sign_in("Novak")[0] == 200
            other.until(lambda parts: (parts["person"], parts["seat"]) == ("Novak", first.name))
        other.until(lambda parts: (parts["person"], parts["seat"]) == (None, ""))
        assert code(first.give("wager 1 main 25")) == NOT_ACTING
        assert other.post("/seat")[0] == 200


def test_a_page_that_is_loaded_again_acts_on_if_it_did(console: DealersConsole) -> None:
    """Whether its new stream begins before its old one is known to have ended, or behind that. The
    new one ends the old one."""
    with console.page().following() as other:
        with console.acting() as page:
            again = ConsolePage(console.port, page.name)
            again.page = page.page
            with again.following():
                assert again.parts["seat"] == page.name
                assert code(other.post("/seat")) == NOT_ACTING
                with pytest.raises(EOFError):
                    page.until(lambda _: False)
                again.done("wager 6 main 25")
        other.until(lambda parts: parts["seat"] == "")
        with again.following():
            assert again.parts["seat"] == again.name
            again.done("wager 6 main 50")
            assert other.post("/seat", over=True)[0] == 200
            other.until(lambda parts: parts["seat"] == other.name)
            other.done("wager 6 main 60")
        with again.following():
            assert again.parts["seat"] == other.name
            assert code(again.give("wager 6 main 75")) == NOT_ACTING


def test_behind_a_start_the_page_that_acted_has_the_seat_back(disturbed: DealersConsole) -> None:
    """Where another page comes first, as long as nobody has done anything there."""
    acted, other = disturbed.page(), disturbed.page()
    with other.following():
        assert other.parts["seat"] == other.name
        with disturbed.page().following() as third:
            assert third.parts["seat"] == other.name
        with acted.following(acted=True):
            assert acted.parts["seat"] == acted.name
            with disturbed.page().following(acted=True) as third:
                assert third.parts["seat"] == acted.name
            assert code(other.post("/touch"))[0] in (409, 503)
        other.until(lambda parts: parts["seat"] == "" and not parts["lost"])
        with disturbed.page().following() as third:
            third.until(lambda parts: parts["seat"] == third.name and not parts["lost"])
            assert third.post("/touch")[0] == 200
            with acted.following(acted=True):
                assert acted.parts["seat"] == third.name


def test_a_page_that_was_shown_another_start_is_told_to_look_again(
    disturbed: DealersConsole,
) -> None:
    with disturbed.acting() as page:
        before = page.parts["console"]
        assert page.done("open")["state"] == "betting"
    disturbed.restart_console()
    with page.following():
        page.until(lambda parts: not parts["lost"])
        assert page.parts["console"] != before
        assert code(page.give("wager 1 main 25", console=before)) == (409, "changed")
        assert code(page.sign_in("Novak", console=before)) == (409, "changed")
        page.done("wager 1 main 25")


def test_eight_pages_follow_and_a_ninth_is_told(console: DealersConsole) -> None:
    with ExitStack() as open_pages:
        pages = [open_pages.enter_context(console.page().following()) for _ in range(8)]
        ninth = console.page()
        status, told = ninth.get("/events")
        assert (status, "too many pages" in told) == (503, True)
        assert code(ninth.post("/seat", over=True, console="x")) == NOT_ACTING
        assert code(pages[7].give("wager 1 main 25")) == NOT_ACTING
    until(lambda: _has_a_place(ninth), "the console sees them go")


def test_a_page_takes_one_place_however_often_it_comes_again(console: DealersConsole) -> None:
    """As behind a proxy that has not heard yet that the page's network was away."""
    with ExitStack() as open_pages:
        for _ in range(7):
            open_pages.enter_context(console.page().following())
        page = console.page()
        for _ in range(12):
            again = ConsolePage(console.port, page.name)
            again.page = page.page
            open_pages.enter_context(again.following())
        assert console.page().get("/events")[0] == 503
        assert again.take() in ("alive", "state")
    until(lambda: _has_a_place(page), "the console sees them go")


def _has_a_place(page: ConsolePage) -> bool:
    try:
        with page.following():
            return True
    except AssertionError:
        return False
