"""A generator that can be broken, at a house whose jackpot unit is armed."""

from __future__ import annotations

from controller.draw.evidence import Evidence
from controller.draw.weights import ticket_bits
from controller.journal.export import record
from controller.journal.reader import JournalReader
from controller.table.jackpot import GENERATOR_FAULT
from tests.daemon.house import SETTINGS, House

WIDTH = ticket_bits(sum(weight for _, weight in SETTINGS.weights))


class Generator:
    """A generator that can be broken and mended; ``taken`` counts the numbers it gave."""

    def __init__(self) -> None:
        self.broken = False
        self.taken = 0
        self._state = 12345

    def __call__(self, width: int) -> int:
        self.taken += 1
        if self.broken:
            return 1
        self._state = self._state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        return self._state >> 64 - width


async def offered(house: House) -> int:
    """Box 1 has a Pontoon and a Pandemonium wager: the button is armed for it."""
    await house.dealer("open", "wager 1 main 10", "wager 1 pandemonium 1", "close")
    await house.deal("AC", "9D", "KC")
    name, fields = house.commands("jackpot")[-1]
    assert name == "ARM"
    return int(fields["offer_id"])


async def press(house: House, offer: int) -> None:
    house.links["jackpot"].event("PRESS", offer_id=offer)
    await house.quiet()


async def cycles(house: House, count: int = 1) -> None:
    """As if so much time had passed."""
    for _ in range(count):
        house.drawing.close()
        house.drawing._cycle()
    await house.quiet()


def conditions(house: House) -> list[tuple[bool, str]]:
    entries = [entry for entry in house.entries("condition") if entry["fault"] == GENERATOR_FAULT]
    return [(entry["present"], entry["detail"]) for entry in entries]


def verified(house: House) -> None:
    """The chain, and the evidence of every draw."""
    assert house.verified()
    with JournalReader(house.state) as reader:
        evidence = Evidence()
        assert [
            fault for entry in reader.iterate() for fault in evidence.check_line(record(entry))
        ] == []
        assert evidence.draws == len(house.entries("draw"))
