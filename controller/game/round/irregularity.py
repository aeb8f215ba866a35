"""What has gone wrong in a round and waits for a remedy; what may be done about it is in
:mod:`~.irregular`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from controller.game.money import Stake
from controller.game.round.model import BettorKey, Settlement
from controller.game.round.remedies import Correction
from controller.game.round.states import State
from controller.game.rules.cards import Card
from controller.game.rules.schema import Case
from controller.game.rules.triggers import LateOffer


@dataclass(slots=True)
class Irregularity:
    """What has gone wrong: ``cards`` wait for a place, in the order in which they left the shoe;
    ``asked``: one of them was due; ``seen`` are those that somebody has seen; ``foreign``: it can
    be used by nobody; ``box``, and the ``bettor`` where a letter was said; ``past``: it cannot be
    reconstructed any more. ``case`` is the one that applied when it was opened, or when more became
    known."""

    trigger: str
    cards: list[Card] = field(default_factory=list)
    asked: bool = False
    seen: tuple[Card, ...] = ()
    box: int = 0
    bettor: str = ""
    amount: Stake = None
    case: Case | None = None
    past: bool = False
    areas: int = 0
    settled: bool = False

    def clone(self) -> Irregularity:
        """An independent copy."""
        return replace(self, cards=self.cards.copy())


@dataclass(slots=True)
class Irregular:
    """What has gone wrong in a round, and how it is put right.

    ``irregularity`` is the open one; ``options`` is the case after whose remedy players may choose;
    ``waiting`` are cards that were put back and come next; ``owed``: a card that was due was
    discarded, another is due; ``late`` is an offer made late, and its box, ``late_to`` the bettor
    where it is to one alone; ``finishing`` the hand that may be completed before the dealer gets
    his missing first card, which is dealt under the case ``owing``; ``offered_on``: what waits is
    offered to the next player after that box, and is burned under that clause if he takes none;
    ``chooser`` the box that chose among cards that left together; ``remarks`` say what was done
    automatically and why; ``after_round`` what is to be corrected when the round is over.

    ``edits`` are corrections that are not judged yet; ``history`` are the settlements told before
    the last judgement with their reversals, in place of the first ``covered`` of the round's;
    ``resumes`` is the state to which play returns after an offer of the button that a correction
    has brought; ``missing`` are boxes (0: the dealer) that lack cards after one.

    ``beyond`` are cards that came to the dealer's hand behind the one that completed it.

    Of the insurance of the round ``returned_insurance`` went back; ``dropped_insurance`` did,
    because the cards did not offer it: it may be taken up anew.
    """

    irregularity: Irregularity | None = None
    options: Case | None = None
    waiting: list[Card] = field(default_factory=list)
    owed: bool = False
    late: tuple[LateOffer, int] | None = None
    finishing: tuple[int, int] | None = None
    owing: Case | None = None
    chooser: int = 0
    remarks: list[str] = field(default_factory=list)
    after_round: tuple[str, ...] = ()
    edits: tuple[Correction, ...] = ()
    history: list[Settlement] = field(default_factory=list)
    covered: int = 0
    resumes: State | None = None
    missing: tuple[int, ...] = ()
    returned_insurance: frozenset[tuple[BettorKey, BettorKey]] = frozenset()
    offered_on: tuple[int, str] | None = None
    dropped_insurance: list[tuple[BettorKey, BettorKey, Stake]] = field(default_factory=list)
    late_to: str = ""
    beyond: list[Card] = field(default_factory=list)

    def clone(self) -> Irregular:
        """An independent copy; written field by field for speed, because every step makes one."""
        return Irregular(
            self.irregularity and self.irregularity.clone(),
            self.options,
            self.waiting.copy(),
            self.owed,
            self.late,
            self.finishing,
            self.owing,
            self.chooser,
            self.remarks.copy(),
            self.after_round,
            self.edits,
            self.history.copy(),
            self.covered,
            self.resumes,
            self.missing,
            self.returned_insurance,
            self.offered_on,
            self.dropped_insurance.copy(),
            self.late_to,
            self.beyond.copy(),
        )
