"""Anything may happen at a table, in any order: dealers, cards, links, supervisors, starts, noise.

Over all five documents, with whatever may go wrong at them. After every event
:mod:`tests.table.live.examine` holds what is told against what is wanted. Here: every card that
left the shoe has exactly one fate and is counted once, what is permitted is taken, no offer is
numbered twice and none is drawn for twice, wagers are settled once and in full, no device's event
is more than the table can take, and replaying the events gives the same table, byte for byte.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import settings as examples
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from controller.faults.catalogue import CATALOGUE
from controller.files.rules import rule_files
from controller.game.commands.values import Malformed
from controller.game.round import play
from controller.game.round.irregular.replaying import known_cards, on_the_table
from controller.game.round.refusal import Refused
from controller.game.rules.cases import KNOWN, TRIGGERS
from controller.table.apply import apply
from controller.table.entering.commands import dealer_commands
from controller.table.entering.supervising import supervisor_commands
from controller.table.events.reading import read_event
from controller.table.settings import Settings
from controller.table.showing.status import status
from controller.table.state.table import Table
from tests.table.live.driver import ALL, MBS, RWS, Live, settings
from tests.table.live.examine import snapshot
from tests.table.live.grid import check_permitted, grid
from tests.table.live.settled import settled_in_full

BYTE = st.integers(0, 255)
WORD = st.integers(0, 0xFFFF)
OFFER = st.one_of(st.integers(0, 6), st.integers(0, 2**32 - 1))
DEVICE = st.sampled_from(ALL)
RANKS = ["A", "A", "A", "2", "3", "5", "6", "7", "8", "8", "9", "J", "Q", "K", "K"]
CARD = st.builds(str.__add__, st.sampled_from(RANKS), st.sampled_from("CDHS"))
REPORT = st.one_of(
    st.sampled_from(
        [
            f"report {name}{' 1' if KNOWN[name].box else ''}"
            for name in TRIGGERS
            if not KNOWN[name].by_card and name != "over-maximum"
        ]
    ),
    st.sampled_from(("report over-maximum 1 5", "report drawn seen", "report empty-box 3")),
    st.builds("correct {} {}".format, st.integers(1, 6), CARD),
)
ORDINARY = [command for command in grid() if not command.startswith("shuffle")]
WAGERS = (
    *("1 main 10", "1 main", "1b main 20", "1 pair 5", "1 pandemonium 5", "1b pandemonium 5"),
    *("2 main 40", "2b pandemonium 5", "2 pandemonium 5", "3 main 10", "3 main 0", "3b pair"),
    *("1 bonus 5", "1b bonus 5", "2 bonus 5"),
)


def cards_of(table: Table) -> tuple[Counter[str], int]:
    """The cards that lie on the table, or were put back; and how many wait for somebody's word."""
    waiting = sum(len(hold.cards) for hold in table.holds.standing)
    if table.rnd is None:
        return Counter(), waiting
    lie = Counter({str(card): count for card, count in on_the_table(table.rnd).items()})
    if table.dealing.kept is not None and not table.rnd.irregular.waiting:
        lie[str(table.dealing.kept.card)] += 1
    if table.rnd.irregular.irregularity is not None:
        waiting += len(table.rnd.irregular.irregularity.cards)
    return lie, waiting


def edits(table: Table) -> bool:
    """Whether a card or a press has a correction judged first, which may discard cards, or give
    them other names."""
    return table.rnd is not None and bool(table.rnd.irregular.edits)


def check_counted(table: Table) -> None:
    """What the round knows of its cards agrees with what left the shoe, and with the count."""
    assert table.rnd is not None
    named = [str(loose.card) for loose in table.dealing.drawn if loose.card]
    settled = play.without_corrections(table.rnd)  # those that wait are not counted yet
    out = [str(card) for card in known_cards(settled)]
    assert out == named[: len(out)]
    assert cards_of(table)[0] <= Counter(named)
    assert all(count >= 0 for count in table.shoe.used.values())


