"""Devices that keep to the link protocol and say anything in it, at a whole table.

Every field of every event at its bounds and beyond what the table knows; events in an order that no
device has; answers to commands that do not fit; serial numbers, sessions and links that change
mid-round; people who go on playing meanwhile, and a controller that is killed and started again.
It is refused, held or taken: the table never gives up, and what is kept from entry to entry is in
:mod:`proof.fuzzing.house`.
"""

from __future__ import annotations

import logging
from pathlib import Path

from controller.control.protocol import Request
from controller.files.rules import rule_files
from controller.table.entering.commands import dealer_commands
from controller.table.shoe import shuffling
from controller.table.showing.status import status
from drivers.api import Identity
from drivers.table_link.messages import ANSWER_BIT, COMMANDS, SPECS, Role
from drivers.vocabulary import COUNT_CAPABILITY, GATE_CAPABILITY
from hil_tests.virtual_time.world import World
from pages.table.played_tables import filled
from proof.fuzzing.attaching import body_of, specs_of
from proof.fuzzing.choices import Choices
from proof.fuzzing.house import Book, HostileLink, House
from proof.fuzzing.target import Target
from proof.torture.virtual.life import DEALER, SUPERVISOR
from proof.torture.virtual.site import folder_in_memory

RULES = tuple(rule_files())
_WAITS = (0.001, 0.1, 1.0, 5.0)
MOST_STEPS = 200


