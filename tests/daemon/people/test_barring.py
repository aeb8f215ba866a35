"""Five wrong PINs in a row bar a person on one user's connections, for a minute and then longer."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from controller.daemon.people.desk import LONGEST_S, Bars

NAMES = st.sampled_from(("Novak", "Ida"))
UIDS = st.sampled_from((0, 7))


def wrong(bars: Bars, times: int, now: float = 0.0, uid: int = 7, name: str = "Novak") -> None:
    for _ in range(times):
        assert not bars.judge(uid, name, now, right=False)


def test_four_are_forgiven_by_a_right_one() -> None:
    bars = Bars()
    for _ in range(3):
        wrong(bars, 4)
        assert bars.judge(7, "Novak", 0.0, right=True)


def test_five_bar_for_a_minute_and_then_for_twice_as_long() -> None:
    bars, now = Bars(), 100.0
    for lasts in (60.0, 120.0, 240.0):
        wrong(bars, 5, now)
        for early in (0.0, lasts / 2, lasts - 0.001):
            assert not bars.judge(7, "Novak", now + early, right=True)
        now += lasts
    assert bars.judge(7, "Novak", now, right=True)
    wrong(bars, 5, now)
    assert bars.judge(7, "Novak", now + 60.0, right=True)  # it begins anew behind a right one


def test_neither_another_person_nor_another_user_is_barred() -> None:
    bars = Bars()
    wrong(bars, 5)
    assert bars.judge(7, "Ida", 0.0, right=True)
    assert bars.judge(8, "Novak", 0.0, right=True)
    assert not bars.judge(7, "Novak", 0.0, right=True)


def test_another_pin_ends_it() -> None:
    bars = Bars()
    wrong(bars, 5)
    wrong(bars, 5, name="Ida")
    bars.forget("Novak")
    assert bars.judge(7, "Novak", 0.0, right=True)
    assert not bars.judge(7, "Ida", 0.0, right=True)


def test_it_never_lasts_longer_than_a_day() -> None:
    bars, now = Bars(), 0.0
    for _ in range(40):
        wrong(bars, 5, now)
        now += LONGEST_S
    assert bars.judge(7, "Novak", now, right=True)


class AnyTries(RuleBasedStateMachine):
    """PINs in any order at any times, beside a model that remembers all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.bars, self.now = Bars(), 0.0
        self.tries: dict[tuple[int, str], list[tuple[float, bool]]] = {}

    @rule(seconds=st.sampled_from((0.0, 1.0, 59.0, 60.0, 61.0, 600.0)))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(uid=UIDS, name=NAMES, right=st.booleans())
    def shows(self, uid: int, name: str, right: bool) -> None:
        tries = self.tries.setdefault((uid, name), [])
        assert self.bars.judge(uid, name, self.now, right=right) == self.taken(tries, right)
        tries.append((self.now, right))

    def taken(self, tries: list[tuple[float, bool]], right: bool) -> bool:
        """Whether a PIN is taken now, told from all that came before."""
        wrong, bars, until = 0, 0, 0.0
        for at, was_right in tries:
            if at < until:
                continue
            if was_right:
                wrong = bars = 0
                continue
            wrong += 1
            if wrong % 5 == 0:
                until = at + min(60.0 * 2**bars, LONGEST_S)
                bars += 1
        return right and self.now >= until

    @rule(name=NAMES)
    def has_another_pin(self, name: str) -> None:
        self.bars.forget(name)
        self.tries = {key: tries for key, tries in self.tries.items() if key[1] != name}


def test_any_tries() -> None:
    run_state_machine_as_test(AnyTries)