class AnyTable(RuleBasedStateMachine):
    """A table to which anything may happen."""

    def __init__(self, rules: str) -> None:
        super().__init__()
        self.document = rules
        self.table = Live(rules)
        self.offers: dict[int, tuple[int, int]] = {}
        self.drawn: set[int] = set()
        self.boots = 1
        self.gridded = False

    def teardown(self) -> None:
        """Replay, byte for byte."""
        other, outcomes = Table(), []
        for line in self.table.events:
            outcomes.append(apply(other, read_event(**json.loads(line))).as_body())
        played = [outcome.as_body() for outcome in self.table.outcomes]
        assert json.dumps(outcomes) == json.dumps(played)
        assert json.dumps(status(other)) == json.dumps(status(self.table.table))
        assert snapshot(self.table.table, Settings.dump) == snapshot(other, Settings.dump)

    @initialize(decks=st.sampled_from((1, 8)))
    def which(self, decks: int) -> None:
        """How large the table's shoe is."""
        self.table = Live(self.document, decks=decks)

    # ---- what is looked at after every rule ---------------------------------------------------

    def _look(self) -> None:
        table = self.table.table
        if table.jackpot.offer is not None:
            where = (table.round_number, table.jackpot.offer.box)
            assert self.offers.setdefault(table.jackpot.offer.number, where) == where
        if table.mid_round:
            check_counted(table)
        if table.state == "settled":
            settled_in_full(table)

    def _card(self, **fields: int) -> None:
        """A card has one fate: it lies, or it waits, or it is burned; no other is lost by it."""
        table = self.table.table
        (lay, waiting), burned = cards_of(table), len(table.shoe.book.burned)
        judged = edits(table)
        self.table.device("shoe", "CARD", **fields)
        (lie, waiting_now), burned_now = cards_of(table), len(table.shoe.book.burned)
        if not judged:
            assert lie.total() + waiting_now + burned_now == lay.total() + waiting + burned + 1
        self._look()

    def _noise(self, name: str, kind: str, **fields: Any) -> None:
        """An event that is none of a card has no effect on cards."""
        before, judged = cards_of(self.table.table), kind == "PRESS" and edits(self.table.table)
        self.table.device(name, kind, **fields)
        if not judged:
            assert cards_of(self.table.table) == before
        self._look()

    def _try(self, command: str) -> None:
        with contextlib.suppress(Refused, Malformed):
            self.table.enter(command)
        self._look()

    # ---- play ---------------------------------------------------------------------------------

    @rule(data=st.data(), times=st.integers(1, 12))
    def play_goes_on(self, data: st.DataObject, times: int) -> None:
        """What is amiss is put right, and what is awaited comes."""
        for _ in range(times):
            if not self._put_right(data):
                self._next_thing(data)
            self._look()

    def _put_right(self, data: st.DataObject) -> bool:
        live, table = self.table, self.table.table
        for name in ALL:
            if not table.is_up(name):
                live.up(name)
        if table.devices["shoe"].state != 1:
            live.shoe((1, 200))
        if table.entering.pending is not None or table.entering.leftover is not None:
            live.lock()
        elif table.hold is not None:
            self._remedy(data)
        else:
            return False
        return True

    def _remedy(self, data: st.DataObject) -> None:
        """One that is listed: it is taken, whoever gives it. Where none is, the cause has to go."""
        live, table = self.table, self.table.table
        for code in list(table.holds.conditions):
            if data.draw(st.booleans()) or not supervisor_commands(table):
                live.apply("condition", {"fault": code, "present": False, "detail": ""})
        if table.hold is None:
            return
        own = dealer_commands(table)
        by_dealer = bool(own) and data.draw(st.booleans())
        listed = own if by_dealer else supervisor_commands(table)
        voids = data.draw(st.integers(0, 9)) == 0
        usual = [str(one) for one in listed if one.verb != "void" or voids]
        template = data.draw(st.sampled_from(usual or list(map(str, listed))))
        command = template.replace("BOX", "2").replace("CARD", data.draw(CARD))
        try:
            if by_dealer:
                live.say(command)
            elif command == "confirm void":  # Sue has asked for it
                live.order(command, user="ann")
            else:
                live.order(command)
        except Refused:  # a card that cannot be, a box that has a wager
            assert command != template

    def _next_thing(self, data: st.DataObject) -> None:
        live, table = self.table, self.table.table
        if not table.mid_round:
            self._begin(data.draw(st.lists(st.sampled_from(WAGERS), max_size=6)))
        elif table.state == "jackpot.armed":
            live.press()
        elif (due := live.wants().draw) is not None:
            assert due[0] not in self.drawn
            self.drawn.add(due[0])
            live.draw(data.draw(st.sampled_from((25, 100))))
        elif table.state == "jackpot.drawing":
            assert table.jackpot.offer is not None
            live.shown(table.jackpot.offer.multiplier or 0)
        elif live.wants().gate_cards and data.draw(st.booleans()):
            self._leaves(data.draw(CARD))
        else:
            self._permitted(data)

    def _begin(self, wagers: list[str]) -> None:
        """Without this loading and these main wagers some documents would never play: a walk could
        stand before an empty round for its whole length."""
        if self.table.status()["shoe"]["shuffle_due"]:
            for state, remaining in ((0, 0), (1, self.table.settings.shoe_size)):
                self.table.shoe((state, remaining))
        for command in ("open", "wager 1 main 10", *(f"wager {text}" for text in wagers), "close"):
            self._try(command)
        if self.table.state == "betting":  # a side wager where there is no main one
            for seat in ("1b", "2", "2b", "3", "3b"):
                self._try(f"wager {seat} main 10")
            self._try("close")

    def _leaves(self, text: str, flags: int = 0) -> None:
        rank, suit = "A23456789TJQK".index(text[0]) + 1, "CDHS".index(text[1]) + 1
        self._card(rank=rank, suit=suit, flags=flags, card_uid=0, remaining=0xFFFF)

    def _permitted(self, data: st.DataObject) -> None:
        """What is permitted is taken."""
        template = data.draw(st.sampled_from(self.table.status()["permitted"] or [""]))
        if template:
            words = template.replace("BOX", "1").replace("BY", "staff").split()
            text = " ".join(words)
            capped = any("over-maximum" in line for line in self.table.events)
            if words[0] in ("double", "insure") and capped:  # it plays for less than was placed
                self._try(text.replace("AMOUNT", "5" if words[0] == "double" else "1"))
                return
            self.table.say(text.replace("AMOUNT", "1" if words[0] == "insure" else "10"))

    # ---- and whatever else --------------------------------------------------------------------

    @rule(data=st.data())
    def something_happens(self, data: st.DataObject) -> None:
        """One of many things."""
        happens = data.draw(st.sampled_from(HAPPENINGS))
        happens(self, data)
        self._look()

    def any_entry(self, data: st.DataObject) -> None:
        """A dealer says anything; the gate may lock later."""
        self._try(data.draw(st.sampled_from(ORDINARY)))
        if data.draw(st.booleans()):
            self.table.lock()

    def any_lock(self, data: st.DataObject) -> None:
        """For this entry or another, before or after what is on the line."""
        last = max(0, self.table.numbers["shoe"] + data.draw(st.integers(-1, 1)))
        self.table.lock(last_event=last, entry=data.draw(st.none() | st.integers(0, 30)))

    def any_clock(self, data: st.DataObject) -> None:
        """The meter's."""
        self.table.apply("overdue", {"offer": data.draw(OFFER)})

    def any_card(self, data: st.DataObject) -> None:
        """Read or not, possible or not."""
        fields = {name: data.draw(BYTE) for name in ("rank", "suit", "flags")}
        self._card(**fields, card_uid=7, remaining=data.draw(WORD))

    def odd_card(self, data: st.DataObject) -> None:
        """One that may often be used after all."""
        self._leaves(data.draw(CARD), data.draw(st.sampled_from((0, 1, 2, 8, 16))))

    def something_is_reported(self, data: st.DataObject) -> None:
        """By the dealer or the supervisor; or a card was misread."""
        command = data.draw(REPORT)
        if data.draw(st.booleans()):
            self._try(command)
            self.table.lock()
        else:
            with contextlib.suppress(Refused):
                self.table.order(command)

    def any_order(self, data: st.DataObject) -> None:
        """Whether it may be or not."""
        with contextlib.suppress(Refused):
            self.table.order(data.draw(st.sampled_from(ORDERS)))

    def device_answers(self, data: st.DataObject) -> None:
        """The same or another, with its memory or without."""
        serial = data.draw(st.sampled_from(("", "", "other-1")))
        self.table.up(data.draw(DEVICE), new_session=data.draw(st.booleans()), serial=serial)

    def device_is_gone(self, data: st.DataObject) -> None:
        """Unplugged."""
        self.table.down(data.draw(DEVICE))

    def controller_starts(self, data: st.DataObject) -> None:
        """Within the boot or after another, with the same rules or others."""
        self.boots += data.draw(st.booleans())
        rules = data.draw(st.sampled_from((MBS, MBS, RWS)))
        self.table.start(f"boot-{self.boots}", settings(rules))

    def the_controller_says(self, data: st.DataObject) -> None:
        """A condition of its own, or one that it has no words for."""
        fault = data.draw(st.sampled_from((*CATALOGUE, "to-come")))
        body = {"fault": fault, "present": data.draw(st.booleans()), "detail": "so it is"}
        self.table.apply("condition", body)

    def any_bytes(self, data: st.DataObject) -> None:
        """Keys of any byte; none at all stands for NUL."""
        pressed = data.draw(st.text(st.characters(max_codepoint=255), max_size=4))
        for char in pressed or [""]:
            self.table.key(char, supervisor=data.draw(st.booleans()))

    def any_keys(self, data: st.DataObject) -> None:
        """Keys that mean something."""
        for text in data.draw(st.lists(st.sampled_from(KEYS), max_size=5)):
            supervisor, lock = data.draw(st.booleans()), data.draw(st.booleans())
            self.table.keys(text, supervisor=supervisor, lock=lock)
            self._look()

    def noise(self, data: st.DataObject) -> None:
        """Events with any values that the wire can carry."""
        kind, device, fields = data.draw(st.sampled_from(NOISE))
        values = {name: data.draw(strategy) for name, strategy in fields.items()}
        self._noise(device, kind, **values)

    def dealer_tries_everything(self, data: st.DataObject) -> None:
        """On copies of the table; once, because it takes long."""
        if not self.gridded and self.table.table.mid_round:
            self.gridded = True
            check_permitted(self.table.table)


