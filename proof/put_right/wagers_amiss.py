"""Wagers that were keyed otherwise than their chips lie, put right by ``wager BOX KIND AMOUNT``.

What lies there is found out when it is put right, by chance among the sums with which people could
have played on as they did. What was doubled, bought or insured may be more than the wager lets:
that is put right first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

from controller.game.commands.values import Seat
from controller.game.round import play
from controller.game.round.refusal import Refused
from controller.game.round.remedies import WagerLies
from controller.game.round.steps import AtBox, Buy, Double, Insure
from controller.game.round.wagers import MAIN, Sheet, check_sheet, letters_of
from controller.game.rules.schema import RuleSet
from proof.put_right.chance import STAKES
from proof.put_right.mistakes import Fails, GoesOn, Mistake
from proof.put_right.table import Table
from proof.put_right.truth import SaidDecision, in_order

__all__ = ["KINDS"]

SIDES: Final = (0, 0, 100, 500, 2000)
LEAST: Final = 100
"""The least of a double, as tables have no limits here."""


@dataclass(frozen=True, slots=True)
class Added:
    """What was added ``by`` a bettor to the main wager ``of`` one: a double, a bought card, or an
    insurance. ``may_change``: nobody who has part in it has his wager back."""

    said: SaidDecision
    step: Double | Buy | Insure
    by: Seat
    of: Seat
    may_change: bool

    @classmethod
    def all(cls, table: Table) -> list[Self]:
        """All that was."""
        found: list[Self] = []
        for one in table.truth.said:
            step = one.step
            if not isinstance(step, Double | Buy | Insure):
                continue
            by = Seat(step.seat.box, step.seat.bettor or one.by or "a")
            owner = step.owner if isinstance(step, Insure) else None
            of = Seat(owner.box, owner.bettor or "a") if owner else by
            back = any(table.apart.is_out(seat.box, seat.bettor or "a") for seat in (by, of))
            found.append(cls(one, step, by, of, not back))
        return sorted(found, key=lambda one: (in_order(one.said.place), one.said.when))

    @property
    def amount(self) -> int:
        """Its sum."""
        return self.step.amount or 0

    def most(self, table: Table, main: int) -> int:
        """How much it may be, beside what others have insured of that main wager."""
        if not isinstance(self.step, Insure):
            return main
        same = [
            one for one in self.all(table) if isinstance(one.step, Insure) and one.of == self.of
        ]
        return main // 2 - sum(one.amount for one in same if one.said != self.said)

    def lies(self, table: Table, amount: int) -> None:
        """So much lies there; of an insurance perhaps nothing."""
        kind = "insurance" if isinstance(self.step, Insure) else self.step.verb
        same = [o for o in self.all(table) if type(o.step) is type(self.step) and o.by == self.by]
        which = same.index(self) + 1 if len(same) > 1 else 0
        table.play_step(WagerLies(seat=self.by, kind=kind, amount=amount, which=which))
        said = table.truth.said
        new = [replace(self.said, step=replace(self.step, amount=amount))] if amount else []
        place = said.index(self.said)
        said[place : place + 1] = new


class AddedKeyed(Mistake):
    """The table was told another sum of a double or an insurance than lies there."""

    kind = "a double, a card or an insurance wrongly keyed"
    between_moves = True

    @classmethod
    def known_to(cls, rules: RuleSet) -> bool:
        return bool(rules.double or rules.buy or rules.insurance)

    def may_be_made(self, table: Table) -> bool:
        return any(one.may_change for one in Added.all(table))

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        changes = [one for one in Added.all(table) if one.may_change]
        if not changes:
            raise GoesOn("taken back")
        one = self.chance.choice(changes)
        stake = table.truth.sheet.of_box(MAIN, one.of.box).get(one.of.bettor or "a") or 0
        most = one.most(table, min(stake, table.apart.most.get(one.of.box, stake)))
        sums = [most, most // 4 * 2, *([0] if isinstance(one.step, Insure) else [])]
        if sums := [sum_ for sum_ in sums if sum_ != one.amount and (sum_ >= LEAST or not sum_)]:
            one.lies(table, self.chance.choice(sums))


class MainKeyed(Mistake):
    """The table was told another main wager than lies there, a smaller or a larger one."""

    kind = "a wager wrongly keyed"
    between_moves = True

    def may_be_made(self, table: Table) -> bool:
        return True

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        box, truth = self.chance.choice([*table.rnd.boxes]), table.truth
        placed = truth.sheet.of_box(MAIN, box)
        bettor = self.chance.choice((*placed, *placed, *letters_of(table.rnd.rules, MAIN)))
        told = placed.get(bettor, 0)
        seat, stake = Seat(box, bettor), self.chance.choice((*STAKES, (told or 0) // 4 * 2, 0))
        if not stake and _has_decided(table, seat):
            raise GoesOn("he has decided")
        added = [one for one in Added.all(table) if one.of == seat]
        too_much = [one for one in added if one.amount > one.most(table, stake)]
        if len(too_much) > 1 or any(not one.may_change for one in too_much):
            raise GoesOn("more than that was added to it")
        if stake == told or table.apart.is_out(box, bettor) or box in table.apart.most:
            raise GoesOn("it lies as it was keyed")
        lies = truth.sheet.clone()
        lies.set(MAIN, box, bettor, stake)
        _check(table.rnd.rules, lies)
        were, are = (_who_decide(table.rnd.rules, sheet, box) for sheet in (truth.sheet, lies))
        if were[:1] != are[:1] or _without(were, bettor) != _without(are, bettor):
            raise GoesOn("another would have decided")
        step = WagerLies(seat=seat, kind=MAIN, amount=stake)
        for one in too_much:
            if _is_refused(table, step):
                one.lies(table, max(0, one.most(table, stake)))
            elif not isinstance(one.step, Insure):  # which the cards may not offer any more
                raise Fails("accepted with more added to it", f"{step}: {one.step}")
        table.play_step(step)
        truth.sheet = lies


def _who_decide(rules: RuleSet, sheet: Sheet, box: int) -> list[str]:
    """The bettors of the box in the order in which they decide, but for the one who sits there."""
    main = sheet.of_box(MAIN, box)
    if rules.betting.control.value == "nearest_dealer":
        return [*main]
    return sorted(main, key=lambda bettor: -(main[bettor] or 0) if bettor != "a" else 0)


def _check(rules: RuleSet, lies: Sheet) -> None:
    try:
        check_sheet(rules, lies)
    except Refused as refused:
        raise GoesOn(str(refused)) from refused


def _without(bettors: list[str], who: str) -> list[str]:
    return [bettor for bettor in bettors if bettor != who]


def _has_decided(table: Table, seat: Seat) -> bool:
    """Whether somebody who does not lie there has decided, or others have for him."""
    decided = any(
        isinstance(one.step, AtBox)
        and (one.step.seat.box, one.step.seat.bettor or one.by or "a") == (seat.box, seat.bettor)
        for one in table.truth.said
    )
    return decided or any(one.of == seat for one in Added.all(table))


def _is_refused(table: Table, step: WagerLies) -> bool:
    """Whether it is refused, as the script says."""
    try:
        play.take_step(table.rnd, step)
    except Refused:
        table.steps.append(f"! {step}")
        return True
    return False


class SideKeyed(Mistake):
    """The table was told another side wager than lies there, one where none lies, or none."""

    kind = "a side wager wrongly keyed"
    between_moves = True

    @classmethod
    def known_to(cls, rules: RuleSet) -> bool:
        return bool(rules.side_wagers)

    def may_be_made(self, table: Table) -> bool:
        return True

    def put_right(self, table: Table, together: list[Mistake]) -> None:
        rules, truth = table.rnd.rules, table.truth
        kind, box = self.chance.choice([*rules.side_wagers]), self.chance.choice([*table.rnd.boxes])
        bettor, amount = self.chance.choice(letters_of(rules, kind)), self.chance.choice(SIDES)
        lies = truth.sheet.clone()
        lies.set(kind, box, bettor, amount)
        _check(rules, lies)
        told = truth.sheet.of_box(kind, box).get(bettor, 0)
        if told == amount or table.apart.is_out(box, bettor):
            raise GoesOn("it lies as it was keyed")
        if not amount and any(one.by == Seat(box, bettor) for one in Added.all(table)):
            raise GoesOn("he has decided")
        table.play_step(WagerLies(seat=Seat(box, bettor), kind=kind, amount=amount))
        truth.sheet = lies


KINDS: Final[tuple[type[Mistake], ...]] = (MainKeyed, SideKeyed, AddedKeyed)
"""These kinds."""
