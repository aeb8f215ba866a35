"""``round show``: the course as text and JSON, stepped through at a terminal, and as a page."""

from __future__ import annotations

import html.parser
import io
import os
import re
import signal
import termios
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from controller.cli import stepping
from controller.cli.main import main
from controller.draw.generator import draw as drawn
from controller.draw.weights import Weights
from controller.forms.json_values import JsonObject
from controller.game.round.result_fields import RoundResult
from controller.journal.reader import JournalReader
from controller.replay.course.recording import CourseRecorder
from controller.replay.course.steps import CourseStep, Facts
from controller.replay.finding import CannotReplay, find_round
from controller.sheets.accounts import course_lines
from controller.sheets.dispute_page import dispute_page, draws
from tests.cli.support import Tablectl
from tests.replay.course.played import eventful, void, write
from tests.table.live.driver import MBS, Live

NASTY = "<script>alert(1)</script>\x1b[2J\u202e"


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(eventful(), tmp_path_factory.mktemp("eventful"))


@pytest.fixture(scope="module")
def voided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(void(), tmp_path_factory.mktemp("void"))


def read(state: Path) -> tuple[RoundResult, list[CourseStep], Facts]:
    recorder = CourseRecorder(1)
    with JournalReader(state) as reader:
        result = find_round(reader, 1, watch=recorder)
    known = recorder.facts(1)
    assert known is not None
    return result, recorder.steps_of(1), known


# ---- text and JSON ------------------------------------------------------------------------------


def test_the_course_is_told_and_then_the_result(tablectl: Tablectl, state: Path) -> None:
    ran = tablectl("round", "show", "--state", state)
    course, _, result = ran.out.partition("\nRound 1 of table P12\n")
    assert (ran.code, ran.err) == (0, "")
    assert course.startswith("course, entries 7 to 58, from 2026-11-2")
    assert "the button is pressed, offer 1  [3.19.1]" in course
    assert "> Offer the jackpot button: box 1." in course
    assert "box 3 8S (8), before 8S 8D, box 3.2 8D (8)" in course
    assert "[CORRECTION, REVERSED] supervisor (Tan A., user sue): done" in course
    assert "why: the camera shows a nine" in course
    assert "settled  5a  main  200.00  reversed  -200.00  [4.3.2]" in course
    assert "card 9D to the dealer: 6C 9D (15)" in course
    assert result.startswith("  rules mbs-pontoon-pandemonium-v5, settled")


def test_json_has_the_course_only_where_it_is_asked_for(tablectl: Tablectl, state: Path) -> None:
    plain = tablectl("round", "show", "1", "--json", "--state", state).json
    ran = tablectl("round", "show", "1", "--json", "--course", "--state", state).json
    course = ran.pop("course")
    assert ran == plain
    assert "course" not in plain
    assert [step["seq"] for step in course] == sorted({step["seq"] for step in course})
    assert course[0].keys() == {
        *("seq", "upto", "wall", "since_s", "kind", "what", "who", "why", "clause", "notes"),
        *("marks", "settled", "prompt", "layout", "changes", "offer", "draw", "weights"),
    }


def test_what_people_wrote_can_do_nothing_to_a_terminal_or_a_page(tmp_path: Path) -> None:
    table = Live(MBS).play("open", "wager 1 main 10", "close")
    table.order("void", by=NASTY, why=f"two\nlines {NASTY}", user="sue")
    result, course, known = read(write(table, tmp_path))
    told = "\n".join(course_lines(course))
    page = dispute_page(result, course, known)
    for text in (told, page):
        assert "\x1b" not in text
        assert "\u202e" not in text
    assert "two\\nlines" in told
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_course_without_steps_is_no_line() -> None:
    assert list(course_lines([])) == []


def test_times_that_cannot_be_read_are_told_as_unknown(state: Path) -> None:
    _, course, _ = read(state)
    lines = list(course_lines([replace(course[0], wall="yesterday", since_s=None)]))
    assert "from an unknown date (no time zone)" in lines[0]
    assert re.match(r"  \? +\?  dealer \(dora\): open", lines[1])


