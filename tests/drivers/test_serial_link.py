"""The whole driver against simulated devices in processes of their own, over pseudo-terminals."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivers.api import DeviceConfig, DriverError
from drivers.table_link.driver import open_link
from simulators.hands import Hands
from tests.drivers.support import Recorder


async def until(hands: Hands, predicate: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Wait for the device's state while the loop goes on."""
    return await asyncio.to_thread(hands.wait_for, predicate)


def shoe_at(path: Path) -> DeviceConfig:
    return DeviceConfig("shoe", port=str(path))


async def test_up_then_the_events_then_answers(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe", "--seed", "3", "--serial", "SHOE-TEST") as shoe:
        table = Recorder(stores=True)
        link = table.opens(shoe_at(tmp_path / "shoe"))
        await table.until(lambda: table.of("SHOE_STATE"))
        assert [up.identity.serial for up in table.ups] == ["SHOE-TEST"]
        assert table.ups[0].identity.kind == "shoe"
        answer = await table.command("GATE", unlocked=1, cards=2)
        assert answer.fields == {"last_event": 1}
        shoe.do("draw", count=2)
        await table.until(lambda: len(table.of("CARD")) == 2)
        state = await until(shoe, lambda state: state["unacked"] == 0)
        assert state["gate"] == "locked"
        assert state["acted"] == {"GATE": 1}
        assert link.statistics()["events"] == 3
        await link.close()


async def test_an_event_is_acknowledged_only_when_told(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        table = Recorder()
        link = table.opens(shoe_at(tmp_path / "shoe"))
        await table.command_when_up("GATE", unlocked=1, cards=0)
        shoe.do("draw", count=3)
        await table.until(lambda: len(table.of("CARD")) == 3)
        # The device has sent them again by now, and nobody heard of them twice.
        await table.until_statistics(lambda counts: counts.get("event_again", 0) >= 4)
        assert shoe.look()["unacked"] == 4
        assert [event.event_no for event in table.events] == [1, 2, 3, 4]
        last = table.events[-2]
        link.acknowledge(last.session, last.event_no)
        await until(shoe, lambda state: state["unacked"] == 1)
        await link.close()


async def test_restarted_driver_goes_on_where_it_had_stored(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        table = Recorder()
        link = table.opens(shoe_at(tmp_path / "shoe"))
        await table.command_when_up("GATE", unlocked=1, cards=0)
        shoe.do("draw", count=4)
        await table.until(lambda: len(table.of("CARD")) == 4)
        stored = table.events[2]
        link.acknowledge(stored.session, stored.event_no)
        await until(shoe, lambda state: state["unacked"] == 2)
        await link.close()
        shoe.do("draw", count=2)

        again = Recorder(stores=True)
        link = again.opens(shoe_at(tmp_path / "shoe"), (stored.session, stored.event_no))
        await again.until(lambda: len(again.events) == 4)
        assert [event.event_no for event in again.events] == [4, 5, 6, 7]
        assert not again.ups[0].new_session
        assert again.ups[0].last_event == 7
        await until(shoe, lambda state: state["unacked"] == 0)
        await link.close()


async def test_missing_port_is_told_once_and_found_when_it_comes(tmp_path: Path) -> None:
    table = Recorder(stores=True)
    link = table.opens(shoe_at(tmp_path / "shoe"))
    await table.until(lambda: table.downs)
    assert "does not exist" in table.downs[0].reason
    await table.until_statistics(lambda counts: counts["line_open_failed"] >= 3)
    with Hands.start("shoe", tmp_path / "shoe"):
        await table.until(lambda: table.ups)
        assert len(table.downs) == 1
        await link.close()


async def test_port_of_another_process_is_left_alone(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        hold = "import serial,sys; p=serial.Serial(sys.argv[1],exclusive=True); print(); input()"
        with subprocess.Popen(
            [sys.executable, "-c", hold, str(tmp_path / "shoe")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as holder:
            assert holder.stdout is not None
            holder.stdout.readline()
            table = Recorder()
            link = table.opens(shoe_at(tmp_path / "shoe"))
            await table.until(lambda: table.downs)
            assert f"in use by another process (process {holder.pid})" in table.downs[0].reason
            assert not shoe.look()["served"]
            holder.communicate(b"\n")
        await table.until(lambda: table.ups)
        await link.close()


async def test_wrong_kind_is_news_even_after_a_missing_port(tmp_path: Path) -> None:
    table = Recorder()
    link = table.opens(shoe_at(tmp_path / "shoe"))
    await table.until(lambda: table.downs)
    with Hands.start("keypad", tmp_path / "shoe"):
        await table.until(lambda: len(table.downs) == 2)
        wrong = "a dealer keypad answers where a card shoe was expected"
        assert table.downs[1].reason == wrong
        await link.close()


async def test_silence_is_no_news_after_a_missing_port(tmp_path: Path) -> None:
    table = Recorder()
    link = table.opens(shoe_at(tmp_path / "shoe"))
    await table.until(lambda: table.downs)
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    try:
        (tmp_path / "shoe").symlink_to(os.ttyname(theirs))
        await table.until_statistics(lambda counts: counts["down"] == 2)
        assert len(table.downs) == 1
    finally:
        await link.close()
        os.close(ours)
        os.close(theirs)


async def test_silent_device_is_down_once_and_command_is_lost(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        table = Recorder(stores=True)
        link = table.opens(shoe_at(tmp_path / "shoe"))
        await table.until(lambda: table.ups)
        shoe.do("power", on=False)
        answer = await table.command("SIGNAL", colour=1, blink=0)
        assert answer.lost
        assert [down.reason for down in table.downs] == ["the card shoe does not answer"]
        shoe.do("power", on=True)
        await table.until(lambda: len(table.ups) == 2)
        assert len(table.downs) == 1
        assert (await table.command("SIGNAL", colour=1, blink=0)).fields == {}
        await link.close()


async def test_reset_is_answered_by_the_next_hello(tmp_path: Path) -> None:
    with Hands.start("shoe", tmp_path / "shoe") as shoe:
        table = Recorder(stores=True)
        link = table.opens(shoe_at(tmp_path / "shoe"))
        await table.until(lambda: table.ups)
        assert (await table.command("RESET")).fields == {}
        await table.until(lambda: len(table.ups) == 2)
        assert shoe.look()["restarts"] == 1
        await link.close()


async def test_command_of_a_closed_link_is_lost_later_not_at_once(tmp_path: Path) -> None:
    table = Recorder()
    link = table.opens(shoe_at(tmp_path / "nothing"))
    answers: list[Any] = []
    link.command("SIGNAL", {"colour": 1, "blink": 0}, answers.append)
    assert answers == []
    answer = await table.command("SIGNAL", colour=1, blink=0)
    assert answer.lost
    assert len(answers) == 1
    with pytest.raises(ValueError, match="not to be commanded"):
        link.command("ARM", {"offer_id": 1, "box": 1}, answers.append)
    await link.close()


async def test_unknown_name_of_a_device_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DriverError, match="Table Link knows the devices shoe"):
        open_link(
            DeviceConfig("roulette", port="/dev/x"), asyncio.get_running_loop(), Recorder(), (0, 0)
        )
