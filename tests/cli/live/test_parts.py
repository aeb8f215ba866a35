"""What single parts of the screens say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from controller.cli.live.known_table import Counted, SeenTable
from controller.cli.live.layout import screen
from controller.cli.live.links import links
from controller.cli.live.pages import conditions_page, device_page, fault_page
from controller.cli.live.spans import Line, apart, clipped, line, rule, text_of, wrapped
from controller.cli.live.traffic import KEPT, TrafficWindow
from controller.plain_text import spell
from pages.watch.moments import TRAFFIC, degraded, full, playing


def told(lines: list[Line]) -> str:
    return "\n".join(map(text_of, lines))


def of_shoe(minute: Mapping[str, int], heard_s: float = 0.1, **device: object) -> SeenTable:
    seen = playing()
    seen.state["devices"] = {"shoe": {**seen.state["devices"]["shoe"], **device}}
    return replace(seen, counted=Counted({"shoe": minute}, heard_s={"shoe": heard_s}))


class TestLinks:
    @pytest.mark.parametrize(
        ("minute", "heard_s", "device", "word"),
        [
            ({"pings": 10, "ping_us": 20_000}, 0.1, {}, ""),
            ({"retries": 1, "bad_crc": 1}, 0.1, {}, ""),
            ({"retries": 3}, 0.1, {"link": "down"}, "no link; 3 sent again in the last minute"),
            (
                {"retries": 2, "bad_crc": 1},
                0.1,
                {},
                "DEGRADING: 2 sent again, 1 damaged in the last minute",
            ),
            ({"pings": 2, "ping_us": 160_000}, 0.1, {}, "SLOW: answers take 80 ms"),
            ({}, 3.2, {}, "SILENT for 3 s"),
            ({}, 30.0, {"link": "down", "reason": "no port"}, "no port"),
            ({}, 30.0, {"link": "down", "reason": None}, "no link"),
            ({}, 0.1, {"faults": "lid open", "refused": "GATE"}, "lid open; GATE"),
        ],
    )
    def test_each_trouble_has_its_words(
        self, minute: dict[str, int], heard_s: float, device: dict[str, object], word: str
    ) -> None:
        [link] = links(of_shoe(minute, heard_s, **device))
        assert (link.word, link.bad) == (word, bool(word))

    def test_below_the_threshold_the_figures_tell_it_and_no_mark(self) -> None:
        shown = told(screen(of_shoe({"retries": 1, "bad_crc": 1}), 80, 24))
        assert "1 again    1 bad" in shown
        assert "!shoe" not in shown
        assert "!shoe" in told(screen(of_shoe({"retries": 3}), 80, 24))

    @pytest.mark.parametrize(
        ("heard_s", "shown"),
        [(1.9, "heard  now"), (42.0, "heard 42 s"), (700.0, "heard 11mn"), (9e9, "heard 99 h")],
    )
    def test_the_last_word(self, heard_s: float, shown: str) -> None:
        assert shown in told(screen(of_shoe({}, heard_s), 80, 24))

    def test_a_device_that_is_not_named_after_its_kind_is_shown_with_it(self) -> None:
        assert "shoe (display)" in told(screen(of_shoe({}, kind="display"), 80, 24))

    def test_before_the_first_counters_there_is_no_figure(self) -> None:
        seen = replace(playing(), counted=Counted())
        assert "- ms    - again    - bad" in told(screen(seen, 80, 24))


class TestLayout:
    def test_offer_shoe_and_what_is_at_a_box(self) -> None:
        seen = playing()
        state = seen.state
        state["meter"] = None
        state["shoe"] = {"remaining": None, "burn_due": True, "shuffle_due": True}
        state["boxes"]["1"] |= {"absent": ["b"], "returned": {"c": {"main": "4.00"}}}
        state["boxes"]["5"]["hands"] = []
        state["squeezed"] = [1]
        text = told(screen(seen, 120, 40))
        for one in (
            "BUTTON OFFERED TO BOX 1",
            "shoe not counted, burn due, shuffle due",
            "not there: b",
            "c given back: main 4",
            "cards face down",
            "no card yet",
        ):
            assert one in text

    def test_a_table_that_says_little(self) -> None:
        seen = replace(playing(), state={}, events=(), counted=Counted())
        assert len(screen(seen, 80, 24)) == 24

    def test_a_turn_at_a_box_that_is_not_in_play(self) -> None:
        seen = full()
        seen.state["turn"] = {"box": 9, "hand": 1}
        assert "boxes 1 to 3" in told(screen(seen, 80, 24))

    def test_a_hold_without_a_next_step(self) -> None:
        seen = playing()
        seen.state["held"] = {"reason": "wait", "fault": "x"}
        text = told(screen(seen, 80, 24))
        assert "next step" not in text
        assert "supervisor may: nothing yet" in text

    @pytest.mark.parametrize(
        ("seconds", "words"), [(119, "119 s"), (120, "2 min"), (7200, "2 h"), (864_000, "10 days")]
    )
    def test_spans_of_time(self, seconds: float, words: str) -> None:
        assert spell(seconds) == words


class TestSpans:
    def test_what_is_too_long_is_cut_and_says_so(self) -> None:
        assert text_of(clipped(line("abcdef"), 4)) == "abc…"
        assert text_of(clipped((), 0)) == ""
        assert text_of(apart(line("left"), line("right"), 4)) == "rig…"
        assert text_of(rule("a long title", 6)) == "── a …"
        assert [text_of(one) for one in wrapped("one two three four", 9, most=1)] == ["one two …"]


class TestPages:
    def test_a_fault_that_this_program_does_not_know(self) -> None:
        assert "this program knows no such fault" in told(list(fault_page(["of-tomorrow"], 80)))

    def test_conditions(self) -> None:
        assert told(list(conditions_page(playing(), 80))) == "  No condition stands."
        seen = playing()
        seen.state["conditions"] = {"of-tomorrow": ""}
        assert "present" in told(list(conditions_page(seen, 80)))

    def test_a_device_that_is_gone_from_the_configuration(self) -> None:
        assert "no device left any more" in told(list(device_page(playing(), "left", 80)))

    def test_a_device_for_who_is_no_supervisor(self) -> None:
        seen = replace(degraded(), counted=Counted(withheld="not for you"))
        assert "not for you" in told(list(device_page(seen, "shoe", 80)))


class TestTraffic:
    def test_it_keeps_the_last_lines_and_says_what_was_missed(self) -> None:
        traffic = TrafficWindow()
        for _ in range(KEPT):
            traffic.add_portion(TRAFFIC)
        traffic.add_portion({"dropped": 7})
        assert len(traffic.last_lines(10 * KEPT)) == KEPT
        assert "7 messages not captured" in told(traffic.last_lines(1))
        assert traffic.last_lines(0) == []
        traffic.trouble = "gone"
        assert told(traffic.last_lines(2)).splitlines()[-1] == "  gone"
        traffic.trouble, traffic.calm = "", True
        assert "PING" not in told(traffic.last_lines(KEPT))
