"""The round in progress, and the cards that have left the shoe for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from controller.game.round.model import Settlement
from controller.game.round.result_fields import SettlementResult
from controller.game.round.results import (
    DEALERS_PONTOON,
    account,
    because,
    deed,
    in_the_round,
    of_round,
    totals,
)
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.table.state.entering import ROW_LENGTH
from controller.table.state.parts import Part
from controller.table.state.shoe import LooseCard


@dataclass(frozen=True, slots=True)
class Cleared:
    """A round that was cleared away, with its cards, and the number of settlements told of it."""

    rnd: Round
    drawn: list[LooseCard]
    told: int


@dataclass(slots=True)
class Dealing(Part):
    """``drawn`` are the cards of the round in the order in which they left the shoe; ``squeezed``
    boxes are dealt face down, ``kept`` is the card that is kept back from the round until cards are
    turned; ``told`` and ``remarked`` are the numbers of settlements and remarks of the round that
    outcomes have reported; ``reshuffled`` is the round in which the discards were shuffled;
    ``owed`` are the settlements told since the last ``done``, card or press; ``by_dealer``: a
    correction that is not judged yet was begun by the dealer; ``cleared`` is the round that was
    cleared away, until bets are opened; ``doubts`` are the triggers of the round for which its
    cards are doubted, until the next one begins."""

    TAKEN_BACK: ClassVar = (
        *("rnd", "drawn", "squeezed", "told", "remarked"),
        *("owed", "by_dealer", "cleared", "doubts"),
    )

    rnd: Round | None = None
    drawn: list[LooseCard] = field(default_factory=list)
    squeezed: frozenset[int] = frozenset()
    kept: LooseCard | None = None
    told: int = 0
    remarked: int = 0
    reshuffled: int = 0
    owed: list[Settlement] = field(default_factory=list)
    by_dealer: bool = False
    cleared: Cleared | None = None
    doubts: tuple[str, ...] = ()

    def begin_round(self, rnd: Round) -> None:
        """Begin a round without cards; bets are closed."""
        self.rnd, self.drawn, self.told, self.owed = rnd, [], 0, []
        self.doubts = ()

    def update(self, rnd: Round) -> None:
        """Replace the round with the next one, ``rnd``. What a round that becomes void had settled
        is taken back, in place of what was due before; then its own settlements follow."""
        before, self.rnd = self.rnd, rnd
        if rnd.state == State.VOID and before is not None and before.state != State.VOID:
            self.told, self.owed = 0, []
            settled = (one for one in before.settlements if one.outcome != "returned")
            self.owed = [one.reversed() for one in settled]

    def correct_by(self, *, dealer: bool) -> None:
        """Record who corrects; what the dealer has begun is the dealer's until it is judged."""
        begun = bool(self.rnd and self.rnd.irregular.edits)
        self.by_dealer = dealer or (begun and self.by_dealer)

    def judged(self, rnd: Round) -> None:
        """Replace the round with the one that its corrections make of it."""
        self.rnd, self.by_dealer = rnd, False

    def call_back(self) -> None:
        """Drop a round that has not begun: all else stays as it was before the bets were closed."""
        self.rnd = None

    def doubt(self, trigger: str) -> None:
        """Record that the cards of the round are doubted, and why."""
        self.doubts = tuple(dict.fromkeys([*self.doubts, trigger]))

    def clear(self) -> None:
        """Clear the round."""
        if self.rnd is not None and self.rnd.state == State.SETTLED:
            self.cleared = Cleared(self.rnd, self.drawn, self.told)
        self.rnd, self.drawn, self.squeezed, self.owed = None, [], frozenset(), []

    def bring_back_cleared(self) -> None:
        """Bring the round that was cleared away back, for a correction."""
        assert self.cleared
        self.rnd, self.drawn, self.told = self.cleared.rnd, self.cleared.drawn, self.cleared.told
        self.cleared = None

    def forget_cleared(self) -> None:
        """Forget the round that was cleared away: its settlements stand."""
        self.cleared = None

    def newly_settled(self) -> list[SettlementResult]:
        """The settlements that no outcome has reported yet; they count as reported from now on."""
        settled = self.rnd.all_settlements if self.rnd else []
        new = settled[self.told :]
        is_void = self.rnd is not None and self.rnd.state == State.VOID
        taken_back = self.owed if is_void and not self.told else []
        self.told = max(self.told, len(settled))
        self.owed = [*self.owed, *new]
        return [settlement.as_result() for settlement in (*taken_back, *new)]

    def owed_pages(self) -> list[tuple[str, str]]:
        """What is owed as pages of a keypad: the wager, and what is done about it; then each box
        with its totals, and what the round has come to for each of its bettors so far. Totals that
        are too long for a row take a page each."""
        owed = [one.as_result() for one in self.owed]
        known = of_round(self.rnd) if self.rnd else ("", None)
        pages = [
            (
                f"{s['box']}{s['bettor']}/{s['hand']} {s['kind']}",
                _with_reason(deed(s), because(s, *known)),
            )
            for s in owed
        ]
        pages += [(f"box {box} now", each) for box, said in totals(owed) for each in _rows(said)]
        if self.rnd is not None and owed:
            pages += in_the_round(owed, account(self.rnd, self.owed))
        return [(what, _row(done)) for what, done in pages]

    def settle_up(self) -> None:
        """Forget what was owed: it has been paid and taken, or something new begins."""
        self.owed = []

    def end_correction(self) -> None:
        """Forget what was owed before a correction that is ended, but where a multiplier is being
        paid: that is due until its own ``done``."""
        if self.rnd is None or self.rnd.state != State.JACKPOT_PAYING:
            self.settle_up()


def _rows(said: str) -> list[str]:
    """Totals in one row, or each in a row of its own: none is to be cut off."""
    return [said] if len(_row(said)) <= ROW_LENGTH else said.split(", ")


def _with_reason(done: str, why: str) -> str:
    """What is done, with the dealer's Pontoon for a reason where there is room for it."""
    said = f"{_row(done)}: pontoon".replace(" the wager", " wager")
    return said if why == DEALERS_PONTOON and len(said) <= ROW_LENGTH else done


def _row(said: str) -> str:
    """What is to be done as a keypad's row tells it; odds and wager are left out before a sum is
    cut."""
    plain = said.replace(".00", "").replace(",", "")
    if len(plain) > ROW_LENGTH:
        plain = plain.partition(" at ")[0].removesuffix(" of the wager")
    return plain
