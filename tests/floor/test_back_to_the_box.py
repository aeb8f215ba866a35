"""From box back to box: a table at play, mirrored by a real floor; its box is lost, another one has
the journal back from the floor, and plays on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import islice

import psycopg
import pytest

from controller.control.answers import NewestCheckpoint
from controller.evidence.tree.checkpoint import vkey_of
from controller.files.rules import load_rules
from controller.journal.keys import ControllerKey
from controller.witness.exchange import body_of, post_request
from hil_tests.bench.logged_program import until
from hil_tests.bench.processes import ROOT
from hil_tests.bench.setup import MBS, setup_for
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.demo.plan import SPIN_MS, Plan, shoe_options
from hil_tests.floor.house import House, SentJournal, cosigned
from hil_tests.people.dealer import Dealer
from hil_tests.people.playing import basic, play_to_end
from hil_tests.people.shoe_hand import WAIT_S
from tests.cli.support import Ran, Tablectl
from tests.upkeep.floors import lost

pytestmark = pytest.mark.needs("postgresql")

TABLE = "P1"
SEED = 11


class Box:
    """A table with its devices, whose journal the house has."""

    def __init__(self, house: House) -> None:
        setup = setup_for(MBS, table=TABLE, seed=SEED, spin_ms=SPIN_MS)
        self.plan = Plan(load_rules(MBS, ROOT), setup, 1, SEED, 1, None)
        self.bench = VirtualBench(setup)
        self.configuration = self.bench.folder / "table.toml"
        self.state = self.bench.state_directory
        self.sent = SentJournal(self.configuration, self.state, house, TABLE)
        self.house = house
        self.rounds = 0

    def close(self) -> None:
        with ExitStack() as undo:
            undo.callback(self.bench.close)
            undo.callback(self.sent.process.kill)

    def start(self) -> None:
        self.bench.start_controller()
        self.sent.process.start()

    def play(self) -> None:
        """A round."""
        dealer = Dealer(self.bench)
        dealer.wait_for_devices()
        if dealer.state == "settled":  # what is signed ends with the round, before the next one
            dealer.next()
        dealer.open_bets()
        dealer.burn_where_due()
        for wager in self.plan.wagers(self.rounds == 0):
            dealer.enter(wager)
        dealer.no_more_bets()
        play_to_end(dealer, basic, lambda *_: None)
        dealer.next()
        self.rounds += 1

    def another_shoe(self) -> None:
        """Cards of rounds that are lost are out of the one that is there."""
        shoe, tens = Dealer(self.bench).shoe, bool(self.plan.rules.cards.tens.value)
        shoe.do("load", decks=self.plan.setup.decks, seed=SEED, tens=tens)
        shoe.wait_for(lambda look: look["unacked"] == 0, WAIT_S, "the other shoe")

    def until_sent(self) -> int:
        control = self.bench.control
        until(lambda: cosigned(control.status()) == control.checkpoint()["size"], "all is sent")
        return cosigned(control.status())

    def until_signed(self, old: int) -> NewestCheckpoint:
        """The checkpoint of the round that has ended, proven from there."""
        control = self.bench.control
        return control.checkpoint(after=old, old=old)

    def dies(self) -> list[bytes]:
        """Nothing is left of it but the key in the safe, and what the floor has; its export."""
        size = self.until_sent()
        self.sent.process.kill()
        self.bench.kill_controller()
        export = list(islice(self.sent.export(), size))
        lost(self.state)
        return export

    def recover(self, tablectl: Tablectl) -> Ran:
        given = ["--state", self.state, "--from", self.house.url, "--config", self.configuration]
        return tablectl("journal", "recover", *given)

    def verify(self, tablectl: Tablectl) -> Ran:
        given = ["--state", self.state, "--config", self.configuration]
        return tablectl("journal", "verify", *given)


@pytest.fixture
def house() -> Iterator[House]:
    with closing(House()) as made:
        yield made


@pytest.fixture
def box(house: House) -> Iterator[Box]:
    made = Box(house)
    try:
        for name in made.bench.setup.devices:
            made.bench.add_device(name, *(shoe_options(made.plan) if name == "shoe" else ()))
        made.start()
        yield made
    finally:
        made.close()


@pytest.fixture
def tablectl(capsys: pytest.CaptureFixture[str]) -> Tablectl:
    return Tablectl(capsys)


def test_another_box_plays_on_and_the_log_goes_on(
    tablectl: Tablectl, house: House, box: Box
) -> None:
    for _ in range(2):
        box.play()
    export = box.dies()
    with altered(house):
        nothing_is_given(tablectl, box, "it answers 503")
    house.collectors[0].stop()
    nothing_is_given(tablectl, box, "no answer of use")
    house.collectors[0].serve()

    began = time.monotonic()
    ran = box.recover(tablectl)
    print(f"{len(export)} entries in {time.monotonic() - began:.2f} s")
    assert ran.code == 0, ran.err
    assert list(box.sent.export()) == export

    box.start()
    dealer = Dealer(box.bench)
    faults = resumed(dealer)
    assert {"journal-recovered", "heads-doubted"} & faults
    assert "journal-not-signed" not in faults
    box.play()
    size = box.until_sent()
    assert size > len(export)
    assert house.differs(box.sent.origin, box.sent.export(), size) == ""
    assert house.rows_of("select count(*) from floor.refusal") == [(0,)]
    assert (box.sent.origin, size) in [(one.origin, one.mirror_size) for one in house.watermarks()]
    assert box.bench.stop_controller() == 0
    ran = box.verify(tablectl)
    assert ran.code == 0, ran.out
    assert f"for entry {len(export)} vouches for what is before it" in ran.out


def test_what_the_old_box_had_signed_and_the_floor_lacks_asks_for_another_key(
    tablectl: Tablectl, house: House, box: Box
) -> None:
    box.play()
    size = box.until_sent()
    box.sent.process.kill()
    box.play()
    ahead = box.until_signed(size)
    proof = ahead["proof"]
    assert proof is not None
    answer = post_request(f"{house.url}/add-checkpoint", body_of(ahead["checkpoint"], size, proof))
    assert answer.status == 200, "pending, and its entries never come"
    box.bench.kill_controller()
    lost(box.state)
    assert box.recover(tablectl).code == 0
    box.start()
    dealer = Dealer(box.bench)
    dealer.wait_until(lambda state: state["held"], "it is held")
    assert "heads-doubted" in resumed(dealer)
    box.another_shoe()
    box.play()
    dealer.wait_until(lambda state: state["held"], "the floor knows another history")
    assert resumed(dealer) <= {"journal-behind-witness", "journal-differs-from-witness"}

    box.bench.stop_controller()
    box.sent.process.stop()
    (box.state / "key").unlink()
    other = vkey_of(ControllerKey(box.state / "key").public)
    vkeys = box.configuration.with_name("journal.vkey")
    vkeys.write_text(f"{box.sent.vkey}\n{other}\n", encoding="ascii")
    house.knows(TABLE, f"{box.sent.vkey}\n{other}")
    box.start()
    dealer = Dealer(box.bench)
    dealer.wait_until(lambda state: state["held"], "it is held")
    assert "heads-doubted" in resumed(dealer)
    box.play()
    last = box.until_sent()
    assert resumed(dealer) == set(), "nothing of the old log was sent"
    assert house.differs(other.partition("+")[0], box.sent.export(), last) == ""
    box.bench.stop_controller()
    assert box.verify(tablectl).code == 0


def resumed(dealer: Dealer) -> set[str]:
    """The faults that held the table, each ended by a supervisor."""
    faults = set()
    while (held := dealer.wait_until(lambda _: True)["held"]) is not None:
        faults.add(held["fault"])
        dealer.supervisor("resume", why=f"compared: {held['fault']}")
    return faults


def nothing_is_given(tablectl: Tablectl, box: Box, said: str) -> None:
    ran = box.recover(tablectl)
    assert (ran.code, said in ran.err) == (1, True), ran.err
    assert sorted(one.name for one in box.state.iterdir()) == ["key", "lock"]


@contextmanager
def altered(house: House) -> Iterator[None]:
    """A byte of what is stored is another one."""
    put = "update floor.bundle set lines = %s where first = 0"
    with psycopg.connect(house.dsn, autocommit=True) as connection:
        query = "select lines from floor.bundle where first = 0"
        [(lines,)] = connection.execute(query).fetchall()
        connection.execute(put, [lines[:-9] + bytes([lines[-9] ^ 1]) + lines[-8:]])
        yield
        connection.execute(put, [lines])
