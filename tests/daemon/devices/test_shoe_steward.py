"""The shoe's steward by itself, and against a shoe that does what it likes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hypothesis import given
from hypothesis import strategies as st

from controller.daemon.devices.stewards import LOCK, DeviceCommand, ShoeSteward
from controller.table.showing.prompt_text import GREEN
from controller.table.showing.wanted import Wants
from drivers.api import Answer, Identity, LinkUp

SHOE = Identity("shoe", "S1", (1, 0, 0), "00", 1)
DARK = Wants(shoe_session=7)
"""Nothing wanted of the shoe of session 7, and no event of it taken."""


def up(last_event: int = 0, session: int = 7) -> LinkUp:
    return LinkUp("shoe", SHOE, session, False, last_event, last_event)


def opened(cards: int) -> DeviceCommand:
    return DeviceCommand("GATE", {"unlocked": 1, "cards": cards})


def done(command: DeviceCommand, last_event: int = 0) -> Answer:
    return Answer(command.name, {"last_event": last_event} if command.name == "GATE" else {})


def gate(steward: ShoeSteward, wants: Wants) -> DeviceCommand | None:
    """What it does with the gate; the lamp is taken care of."""
    command = steward.next_command(wants)
    while command is not None and command.name == "SIGNAL":
        steward.answered(command, done(command))
        command = steward.next_command(wants)
    return command


def known(wants: Wants = DARK) -> ShoeSteward:
    """A steward that knows the gate to be locked, with nothing drawn."""
    steward = ShoeSteward()
    steward.link_up(up())
    assert gate(steward, wants) == LOCK
    steward.answered(LOCK, done(LOCK))
    return steward


def test_a_shoe_out_of_sight_is_told_nothing() -> None:
    steward = ShoeSteward()
    assert steward.next_command(replace(DARK, gate_cards=1)) is None
    steward.link_up(up())
    steward.link_down()
    assert steward.next_command(replace(DARK, gate_cards=1)) is None


def test_the_gate_is_locked_before_it_is_opened_when_nothing_is_known() -> None:
    steward = known()
    wanted = replace(DARK, gate_cards=5)
    assert gate(steward, wanted) == opened(5)
    steward.answered(opened(5), done(opened(5)))
    assert gate(steward, wanted) is None
    steward.gate_unknown()
    assert gate(steward, wanted) == LOCK
    steward.link_up(up())
    assert gate(steward, wanted) == LOCK


def test_cards_through_the_gate_use_the_allowance_up() -> None:
    steward = known()
    gate(steward, replace(DARK, gate_cards=3))
    steward.answered(opened(3), done(opened(3)))
    one = replace(DARK, gate_cards=2, cards_taken=1, shoe_taken=1)
    assert gate(steward, one) is None
    done_with = replace(DARK, gate_cards=0, cards_taken=3, shoe_taken=3)
    assert gate(steward, done_with) is None  # it has locked by itself
    assert gate(steward, replace(done_with, gate_cards=1)) == opened(1)


def test_the_gate_is_not_opened_before_every_card_up_to_the_lock_is_taken() -> None:
    steward = ShoeSteward()
    steward.link_up(up(4))
    wanted = replace(DARK, gate_cards=1, shoe_taken=4)
    assert gate(steward, wanted) == LOCK
    steward.answered(LOCK, done(LOCK, last_event=6))
    assert gate(steward, wanted) is None
    assert gate(steward, replace(wanted, shoe_taken=5)) is None
    assert gate(steward, replace(wanted, shoe_taken=6, shoe_session=8)) is None
    assert gate(steward, replace(wanted, shoe_taken=6)) == opened(1)


def test_an_entry_that_waits_hears_of_its_own_lock_once() -> None:
    steward = known()
    waiting = replace(DARK, lock_for=12, shoe_taken=3)
    assert gate(steward, waiting) == LOCK
    steward.answered(LOCK, done(LOCK, last_event=3))
    assert steward.locked == (12, 3)
    steward.locked = None
    assert gate(steward, waiting) is None
    steward.link_up(up(3))
    assert gate(steward, waiting) == LOCK  # a new link: the table wants to hear it again
    assert gate(steward, replace(waiting, lock_for=13)) == LOCK


def test_a_refused_gate_is_left_alone_until_something_has_changed() -> None:
    steward = known()
    wanted = replace(DARK, gate_cards=1)
    gate(steward, wanted)
    steward.answered(opened(1), Answer("GATE", nak=3))
    for _ in range(3):
        assert gate(steward, wanted) is None
    assert gate(steward, replace(wanted, shoe_taken=1)) == LOCK
    assert gate(steward, replace(wanted, gate_cards=0, lock_for=4)) == LOCK


def test_a_broken_lamp_does_not_hold_up_the_gate() -> None:
    steward = known()
    wanted = replace(DARK, gate_cards=1, signal=(GREEN, 0))
    steward.next_command(wanted)
    steward.answered(opened(1), done(opened(1)))
    lamp = steward.next_command(wanted)
    assert lamp == DeviceCommand("SIGNAL", {"colour": GREEN, "blink": 0})
    steward.answered(lamp, Answer("SIGNAL", nak=5))
    assert steward.next_command(wanted) is None
    assert steward.next_command(replace(wanted, gate_cards=0, lock_for=1)) == LOCK


def test_a_lid_opened_before_a_late_answer_leaves_nothing_known() -> None:
    steward = known()
    wanted = replace(DARK, gate_cards=1)
    assert gate(steward, wanted) == opened(1)
    steward.gate_unknown()
    steward.answered(opened(1), done(opened(1)))  # its first frame was lost
    assert gate(steward, wanted) == LOCK


@dataclass
class Shoe:
    """A shoe behind a line: ``allowance`` is the gate, ``unsent`` events the table has not taken
    (True: a card through the open gate)."""

    allowance: int = 0
    last_event: int = 0
    unsent: list[bool] = field(default_factory=list)
    session: int = 7
    lid_open: bool = False

    def obey(self, command: DeviceCommand) -> Answer:
        if command.name == "SIGNAL":
            return Answer("SIGNAL", {})
        if self.lid_open:
            return Answer("GATE", nak=3)
        self.allowance = int(str(command.fields["cards"])) if command.fields["unlocked"] else 0
        return Answer("GATE", {"last_event": self.last_event})

    def draw(self) -> None:
        if self.allowance > 0:
            self.allowance -= 1
            self.last_event += 1
            self.unsent.append(True)

    def lid(self) -> None:
        self.lid_open = not self.lid_open
        self.allowance = 0
        self.last_event += 1
        self.unsent.append(False)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("want"), st.integers(0, 3)),
        st.tuples(
            st.sampled_from(
                ["draw", "take", "attend", "answer", "lose", "lid", "relink", "silence", "entry"]
            ),
            st.just(0),
        ),
    ),
    max_size=60,
)


class Line:
    """Steward, shoe and a table that only counts."""

    def __init__(self) -> None:
        self.steward, self.shoe = ShoeSteward(), Shoe()
        self.wants = DARK
        self.entries = 0
        self.flight: DeviceCommand | None = None
        self.carried_out: Answer | None = None
        self.steward.link_up(up())

    def want(self, cards: int) -> None:
        # The table changes its mind between two hands only with the gate's lock between them.
        self.wants = replace(self.wants, gate_cards=cards)

    def entry(self) -> None:
        self.entries += 1  # a number is used once, also behind the lock that the last one had
        self.wants = replace(self.wants, gate_cards=0, lock_for=self.entries)

    def draw(self) -> None:
        self.shoe.draw()

    def lid(self) -> None:
        self.shoe.lid()

    def take(self) -> None:
        if not self.shoe.unsent:
            return
        card = self.shoe.unsent.pop(0)
        if not card:
            self.steward.gate_unknown()
        left = max(0, self.wants.gate_cards - 1) if card else self.wants.gate_cards
        self.wants = replace(
            self.wants,
            shoe_taken=self.wants.shoe_taken + 1,
            cards_taken=self.wants.cards_taken + card,
            gate_cards=left,
        )

    def attend(self) -> None:
        if self.flight is not None:
            return
        command = self.steward.next_command(self.wants)
        if command is None:
            return
        if command.name == "GATE" and command.fields["unlocked"]:
            assert self.shoe.allowance == 0, "widened"
            assert command.fields["cards"] == self.wants.gate_cards
            assert not any(self.shoe.unsent), "a card is on its way to another hand"
        self.flight, self.carried_out = command, self.shoe.obey(command)

    def answer(self) -> None:
        if self.flight is None or self.carried_out is None:
            return
        command, self.flight = self.flight, None
        self.steward.answered(command, self.carried_out)
        if self.steward.locked is not None:
            entry, _ = self.steward.locked
            self.steward.locked = None
            if entry == self.wants.lock_for:
                self.wants = replace(self.wants, lock_for=None)

    def lose(self) -> None:
        if self.flight is not None:
            self.flight = None
            self.relink()

    def relink(self) -> None:
        self.flight = None
        self.steward.link_down()
        self.steward.link_up(up(self.shoe.last_event))

    def silence(self) -> None:
        """Two seconds without the controller: the shoe locks by itself."""
        self.shoe.allowance = 0
        self.relink()

    def settle(self) -> None:
        """Let everything that is on its way arrive."""
        if self.shoe.lid_open:
            self.shoe.lid()
        for _ in range(20):
            while self.shoe.unsent:
                self.take()
            self.attend()
            self.answer()


@given(STEPS)
def test_the_gate_is_never_open_for_another_number_and_never_stuck(
    steps: list[tuple[str, int]],
) -> None:
    line = Line()
    for name, number in steps:
        line.want(number) if name == "want" else getattr(line, name)()
    line.settle()
    assert line.shoe.allowance == line.wants.gate_cards
    assert line.wants.lock_for is None
    line.want(2)
    line.settle()
    assert line.shoe.allowance == 2
    line.entry()
    line.settle()
    assert line.shoe.allowance == 0
    assert line.wants.lock_for is None


def test_another_number_of_cards_is_never_given_without_a_lock_between() -> None:
    for cards in (0, 1, 2, 4):
        steward = known()
        gate(steward, replace(DARK, gate_cards=3))
        steward.answered(opened(3), done(opened(3)))
        assert gate(steward, replace(DARK, gate_cards=cards)) == LOCK
