"""A shuffler that floods a real daemon over a real line, beside three devices that do not."""

from __future__ import annotations

import time
from pathlib import Path

from controller.daemon.devices.floods import BURST, PER_S
from controller.journal.reader import JournalReader
from drivers.table_link.timing import EVENT_WINDOW
from proof.benchmarks.table import Table

PROGRESS = {"state": 2, "set": 1, "count": 384, "progress": 500}
FLOOD = 2 * BURST


def test_it_is_slowed_and_told_and_cards_do_not_wait(tmp_path: Path) -> None:
    table = Table(tmp_path, tmp_path / "state", rest_s=0.001)
    try:
        table.start()
        begun = time.monotonic()
        shuffler = table.devices["shuffler"]
        for _ in range(FLOOD):
            shuffler.emit("SHUFFLER_STATE", PROGRESS)
        while "device-floods" not in (status := table.answer_to("status"))["conditions"]:
            acked = shuffler.acked
            table.wait(lambda acked=acked: shuffler.acked > acked)  # type: ignore[misc]
        assert status["conditions"]["device-floods"].startswith("the shuffler reported ")
        assert {device["link"] for device in status["devices"].values()} == {"up"}

        acked = shuffler.acked
        for _ in range(EVENT_WINDOW):
            table.timed("shoe", "CUTTING_CARD", remaining=60)
        assert shuffler.acked < shuffler.last_event
        table.wait(lambda: shuffler.acked > acked)
        assert table.stop() == 0
        took = time.monotonic() - begun
    finally:
        table.close()
    with JournalReader(tmp_path / "state") as reader:
        numbers = [one.event_no for one in reader.iterate() if one.type == "SHUFFLER_STATE"]
    assert numbers == list(range(1, len(numbers) + 1))
    assert shuffler.acked <= len(numbers) <= shuffler.acked + EVENT_WINDOW
    assert BURST < len(numbers) <= BURST + took * PER_S + EVENT_WINDOW + 1
