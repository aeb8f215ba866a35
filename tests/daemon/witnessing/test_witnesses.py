"""What the daemon makes of what witnesses answer: cosignatures, holds, silence."""

from __future__ import annotations

import asyncio
import errno
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from controller.configuration.reading import load_configuration
from controller.control.protocol import Request
from controller.daemon import witnesses as module
from controller.daemon.beside_the_loop import Remembering
from controller.daemon.runtime import Runtime
from controller.daemon.witnesses import BEHIND, DIFFERS, SILENT, Witnesses
from controller.evidence.tree.checkpoint import name_of, parsed
from controller.evidence.tree.cosignature import KEPT_NAME, kept_of, read_kept
from controller.evidence.trust import add_key, keys_beside
from controller.journal.keys import ControllerKey
from controller.table.events.reading import read_event
from controller.threads import NoThread
from tests.daemon.house import DEALER
from tests.daemon.journaling.aged import NOW, awake, outside
from tests.daemon.process import Place
from tests.witness.logs import Log
from tests.witness.signer import Signer
from tests.witness.tables import FLOOR, WITNESS

T = TypeVar("T")


class Live:
    """A table that runs, with the witnesses ``w1`` and, required, ``w2``."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.witnesses: Witnesses = runtime.witnesses

    async def newest(self) -> tuple[str, int]:
        told: Any = await self.witnesses.checkpoint(0, 0)
        return told["checkpoint"], told["size"]

    async def told(self, answer: str, size: int, *lines: str, name: str = "w1") -> dict[str, Any]:
        request = Request(
            1, "witnessed", name=name, size=size, time=7, cosignatures=lines, answer=answer
        )
        found = await self.witnesses.witnessed(request)
        await self.runtime.owner.settled()
        return dict(found)

    async def status(self) -> Any:
        return await self.runtime.handler.status()

    async def held(self) -> str | None:
        held = (await self.status())["held"]
        return str(held["fault"]) if held else None

    async def devices_up(self) -> None:
        """As far as the table can see."""
        for name in ("shoe", "jackpot"):
            body: dict[str, object] = {
                "up": True,
                "serial": name,
                "new_session": True,
                "last_event": 0,
                "taken": 0,
            }
            body |= {"firmware": [1, 0, 0], "digest": "00", "capabilities": 9, "kind": name}
            self.runtime.owner.submit(read_event("link", body, device=name, session=5))
        await self.runtime.owner.settled()

    async def w1(self) -> Any:
        return (await self.status())["journal"]["witnesses"][0]

    async def give(self, do: str, command: str) -> None:
        named = ("Sue", "as agreed") if do == "supervisor" else (None, None)
        await self.runtime.handler.command(Request(1, do, command, *named), DEALER)
        await self.runtime.owner.settled()


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return Signer(tmp_path / "signer")


@pytest.fixture
def place(tmp_path: Path, signer: Signer) -> Place:
    made = Place(tmp_path / "table")
    other = Signer(tmp_path / "other-signer")
    with made.configuration.open("a", encoding="utf-8") as file:
        for name, one, required in (("w1", signer, "false"), ("w2", other, "true")):
            url = "https://witness.example"
            file.write(WITNESS.format(name=name, url=url, vkey=one.vkey, required=required))
    return made


@asynccontextmanager
async def live(place: Place) -> AsyncIterator[Live]:
    async with awake(place, outside(NOW)) as runtime:
        await runtime.owner.settled()
        await asyncio.sleep(0)
        yield Live(runtime)


@pytest.fixture
def table(place: Place) -> AbstractAsyncContextManager[Live]:
    return live(place)


async def test_a_good_cosignature_is_kept_and_known_again(place: Place, signer: Signer) -> None:
    async with live(place) as table:
        text, size = await table.newest()
        assert (await table.told("200", size, signer.cosigns(text)))["good"] is True
        assert (await table.w1())["size"] == size
    async with live(place) as table:
        assert (await table.w1())["size"] == size
        assert (await table.w1())["time"] == 1_800_000_000
        assert (await table.w1())["answer"] is None
        told: Any = await table.witnesses.checkpoint(0, size)
        assert told["cosigned"] == {"w1": size, "w2": 0}
        assert told["proof"]


@pytest.mark.parametrize("again", ["the same", "an earlier size", "an earlier time"])
async def test_what_is_only_said_again_changes_nothing(
    table: Live, place: Place, signer: Signer, monkeypatch: pytest.MonkeyPatch, again: str
) -> None:
    """Neither what it has cosigned, nor its silence, nor what holds the table."""
    early, first = await table.newest()
    await table.told("404 unknown log", first, name="w2")
    await table.told("200", first, signer.cosigns(early))
    await table.give("dealer", "open")
    table.runtime.sealing.seal()
    text, size = await table.newest()
    line = signer.cosigns(text, 1_800_000_060)
    await table.told("200", size, line)
    await table.give("dealer", "wager 1 main 10")
    table.runtime.sealing.seal()
    _, newest = await table.newest()
    assert first < size < newest
    asked = {
        "the same": (size, line),
        "an earlier size": (first, signer.cosigns(early, 1_800_000_120)),
        "an earlier time": (size, signer.cosigns(text, 1_800_000_059)),
    }
    loop = asyncio.get_running_loop()
    later = loop.time() + module.SILENT_S
    with monkeypatch.context() as clock:
        clock.setattr(loop, "time", lambda: later)
        assert (await table.told("200", *asked[again]))["good"] is True
        [verdict] = table.witnesses.findings()
    assert verdict.detail.startswith("w1: 200")
    assert ((await table.w1())["size"], (await table.w1())["time"]) == (size, 1_800_000_060)
    assert [one.size for one in read_kept(place.state / KEPT_NAME)][-1] == size
    await table.told(f"409 {newest + 9}", newest)
    await table.told("200", *asked[again])
    assert BEHIND in table.runtime.owner.table.holds.conditions


async def test_more_that_is_cosigned_in_the_same_second_is_nothing_said_again(
    table: Live, signer: Signer
) -> None:
    """A start signs two heads in a second; nobody asks again before the next one."""
    text, first = await table.newest()
    await table.told("200", first, signer.cosigns(text))
    await table.give("dealer", "open")
    table.runtime.sealing.seal()
    text, size = await table.newest()
    await table.told("200", size, signer.cosigns(text))
    assert (await table.w1())["size"] == size > first


async def test_the_floors_mirror_is_one_of_them(tmp_path: Path, signer: Signer) -> None:
    place = Place(tmp_path / "table")
    with place.configuration.open("a", encoding="utf-8") as file:
        file.write(FLOOR.format(url="https://floor.example/mirror", vkey=signer.vkey))
    async with live(place) as table:
        text, size = await table.newest()
        assert await table.witnesses.subtree(0, size, size) == {"proof": []}
        assert (await table.told("200", size, signer.cosigns(text), name="floor"))["good"] is True
        assert table.witnesses.readiness() == (True, f"cosigned by floor to entry {size}")
    async with live(place) as table:
        assert (await table.w1())["name"] == "floor"
        assert (await table.w1())["size"] == size
        _, newest = await table.newest()
        await table.told("202 it has entry 1 of 9", newest, name="floor")
        assert await table.held() is None
        await table.told("422 entries are not those of the tree", newest, name="floor")
        assert await table.held() == DIFFERS
        assert "floor has another history of it" in (await table.status())["held"]["reason"]


async def test_another_key_begins_a_log_of_its_own(
    place: Place, signer: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(place) as table:
        text, size = await table.newest()
        assert (await table.told("200", size, signer.cosigns(text)))["good"] is True
    key = load_configuration(place.configuration).key
    key.unlink()
    other = ControllerKey(key).public
    add_key(keys_beside(place.configuration), other)
    async with live(place) as table:
        assert await table.held() == "heads-doubted"
        with monkeypatch.context() as clock:
            clock.setattr(module, "WAIT_S", 0.01)
            assert await table.newest() == ("", 0), "nobody is given the old log's"
        await table.told(f"422 another history of {size}", size)
        await table.give("supervisor", "resume")
        assert await table.held() is None
        table.runtime.sealing.seal()
        told: Any = await table.witnesses.checkpoint(0, 0)
        assert parsed(told["checkpoint"]).origin == name_of(other)
    async with live(place) as table:
        told = await table.witnesses.checkpoint(size, 0)
        assert told["cosigned"] == {"w1": 0, "w2": 0}
        assert told["proof"] == []
        assert parsed(told["checkpoint"]).origin == name_of(other)
        assert (await table.w1())["size"] is None


async def test_what_is_not_good_counts_for_nothing(
    table: Live, place: Place, signer: Signer, tmp_path: Path
) -> None:
    stranger = Signer(tmp_path / "stranger")
    text, size = await table.newest()
    good = signer.cosigns(text)
    other = text.replace(f"\n{size}\n", f"\n{size + 1}\n")
    for line in (stranger.cosigns(text), signer.cosigns(other), good[:-4] + "AAA=", ""):
        assert (await table.told("200", size, line))["good"] is False
    assert (await table.told("200", size + 1, signer.cosigns(other)))["good"] is False
    assert (await table.told("200", size, good, name="w9")) == {"known": False, "good": False}
    assert (await table.told("200", size, good, name="w2"))["good"] is False
    assert (await table.w1())["size"] is None
    assert not (place.state / KEPT_NAME).exists()
    assert await table.held() is None


async def test_one_that_is_ahead_holds_at_once_between_rounds(table: Live) -> None:
    _, size = await table.newest()
    await table.told(f"409 {size + 1}", size)
    assert await table.held() == BEHIND
    reason = (await table.status())["held"]["reason"]
    assert f"w1 has cosigned entry {size + 1} of it" in reason
    assert f"says so (409 {size + 1}), and signs no such answer" in reason
    await table.give("supervisor", "resume")
    assert await table.held() is None
    await table.told(f"409 {size + 1}", size)
    assert await table.held() is None


@pytest.mark.parametrize("answer", ["409 {more}", "422 bad consistency proof", "409 {size}"])
async def test_in_mid_round_it_holds_when_the_round_is_over(table: Live, answer: str) -> None:
    _, size = await table.newest()
    await table.devices_up()
    for command in ("open", "wager 1 main 10", "close"):
        await table.give("dealer", command)
    table.runtime.sealing.seal()
    _, size = await table.newest()
    await table.told(answer.format(size=size, more=size + 9), size)
    expected = BEHIND if "more" in answer else DIFFERS
    status = await table.status()
    assert status["held"] is None
    assert expected in table.runtime.owner.table.holds.postponed
    await table.give("supervisor", "void")
    assert await table.held() == expected


@pytest.mark.parametrize(
    "answer",
    [
        *("409", "409 x", "409 0", "409 1", "409 99999999999999999999", "404 unknown log"),
        *("403 no", "400 bad", "500 malformed note", "none: 409 that says nothing", "200"),
        *("302", "999 4"),
    ],
)
async def test_what_means_nothing_holds_nothing(table: Live, answer: str) -> None:
    await table.give("dealer", "open")
    table.runtime.sealing.seal()
    _, size = await table.newest()
    assert size > 1
    await table.told(answer, size)
    assert await table.held() is None
    assert (await table.w1())["answer"] == answer


@pytest.mark.parametrize("answer", ["422 another history", "409 77"])
async def test_an_answer_to_what_was_never_handed_out_holds_nothing(
    table: Live, answer: str
) -> None:
    await table.newest()
    await table.told(answer, 77)
    assert await table.held() is None


async def test_where_all_have_cosigned_again_the_condition_is_over(
    table: Live, signer: Signer, tmp_path: Path
) -> None:
    second = Signer(tmp_path / "other-signer")
    text, size = await table.newest()
    await table.told("422 bad", size)
    await table.told("200", size, signer.cosigns(text))
    conditions = table.runtime.owner.table.holds.conditions
    assert DIFFERS in conditions  # the other one has said nothing yet
    await table.told("200", size, second.cosigns(text), name="w2")
    assert DIFFERS not in conditions
    assert await table.held() == DIFFERS  # until a supervisor's word


async def test_a_cosignature_for_more_than_the_journal_has_is_proof(
    place: Place, signer: Signer
) -> None:
    """The journal and its heads were put back, and what the witness had cosigned was not."""
    kept = place.folder / "kept"
    for start in range(4):
        async with live(place) as table:
            text, size = await table.newest()
            await table.told("200", size, signer.cosigns(text))
        if start == 0:
            shutil.copytree(place.state, kept)
    shutil.copy(place.state / KEPT_NAME, kept)
    shutil.rmtree(place.state)
    shutil.copytree(kept, place.state)
    async with live(place) as table:
        assert await table.held() == BEHIND
        assert "that cosignature is kept here" in (await table.status())["held"]["reason"]


async def test_silence_is_told_and_longer_silence_of_a_required_one_is_not_well(
    table: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, size = await table.newest()
    assert table.witnesses.findings() == []  # they may still answer
    monkeypatch.setattr(module, "SILENT_S", 0.0)
    await table.told("404 unknown log", size, name="w2")
    [verdict] = table.witnesses.findings()
    assert (verdict.fault, verdict.present) == (SILENT, True)
    assert verdict.detail == "w1: nothing was told of it yet; w2: 404 unknown log"
    assert table.witnesses.readiness() == (True, "cosigned by w1 to entry 0, w2 to entry 0")
    monkeypatch.setattr(module, "MISSED_S", 0.0)
    [verdict] = table.witnesses.findings()
    assert "w2 (required, for more than an hour): 404" in verdict.detail
    assert table.witnesses.readiness()[0] is False


async def test_who_has_cosigned_the_newest_is_not_silent(
    table: Live, signer: Signer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Signer(tmp_path / "other-signer")
    text, size = await table.newest()
    await table.told("200", size, signer.cosigns(text))
    monkeypatch.setattr(module, "SILENT_S", 1e-9)
    await asyncio.sleep(0.001)
    [verdict] = table.witnesses.findings()
    assert verdict.detail.startswith("w2")
    await table.told("200", size, other.cosigns(text), name="w2")
    [verdict] = table.witnesses.findings()
    assert (verdict.fault, verdict.present) == (SILENT, False)


async def test_a_newer_checkpoint_is_waited_for_and_the_end_ends_that(table: Live) -> None:
    _, size = await table.newest()
    waiting = asyncio.ensure_future(table.witnesses.checkpoint(size, 0))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    await table.give("dealer", "open")
    table.runtime.sealing.seal()
    told: Any = await asyncio.wait_for(waiting, 5)
    assert told["size"] > size
    again = asyncio.ensure_future(table.witnesses.checkpoint(told["size"], 0))
    await asyncio.sleep(0)
    table.witnesses.close()
    assert (await asyncio.wait_for(again, 5))["size"] == told["size"]


async def test_one_that_waits_has_a_clock(table: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAIT_S", 0.01)
    _, size = await table.newest()
    told: Any = await asyncio.wait_for(table.witnesses.checkpoint(size, 0), 5)
    assert told["size"] == size


async def test_a_file_that_cannot_be_read_or_written_costs_no_start(
    place: Place, signer: Signer, caplog: pytest.LogCaptureFixture
) -> None:
    place.state.mkdir(exist_ok=True)
    (place.state / KEPT_NAME).mkdir()

    async with live(place) as table:
        text, size = await table.newest()
        assert (await table.told("200", size, signer.cosigns(text)))["good"] is True
        assert (await table.w1())["size"] == size
    assert "it is a directory, expected a regular file: 'ls -ld" in caplog.text
    assert "cosignatures are not kept" in caplog.text


def test_one_that_found_no_thread_is_kept_with_the_next(
    place: Place, signer: Signer, caplog: pytest.LogCaptureFixture
) -> None:
    asides: list[int] = []

    def fails_once(
        _: object, work: Callable[[], T], then: Callable[[T], None], lost: Callable[[Exception], T]
    ) -> None:
        asides.append(1)
        then(work() if len(asides) > 1 else lost(NoThread(errno.EAGAIN, "no thread")))

    path = place.state / KEPT_NAME
    place.state.mkdir(exist_ok=True)

    async def whole() -> None:
        world = replace(outside(NOW), aside=fails_once)
        remembering = Remembering(path, world, asyncio.get_running_loop())
        log = Log(place.folder / "log")
        for size in (5, 6):
            text = log.checkpoint(size)
            kept = kept_of("w1", signer.key, text, [signer.cosigns(text)])
            assert kept
            remembering.add(kept)

    asyncio.run(whole())
    assert "cosignatures are not kept: no thread" in caplog.text
    assert [one.size for one in read_kept(path)] == [5, 6]