class _Table:
    def __init__(self, choices: Choices, folder: Path) -> None:
        self.choices = choices
        self.folder = folder
        self.rules = choices.among(RULES)
        self.world = World()
        self.book = Book()
        self.boot = 1
        self.judged = 0
        self.house = self.live()
        for link in self.house.links.values():
            self.greet(link, good=True)
        self.event("shoe", "SHOE_STATE", {"state": 1, "remaining": 416 if self.tens else 384})
        self.house.dealer("open")
        for box in ("1", "2"):
            self.house.dealer(f"wager {box} main 20")
            self.house.dealer(f"wager {box} pandemonium 5")

    @property
    def tens(self) -> bool:
        return bool(self.house.runtime.owner.table.rules.cards.tens.value)

    def live(self) -> House:
        house = House(self.world, self.rules, self.folder, self.book, self.boot)
        assert house.start(), house.stopped
        return house

    # ---- steps --------------------------------------------------------------------------------

    def step(self) -> None:
        choices = self.choices
        link = choices.among(tuple(self.house.links.values()))
        match choices.below(32):
            case 0 | 1 | 2:
                self.hostile(link)
            case 3:
                self.good()
            case 4 | 5:
                self.people()
            case 6 | 7:
                self.answer(link, good=choices.below(2) == 0)
            case 8:
                self.greet(link, good=choices.below(2) == 0)
            case 9 if choices.below(2):
                self.house.inside(lambda: link.go_down("torn out"))
            case 10 if choices.below(8) == 7:
                self.restart()
            case 11:
                self.world.run_for(choices.among(_WAITS))
            case _:
                self.play()
        assert not self.house.stopped, self.house.stopped

    def event(self, device: str, kind: str, fields: dict[str, int | str | tuple[int, ...]]) -> None:
        link = self.house.links.get(device)
        if link is not None and link.up:
            self.judged += 1
            self.house.inside(lambda: link.event(kind, fields, self.choices.number(32)))

    def hostile(self, link: HostileLink) -> None:
        choices, table = self.choices, self.house.runtime.owner.table
        spec = choices.among(specs_of(link.name, Role.EVENT))
        offer = table.jackpot.offer
        near = {
            "offer_id": (offer.number if offer else 0, table.jackpot.next_offer, 0),
            "multiplier": ((offer.multiplier if offer else 0) or 25, 25, 0),
            "remaining": (384, 416, 0, 0xFFFF),
            "state": tuple(range(8)),
            "rank": tuple(range(15)),
            "suit": tuple(range(6)),
            "key": tuple(b"0123456789.*#BMPJCONSDLWEFYIUAVX"),
            "supervisor": (0, 1),
        }
        raw = body_of(choices, spec.own, near)
        self.event(link.name, spec.name, spec.own.unpack(raw))

    def play(self) -> None:
        """What is due, so that play goes on in spite of all the rest."""
        table = self.house.runtime.owner.table
        down = [link for link in self.house.links.values() if not link.up]
        asked = [link for link in self.house.links.values() if link.asked]
        if down:
            self.greet(down[0], good=True)
        elif asked:
            for link in asked:
                self.answer(link, good=True)
        elif table.hold is not None:
            self.remedy()
        elif table.gate_cards or table.jackpot.offer is not None:
            self.good()
        else:
            self.people()

    def good(self) -> None:
        """What the table waits for."""
        table, choices = self.house.runtime.owner.table, self.choices
        offer = table.jackpot.offer
        if offer is not None and not offer.multiplier:
            self.event("jackpot", "PRESS", {"offer_id": offer.number})
        elif offer is not None and not offer.shown:
            fields = {"offer_id": offer.number, "multiplier": offer.multiplier or 0}
            self.event("jackpot", "SHOWN", {**fields})
        else:
            ranks = range(1, 14) if self.tens else [n for n in range(1, 14) if n != 10]
            card = {"rank": choices.among(tuple(ranks)), "suit": choices.below(4) + 1}
            self.event("shoe", "CARD", {**card, "flags": 0, "card_uid": 0, "remaining": 0xFFFF})

    def people(self) -> None:
        """A permitted command, where there is one; without an answer where it has to wait. Cards
        that are out of play are played on."""
        table = self.house.runtime.owner.table
        commands = dealer_commands(table)
        if shuffling.cards_refused(table) is not None:
            self.supervise("play-on")
        elif commands:
            command = filled(self.choices.among(commands))
            self.house.start_saying(
                self.house.runtime.handler.command(Request(1, "dealer", command), DEALER)
            )

    def remedy(self) -> None:
        held = status(self.house.runtime.owner.table)["held"]
        if held and held["remedies"]:
            self.supervise(self.choices.among(held["remedies"]))

    def supervise(self, command: str) -> None:
        """A supervisor's command."""
        self.house.start_saying(
            self.house.runtime.handler.command(
                Request(1, "supervisor", command, "Ida", "as seen"), SUPERVISOR
            )
        )

    def answer(self, link: HostileLink, *, good: bool) -> None:
        choices = self.choices
        if link.asked is None:
            return
        name = link.asked[0]
        layout = SPECS[COMMANDS[name].type | ANSWER_BIT].layout
        if good:
            fields = layout.unpack(bytes(layout.size))
            if "last_event" in fields:
                fields["last_event"] = link.last_event
            self.house.inside(lambda: link.answer(fields))
        elif choices.below(3) == 0:
            self.house.inside(lambda: link.answer(nak=choices.below(6)))
        elif choices.below(3) == 0:
            self.house.inside(link.answer)
        else:
            near = {"last_event": (link.last_event, link.last_event + 1, 0)}
            told = layout.unpack(body_of(choices, layout, near))
            self.house.inside(lambda: link.answer(told))

    def greet(self, link: HostileLink, *, good: bool) -> None:
        choices = self.choices
        serial, capabilities = f"{link.name}-1", GATE_CAPABILITY | COUNT_CAPABILITY
        if not good:
            serial = choices.raw(12).rstrip(b"\0").decode("latin-1")
            capabilities = choices.number(32)
        identity = Identity(link.name, serial, (1, 0, 0), "00" * 8, capabilities)
        new = not good and choices.below(2) == 1
        self.house.inside(lambda: link.greet(identity, new_session=new))

    def restart(self) -> None:
        """Killed, and started again; the devices are where they were."""
        before = self.house.links
        self.boot += self.choices.below(2)
        self.house.end_life()
        self.house = self.live()
        for name, link in self.house.links.items():
            old = before[name]
            link.session, link.last_event = old.session, max(old.last_event, link.last_event)
            self.greet(link, good=True)

    # ---- the end ------------------------------------------------------------------------------

    def end_table(self) -> None:
        self.world.run_for(10.0)
        assert not self.house.stopped, self.house.stopped
        played = status(self.house.runtime.owner.table)
        self.house.end_life()
        assert status(self.book.replay.table) == played, "the journal gives another table"


def run_bytes(data: bytes) -> int:
    """A table out of bytes."""
    logging.disable()
    choices = Choices(data)
    with folder_in_memory("fuzz-") as folder:
        table = _Table(choices, Path(folder))
        try:
            for _ in range(MOST_STEPS):
                if not choices.more:
                    break
                table.step()
            table.end_table()
        finally:
            table.house.end_life()
    return table.judged


def seeds() -> list[bytes]:
    """Rounds of every document; anything."""
    return [bytes([at]) + bytes(range(256)) * 2 for at in range(len(RULES))] + [
        bytes([at]) + bytes([0, 15, 0, 0, 7, 3, 1, 4, 7, 5, 2, 0, 24, 0]) * 30
        for at in range(len(RULES))
    ]


TARGETS = (Target("devices", "device events", run_bytes, seeds, most_bytes=2048),)