# ---- wrong use ----------------------------------------------------------------------------------


def test_a_journal_that_cannot_be_played_again(
    tablectl: Tablectl, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(reader: JournalReader, *_: object, **__: object) -> None:
        raise CannotReplay(ValueError("odd"), reader)

    monkeypatch.setattr("controller.replay.finding.find_round", cannot)
    ran = tablectl("round", "show", "--state", state)
    told = "cannot be played again (ValueError('odd')): 'tablectl" in ran.err
    assert (ran.code, told) == (1, True)


def test_wrong_use(tablectl: Tablectl, state: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("kept")
    for form, says in (
        (("--step",), "--step is for a terminal: this is none"),
        (("--html", page), "is there already: name another file"),
        (("--html", tmp_path / "no" / "page.html"), "cannot be written"),
        (("--step", "--course"), "not allowed with"),
    ):
        ran = tablectl("round", "show", *form, "--state", state)
        assert (ran.code, says in ran.err) == (2, True), ran.err
    assert page.read_text() == "kept"


# ---- the page -----------------------------------------------------------------------------------


class Outline(html.parser.HTMLParser):
    """What a page consists of."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.said = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "col"):
            self.open.append(tag)
        self.loads += [name for name, _ in attrs if name in ("src", "href", "srcset", "data")]
        assert tag not in ("script", "link", "img", "iframe", "object")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.said += data


def outline(page: str) -> Outline:
    found = Outline()
    found.feed(page)
    assert found.open == []
    assert found.loads == []
    assert "url(" not in page
    assert "@import" not in page
    return found


def test_the_page_has_everything_and_loads_nothing(
    tablectl: Tablectl, state: Path, tmp_path: Path
) -> None:
    file = tmp_path / "round.html"
    ran = tablectl("round", "show", "--html", file, "--state", state)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{file}: round 1, ")
    said = outline(file.read_text(encoding="utf-8")).said
    for words in (
        "Round 1 at table P12",
        "Pontoon Pandemonium (MBS), Version 5",
        "entries 7 to 58",
        "8\u2666\ufe0e 2\u2663\ufe0e 9\u2665\ufe0e",
        "REVERSED takes back an earlier line",
        "With more than the dealer without passing 21.",
        "CORRECTION",
        "Reason given: the camera shows a nine",
        "Offer the jackpot button: box 1.",
        "the journal does not have what is needed to compute it again",
        "tablectl journal prove 1 --out round-1.json",
        "journal to entry 58",
    ):
        assert words in said, words
    assert list(tmp_path.iterdir()) == [file]
    other = tmp_path / "other.html"
    told = tablectl("round", "show", "--html", other, "--json", "--state", state).json
    assert told == {"file": str(other), "bytes": other.stat().st_size, "steps": told["steps"]}


def test_the_page_of_a_void_round(voided: Path) -> None:
    said = outline(dispute_page(*read(voided))).said
    assert "The round is void: wagers were returned." in said
    assert "VOID" in said
    assert "I saw it too" in said


def test_the_page_of_an_ordinary_round_that_is_not_over(tmp_path: Path) -> None:
    table = Live(MBS).play("open", "wager 1 main", "close", "9S 6C")
    result, course, known = read(write(table, tmp_path))
    known = replace(known, digests={"program": "12ab", "rules": "", "readings": "34cd"})
    said = outline(dispute_page(result, course, known)).said
    assert "Nothing was settled." in said
    assert "Nothing: no correction" in said
    assert "12ab" in said
    assert "34cd" in said
    back = [replace(course[0], wall="2026-11-21T00:00:00+00:00"), *course[1:]]
    assert "clock went back" in outline(dispute_page(result, back, known)).said
    assert outline(dispute_page(result, [], known)).said


def test_a_settlement_without_a_sum_and_a_clause_of_no_known_document(state: Path) -> None:
    result, course, known = read(state)
    for one in result["settlements"]:
        one["stake"] = one["net"] = None
    page = dispute_page({**result, "rules": "houses-own"}, course, known)
    said = outline(page).said
    assert "With more than the dealer" not in said
    assert "?" in said


# ---- draws --------------------------------------------------------------------------------------


def test_a_draw_is_computed_again(state: Path) -> None:
    _, course, _ = read(state)
    weights = Weights(((100, 4), (25, 96)))
    tickets = iter((101, 3))
    body: JsonObject = {"box": 1, **drawn(weights, lambda _bits: next(tickets)).as_body()}
    at = next(at for at, step in enumerate(course) if step.draw is not None)

    def page(changed: JsonObject, around: list[CourseStep]) -> str:
        return "".join(draws([*around[:at], replace(course[at], draw=changed), *around[at + 1 :]]))

    said = page(body, course)
    assert "it is the same multiplier" in said
    assert "3 of 100, after 101 that did not count" in said
    assert "100x = 4, 25x = 96" in said
    wrong = page({**body, "multiplier": 25}, course)
    assert "THE DRAW DOES NOT FOLLOW" in wrong
    alone = "".join(draws([replace(course[at], draw=body, weights=())]))
    assert "not in this round" in alone
    assert "not reported" in alone
    assert "the journal does not have what is needed" in alone
    assert list(draws([])) == []


# ---- step by step -------------------------------------------------------------------------------


class Screen(io.StringIO):
    """A terminal with a person at it, who presses the next of ``keys`` when a step is shown."""

    def __init__(self, keys: list[bytes]) -> None:
        super().__init__()
        self.keys = keys
        self._person, self._keyboard = os.openpty()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if "entry" in text:
            os.write(self._person, self.keys.pop(0))
        return super().write(text)

    @contextmanager
    def used(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """It is this process's; in the end the line is as it was before."""
        with os.fdopen(self._keyboard, "r") as stdin:
            before = termios.tcgetattr(self._keyboard)
            monkeypatch.setattr("sys.stdin", stdin)
            monkeypatch.setattr("sys.stdout", self)
            yield
            assert termios.tcgetattr(self._keyboard) == before
        os.close(self._person)


def test_it_is_stepped_through_at_a_terminal(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    screen = Screen([b" ", b" ", b"b", b"G", b"\x1b[D", b"x q"])
    with screen.used(monkeypatch):
        assert main(["round", "show", "--step", "--json", "--state", str(state)]) == 2
        assert main(["round", "show", "--step", "--state", str(state)]) == 0
    shown = re.findall(r"step (\d+) of (\d+)", screen.getvalue())
    last = int(shown[0][1])
    assert [int(at) for at, _ in shown] == [1, 2, 3, 2, last, last - 1]
    assert screen.getvalue().startswith(stepping._ENTER)
    assert screen.getvalue().endswith(stepping._LEAVE)


def test_nothing_is_drawn_anew_while_no_key_comes(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, keys = Screen([b""]), iter([[], [], ["q"]])
    monkeypatch.setattr(stepping, "_keys", lambda _: next(keys))
    result, course, _ = read(state)
    with screen.used(monkeypatch):
        stepping.step_through(result, course)
    assert screen.getvalue().count("step 1 of") == 1


def test_keys_lead_through_the_steps() -> None:
    def go(at: int, *keys: str) -> int | None:
        found: int | None = at
        for key in keys:
            assert found is not None
            found = stepping.moved(found, key, 5)
        return found

    assert go(0, " ", "\r", "\x1b[C") == 3
    assert go(3, " ", " ", " ") == 4
    assert go(2, "b", "\x1b[D", "\x7f") == 0
    assert (go(2, "g"), go(2, "G"), go(2, "x")) == (0, 4, 2)
    assert [go(2, key) for key in ("q", "\x1b", "\x03", "")] == [None] * 4


def test_keys_come_one_by_one_and_a_dead_terminal_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    reads, writes = os.pipe()
    monkeypatch.setattr(stepping, "LOOK_S", 0.0)
    assert stepping._keys(reads) == []
    os.write(writes, b" b\x1b[C\x1bOFq\x1b")
    assert stepping._keys(reads) == [" ", "b", "\x1b[C", "\x1bOF", "q", "\x1b"]
    os.close(writes)
    assert stepping._keys(reads) == [""]
    os.close(reads)
    with Path(os.devnull).open("wb") as nothing:
        monkeypatch.setattr("select.select", lambda *_: ([1], [], []))
        assert stepping._keys(nothing.fileno()) == [""]  # it cannot be read from


@pytest.mark.parametrize(
    "parts", [(b"\x1b", b"[C"), (b"\x1b[", b"C"), (b"\x1bO", b"C"), (b"\x1b",)]
)
def test_a_key_that_comes_in_parts_is_one(parts: tuple[bytes, ...]) -> None:
    reads, writes = os.pipe()
    os.write(writes, parts[0])
    later = [threading.Timer(0.01, os.write, (writes, part)) for part in parts[1:]]
    for timer in later:
        timer.start()
    assert stepping._keys(reads) == [b"".join(parts).decode()]
    for timer in later:
        timer.join()
    os.write(writes, b"\x1b")
    os.close(writes)
    assert stepping._keys(reads) == ["\x1b"]  # nobody is there any more
    os.close(reads)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_put_back_when_the_process_is_ended(
    state: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    def ended(_: int) -> list[str]:
        os.kill(os.getpid(), number)
        raise AssertionError("it was not ended")

    screen = Screen([b""])
    handlers = [signal.getsignal(one) for one in stepping._ENDS]
    result, course, _ = read(state)
    monkeypatch.setattr(stepping, "_keys", ended)
    with screen.used(monkeypatch):
        # Should it not be caught, that would end the tests themselves.
        signal.signal(number, signal.SIG_IGN)
        with pytest.raises(SystemExit) as raised:
            stepping.step_through(result, course)
        assert signal.getsignal(number) == signal.SIG_IGN
        for one, handler in zip(stepping._ENDS, handlers, strict=True):
            signal.signal(one, handler)
    assert raised.value.code == 128 + number
    assert screen.getvalue().endswith(stepping._LEAVE)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (20, 5), (200, 60)])
def test_a_screen_fits_its_terminal(state: Path, voided: Path, width: int, height: int) -> None:
    for where in (state, voided):
        result, course, _ = read(where)
        for at in range(len(course)):
            lines = stepping.screen(result["title"], course, at, width, height)
            assert (len(lines), max(map(len, lines)) <= width) == (height, True)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_bettor_is_left_out_of_a_screen_that_is_narrow(tmp_path: Path, width: int) -> None:
    table = Live(MBS).play("open")
    for bettor in ("", "b", "c"):
        table.say(f"wager 7{bettor} main 1000", f"wager 7{bettor} pair 110")
    table.play("close", "AS 6C")
    result, course, _ = read(write(table, tmp_path))
    lines = stepping.screen(result["title"], course, len(course) - 1, width, 60)
    said = " ".join(" ".join(lines).split())
    for bettor in "abc":
        assert f"{bettor}: main 1000.00" in said
        assert f"{bettor}: pair 110.00" in said
    assert all(len(line) <= width for line in lines)


def test_the_table_is_drawn_as_it_lay(state: Path) -> None:
    _, course, _ = read(state)
    lay = {step.what: "\n".join(stepping.table_lines(step.layout)) for step in course}
    assert lay["open"] == "  dealer  -"
    assert "> box 3.2 8D 2C  (10)" in lay["card 2C to box 3.2"]
    assert "a: main 50.00; split" in lay["split 3"]
    assert "button  offered to box 1, offer 1" in lay["the button is pressed, offer 1"]
    assert "meter   25x for box 1, offer 1" in lay["the meter shows 25x, offer 1"]
    assert (
        "HELD    the card shoe is not connected" in lay["card shoe: link lost, it does not answer"]
    )
