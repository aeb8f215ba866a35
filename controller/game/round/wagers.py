"""The wagers of a round before its cards, by box and bettor, and the checks of whether they are
permitted. A sheet is filled wager by wager; :func:`check_sheet` checks that a round may begin with
it. A wager that its odds could not pay in whole cents is refused here, before play: a main wager
may be paid 3:2 or be halved, so it is an even number of cents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.game.commands.values import Stake, brief_amount, write_amount
from controller.game.round.model import BETTORS, OUTSIDE, Bet, Box, Hand
from controller.game.round.refusal import Refused
from controller.game.rules.schema import RuleSet

MAIN: Final = "main"
"""The kind of the main wager; side wagers are of the kinds that the rules describe."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a table in cents. ``increment`` is the smallest step of any wager (1: any);
    ``box_max`` and ``player_max`` limit the main wagers on one box, together and each (0: not)."""

    min: int = 100
    max: int = 10_000_000
    side_min: int = 1
    side_max: int = 10**12
    increment: int = 1
    box_max: int = 0
    player_max: int = 0


Replaced = dict[str, tuple[tuple[int, ...], dict[int, dict[str, Stake]]]]
"""What a sheet had otherwise than a later one, by the kinds that differ: all its boxes in order,
and the wagers of those where they are others."""


@dataclass(slots=True)
class Sheet:
    """Wagers by kind, box and bettor, the main wagers first, then the kinds by name, in whatever
    order they were placed; the stake is None where the amount is not given."""

    wagers: dict[str, dict[int, dict[str, Stake]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._put_in_order()

    def _put_in_order(self) -> None:
        """Order the kinds, without those that have no wager."""
        sides = {kind: self.wagers[kind] for kind in sorted(self.wagers) if kind != MAIN}
        placed = {kind: boxes for kind, boxes in sides.items() if boxes}
        self.wagers = {MAIN: self.wagers.get(MAIN, {}), **placed}

    def set(self, kind: str, box: int, bettor: str, stake: Stake) -> None:
        """Place a wager, or remove it with 0."""
        boxes = self.wagers.setdefault(kind, {})
        bettors = boxes.setdefault(box, {})
        if stake != 0:
            bettors[bettor] = stake
        else:
            bettors.pop(bettor, None)
        if not bettors:
            del boxes[box]
        self._put_in_order()

    def of_box(self, kind: str, box: int) -> dict[str, Stake]:
        """The wagers of that kind on a box, by bettor in order."""
        placed = self.wagers.get(kind, {}).get(box)
        return {bettor: placed[bettor] for bettor in BETTORS if bettor in placed} if placed else {}

    def count(self, kind: str) -> int:
        """The number of wagers of that kind."""
        return sum(map(len, self.wagers.get(kind, {}).values()))

    @property
    def boxes(self) -> list[int]:
        """The numbers of the boxes with any wager, ascending."""
        return sorted({box for boxes in self.wagers.values() for box in boxes})

    def clear_side_wagers(self) -> None:
        """Remove the side wagers, which are entered again for each round; main wagers stay."""
        self.wagers = {MAIN: self.wagers[MAIN]}

    def clone(self) -> Sheet:
        """An independent copy."""
        copied = Sheet()
        for kind, boxes in self.wagers.items():
            copied.wagers[kind] = {box: bettors.copy() for box, bettors in boxes.items()}
        return copied

    def replaced_in(self, then: Sheet) -> Replaced:
        """What :meth:`with_replaced` makes this sheet of, given ``then``."""
        found: Replaced = {}
        for kind in {**self.wagers, **then.wagers}:
            mine, its = self.wagers.get(kind, {}), then.wagers.get(kind, {})
            others = {  # placed in another order is otherwise, too
                box: bettors
                for box, bettors in mine.items()
                if [*bettors.items()] != [*its.get(box, {}).items()]
            }
            if others or [*mine] != [*its]:
                found[kind] = (tuple(mine), others)
        return found

    def with_replaced(self, replaced: Replaced) -> Sheet:
        """The sheet as it was before: a new one."""
        before = self.clone().wagers
        for kind, (boxes, others) in replaced.items():
            now = before.get(kind, {})
            before[kind] = {box: others[box].copy() if box in others else now[box] for box in boxes}
        return Sheet(before)


def letters_of(rules: RuleSet, kind: str) -> tuple[str, ...]:
    """Who may have a wager of that kind: on the box, and outside it if the document lets them."""
    on_box = BETTORS[: rules.betting.bettors_max.value]
    side = kind != MAIN and rules.betting.outside.value == "side_wagers"
    return (*on_box, *OUTSIDE) if side else on_box


def check_wager(
    rules: RuleSet, limits: Limits, kind: str, box: int, bettor: str, stake: Stake, boxes: int
) -> None:
    """Check that a single wager may be placed, without regard to the others: its box, bettor and
    kind, the limits, and that it can be paid in whole cents."""
    betting = rules.betting
    if not 1 <= box <= boxes:
        raise Refused(
            f"there is no box {box}: expected 1 to {boxes}",
            betting.boxes_max.clause,
            short=f"BOXES ARE 1-{boxes}",
            code="no-such-box",
        )
    letters = letters_of(rules, kind)
    if bettor not in letters:
        main = kind == MAIN and bettor in OUTSIDE
        raise Refused(
            f"there is no {MAIN + ' wager of ' if main else ''}bettor {bettor!r}: expected "
            f"{', '.join(letters)}",
            (betting.outside if kind != MAIN and bettor in OUTSIDE else betting.bettors_max).clause,
            short="NO SUCH BETTOR",
        )
    if kind != MAIN and kind not in rules.side_wagers:
        known = ", ".join((MAIN, *rules.side_wagers))
        raise Refused(
            f"these rules know no {kind} wager: expected {known}",
            betting.side_wagers.clause,
            short=f"NO {kind.upper()}"[:16],
            code="no-such-wager",
        )
    if stake is None or stake == 0:
        return
    low, high = (limits.min, limits.max) if kind == MAIN else (limits.side_min, limits.side_max)
    if not low <= stake <= high:
        raise Refused(
            f"{kind} wager of {write_amount(stake)} on box {box}: the limits are "
            f"{write_amount(low)} to {write_amount(high)}",
            betting.outside_limits.clause,
            short=_outside(low, high, stake),
            code="outside-limits",
        )
    if kind == MAIN:
        _check_most(rules, limits, box, bettor, stake)
    if stake % limits.increment:
        raise Refused(
            f"{kind} wager of {write_amount(stake)} on box {box}: wagers go in steps of "
            f"{write_amount(limits.increment)}",
            short=f"STEPS OF {brief_amount(limits.increment)}",
            code="not-in-steps",
        )
    if kind == MAIN and stake % 2:
        raise Refused(
            f"main wager of {write_amount(stake)} on box {box}: 3:2 and half of it cannot be "
            "paid in whole cents; expected an even number of cents",
            betting.fractions.clause,
            short="EVEN CENTS ONLY",
        )


def _check_most(rules: RuleSet, limits: Limits, box: int, bettor: str, stake: int) -> None:
    """Check a main wager against what the house permits one player, and all of them, on a box."""
    for most, whose, rule in (
        (limits.player_max, f"a player's maximum on box {box}", rules.betting.outside_limits),
        (limits.box_max, f"the maximum of box {box}", rules.betting.box_max),
    ):
        if 0 < most < stake:
            raise Refused(
                f"main wager of {write_amount(stake)} of {box}{bettor}: "
                f"{write_amount(stake - most)} above {whose}, {write_amount(most)}",
                rule.clause,
                short=_outside(0, most, stake),
                code="above-most",
            )


def _outside(low: int, high: int, stake: int) -> str:
    return f"LEAST {brief_amount(low)}" if stake < low else f"MOST {brief_amount(high)}"


def check_persons(rules: RuleSet, kind: str, box: int, count: int) -> None:
    """Check that so many persons may have a side wager of that kind on the box."""
    most = rules.side_wagers[kind].persons_max
    if 0 < most.value < count:
        raise Refused(
            f"{count} {kind} wagers on box {box}: at most {most.value}",
            most.clause,
            short=f"{most.value} {rules.side_wagers[kind].short} IS MOST",
            code="too-many-persons",
        )


def check_sheet(rules: RuleSet, sheet: Sheet) -> None:
    """Check that there is a main wager, and side wagers only where the rules permit them."""
    if not sheet.wagers[MAIN]:
        raise Refused(
            "there is no main wager", rules.states.get("betting", ""), short="NO MAIN WAGER"
        )
    for kind, side_wager in rules.side_wagers.items():
        by = side_wager.by
        for box, bettors in sorted(sheet.wagers.get(kind, {}).items()):
            check_persons(rules, kind, box, len(bettors))
            main = sheet.of_box(MAIN, box)
            if not main:
                raise Refused(
                    f"{kind} wager on box {box}, which has no main wager",
                    by.clause,
                    short=f"BOX {box}: NO MAIN",
                    code="box-has-no-main-wager",
                )
            if by.value == "main_bettor":
                for bettor in bettors:
                    if bettor not in main:
                        raise Refused(
                            f"{kind} wager of {box}{bettor}, who has no main wager on box {box}",
                            by.clause,
                            short=f"BOX {box}{bettor.upper()}: NO MAIN",
                            code="no-own-main-wager",
                        )


def boxes_of(rules: RuleSet, sheet: Sheet) -> dict[int, Box]:
    """The boxes that are dealt cards, ascending, with their wagers and an empty hand."""
    boxes = {}
    for number in sorted(sheet.wagers[MAIN]):
        main = sheet.of_box(MAIN, number)
        sides = {
            kind: placed for kind in rules.side_wagers if (placed := sheet.of_box(kind, number))
        }
        bets = {bettor: Bet(stake) for bettor, stake in main.items()}
        boxes[number] = Box(number, main, sides, hands=[Hand(number, 1, bets=bets)])
    return boxes
