"""The wagers of a round before its cards, by box and bettor, and the checks of whether they are
permitted. A sheet is filled wager by wager; :func:`check_sheet` checks that a round may begin with
it. A wager that its odds could not pay in whole cents is refused here, before play: a main wager
may be paid 3:2 or be halved, so it is an even number of cents.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.round.model import BETTORS, Bet, Box, Hand
from controller.round.money import Stake, brief_amount, write_amount
from controller.round.refusal import Refused
from controller.rules.schema import RuleSet

SIDE_KINDS = ("pair", "pandemonium", "bonus")
KINDS = ("main", *SIDE_KINDS)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a table in cents. ``increment`` is the smallest step of any wager (1: any)."""

    min: int = 100
    max: int = 10_000_000
    side_min: int = 1
    side_max: int = 10**12
    increment: int = 1


@dataclass(slots=True)
class Sheet:
    """Wagers by kind, box and bettor; None where the amount is not given."""

    wagers: dict[str, dict[int, dict[str, Stake]]] = field(
        default_factory=lambda: {kind: {} for kind in KINDS}
    )

    def set(self, kind: str, box: int, bettor: str, stake: Stake) -> None:
        """Place a wager, or remove it with 0."""
        boxes = self.wagers[kind]
        if stake == 0:
            bettors = boxes.get(box, {})
            bettors.pop(bettor, None)
            if not bettors:
                boxes.pop(box, None)
        else:
            boxes.setdefault(box, {})[bettor] = stake

    def of_box(self, kind: str, box: int) -> dict[str, Stake]:
        """The wagers of that kind on a box, by bettor in order."""
        placed = self.wagers[kind].get(box)
        return {bettor: placed[bettor] for bettor in BETTORS if bettor in placed} if placed else {}

    def count(self, kind: str) -> int:
        """The number of wagers of that kind."""
        return sum(map(len, self.wagers[kind].values()))

    @property
    def boxes(self) -> list[int]:
        """The numbers of the boxes with any wager, ascending."""
        return sorted({box for boxes in self.wagers.values() for box in boxes})

    def clear_side_wagers(self) -> None:
        """Remove the side wagers, which are entered again for each round; main wagers stay."""
        for kind in SIDE_KINDS:
            self.wagers[kind].clear()

    def clone(self) -> Sheet:
        """An independent copy."""
        return Sheet(
            {
                kind: {box: bettors.copy() for box, bettors in boxes.items()}
                for kind, boxes in self.wagers.items()
            }
        )


def check_wager(
    rules: RuleSet, limits: Limits, kind: str, box: int, bettor: str, stake: Stake, boxes: int
) -> None:
    """Check that a single wager may be placed, without regard to the others.

    Raises:
        Refused: no such box, bettor or kind, outside the limits, or not payable in whole cents.
    """
    betting = rules.betting
    if not 1 <= box <= boxes:
        raise Refused(
            f"there is no box {box}: expected 1 to {boxes}",
            betting.boxes_max.clause,
            short=f"BOXES ARE 1-{boxes}",
        )
    if bettor not in (letters := BETTORS[: betting.bettors_max.value]):
        raise Refused(
            f"there is no bettor {bettor!r}: expected {', '.join(letters)}",
            betting.bettors_max.clause,
            short="NO SUCH BETTOR",
        )
    if kind != "main" and kind not in betting.side_wagers.value:
        known = ", ".join(("main", *betting.side_wagers.value))
        raise Refused(
            f"these rules know no {kind} wager: expected {known}",
            betting.side_wagers.clause,
            short=f"NO {kind.upper()}"[:16],
        )
    if stake is None or stake == 0:
        return
    low, high = (limits.min, limits.max) if kind == "main" else (limits.side_min, limits.side_max)
    if not low <= stake <= high:
        raise Refused(
            f"{kind} wager of {write_amount(stake)} on box {box}: the limits are "
            f"{write_amount(low)} to {write_amount(high)}",
            betting.outside_limits.clause,
            short=_outside(low, high, stake),
        )
    if stake % limits.increment:
        raise Refused(
            f"{kind} wager of {write_amount(stake)} on box {box}: wagers go in steps of "
            f"{write_amount(limits.increment)}",
            short=f"STEPS OF {brief_amount(limits.increment)}",
        )
    if kind == "main" and stake % 2:
        raise Refused(
            f"main wager of {write_amount(stake)} on box {box}: 3:2 and half of it cannot be "
            "paid in whole cents; expected an even number of cents",
            betting.fractions.clause,
            short="EVEN CENTS ONLY",
        )


def _outside(low: int, high: int, stake: int) -> str:
    return f"LEAST {brief_amount(low)}" if stake < low else f"MOST {brief_amount(high)}"


def check_sheet(rules: RuleSet, sheet: Sheet) -> None:
    """Check that the wagers are permitted together.

    Raises:
        Refused: no main wager at all, or a side wager where the rules do not permit it.
    """
    if not sheet.wagers["main"]:
        raise Refused(
            "there is no main wager", rules.states.get("betting", ""), short="NO MAIN WAGER"
        )
    by = rules.betting.side_wager_by
    for kind in SIDE_KINDS:
        for box, bettors in sorted(sheet.wagers[kind].items()):
            main = sheet.of_box("main", box)
            if not main:
                raise Refused(
                    f"{kind} wager on box {box}, which has no main wager",
                    by.clause,
                    short=f"BOX {box}: NO MAIN",
                )
            if by.value == "main_bettor":
                for bettor in bettors:
                    if bettor not in main:
                        raise Refused(
                            f"{kind} wager of {box}{bettor}, who has no main wager on box {box}",
                            by.clause,
                            short=f"BOX {box}{bettor.upper()}: NO MAIN",
                        )


def boxes_of(sheet: Sheet) -> dict[int, Box]:
    """The boxes that are dealt cards, ascending, with their wagers and an empty hand."""
    boxes = {}
    for number in sorted(sheet.wagers["main"]):
        main, pair, bonus, pandemonium = (
            sheet.of_box(kind, number) for kind in ("main", "pair", "bonus", "pandemonium")
        )
        bets = {bettor: Bet(stake) for bettor, stake in main.items()}
        first = Hand(number, 1, bets=bets)
        boxes[number] = Box(number, main, pair, bonus, pandemonium, hands=[first])
    return boxes