HAPPENINGS = (
    AnyTable.any_entry,
    AnyTable.any_entry,
    AnyTable.any_lock,
    AnyTable.any_clock,
    AnyTable.any_card,
    AnyTable.odd_card,
    AnyTable.any_order,
    AnyTable.something_is_reported,
    AnyTable.something_is_reported,
    AnyTable.something_is_reported,
    AnyTable.device_answers,
    AnyTable.device_is_gone,
    AnyTable.the_controller_says,
    AnyTable.controller_starts,
    AnyTable.any_bytes,
    AnyTable.any_keys,
    AnyTable.any_keys,
    AnyTable.noise,
    AnyTable.noise,
    AnyTable.dealer_tries_everything,
)
ORDERS = (
    *("void", "use", "discard", "resume", "pay 25", "card 9D", "card TC", "reconstruct"),
    *("continue", "void-hand 1", "reshuffle", "choose 1 refuse", "choose 1 return"),
)
KEYS: tuple[str, ...] = (
    *("O", "N", "B1", "B2.2", "M10#", "J5#", "P#", "S", "L", "D#", "W", "I#", "I1B2#", "U#"),
    *("A#", "A2#", "E", "F", "*", "X0#", "X1#", "X9.2#", "V#"),
)
NOISE = (
    ("FAULT", "shoe", {"faults": WORD}),
    ("FAULT", "jackpot", {"faults": WORD}),
    ("SHOE_STATE", "shoe", {"state": BYTE, "remaining": WORD}),
    ("SHOE_STATE", "shoe", {"state": st.integers(0, 4), "remaining": st.sampled_from((0, 384))}),
    ("CUTTING_CARD", "shoe", {"remaining": WORD}),
    ("SHUFFLER_STATE", "shuffler", {"state": BYTE, "set": BYTE, "count": WORD, "progress": WORD}),
    ("SHUFFLE_DONE", "shuffler", {"set": BYTE, "count": WORD, "result": BYTE}),
    (
        "CARD_DISCREPANCY",
        "shuffler",
        {"rank": BYTE, "suit": BYTE, "difference": st.integers(-128, 127)},
    ),
    ("PRESS", "jackpot", {"offer_id": OFFER}),
    ("SHOWN", "jackpot", {"offer_id": OFFER, "multiplier": WORD}),
    ("COVER", "jackpot", {"open": BYTE}),
    ("STUCK", "jackpot", {"held_ms": WORD}),
    ("SOMETHING_NEW", "keypad", {"value": BYTE}),
)


@pytest.mark.parametrize("rules", rule_files())
def test_anything(rules: str) -> None:
    many = examples(max_examples=max(1, examples().max_examples // 5), stateful_step_count=30)
    machine = partial(AnyTable, rules)  # as good as a class of its own
    run_state_machine_as_test(machine, settings=many)  # type: ignore[arg-type]
