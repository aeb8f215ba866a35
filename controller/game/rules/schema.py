"""The data model of a rule document.

Every value of a rule set is a :class:`~.sections.Rule`: the value and the clause of the document
that gives it (or the default of the rules matrix, ``A-nn``, where the document is silent). A
section that a document does not play is absent (None). Money in rule files is whole dollars; the
engine counts cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from controller import ENGINE_VERSION
from controller.forms.expected import Several, Usual
from controller.game.rules import play_sections, sections
from controller.game.rules.cases import Case
from controller.game.rules.sections import Document, Rule
from controller.game.rules.side_wagers import BUTTON, SideWager


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rule document.

    ``side_wagers`` are by kind, in the order in which they are settled; ``pays`` maps a result
    (``pontoon``, ``cards_5``, ``678_suited`` …) to its odds (numerator, denominator);
    ``settled_by`` maps a decision (``compare.dealer_bust``) and ``states`` a state of the machine
    to the clause that governs it; ``not_played`` maps a step that the document does not have to the
    clause with its rule instead. ``irregularities`` are its cases in the order in which they are
    tried. ``engine`` is the version of the engine that read the set from its file: a journal tells
    it, and nothing of play asks for it.
    """

    document: Document
    cards: sections.CardsRules
    shoe: sections.ShoeRules
    betting: sections.BettingRules
    deal: sections.DealRules
    pontoon: play_sections.PontoonRules
    twenty_one: play_sections.TwentyOneRules
    side_wagers: Annotated[Mapping[str, SideWager], Usual({})]
    pandemonium: play_sections.PandemoniumRules | None
    insurance: play_sections.InsuranceRules | None
    surrender: play_sections.SurrenderRules
    stand: play_sections.StandRules
    hit: play_sections.HitRules
    buy: play_sections.BuyRules | None
    trick: play_sections.TrickRules | None
    split: play_sections.SplitRules
    double: play_sections.DoubleRules | None
    dealer: sections.DealerRules
    compare: sections.CompareRules
    super_bonus: sections.SuperBonusRules | None
    absent: sections.AbsentRules | None
    pays: Mapping[str, sections.Odds]
    settled_by: Mapping[str, sections.Clause]
    not_played: Mapping[str, sections.Clause]
    states: Mapping[str, sections.Clause]
    irregularities: Annotated[
        tuple[Case, ...], Several("a list of cases, [[irregularities]]", 999, 1)
    ]
    engine: int = int(ENGINE_VERSION)

    @property
    def button_wager(self) -> str | None:
        """The kind of the side wager that is settled by the button."""
        return next(
            (kind for kind, one in self.side_wagers.items() if one.settled.value == BUTTON), None
        )

    @property
    def id(self) -> str:
        """Name of the rule set, as configurations and round scripts write it."""
        return self.document.id


TWENTY_ONE_LINES = (
    "cards_5",
    "cards_6",
    "cards_7_or_more",
    "678_mixed",
    "678_suited",
    "678_spades",
    "777_mixed",
    "777_suited",
    "777_spades",
)
"""Lines of a pay table for a hand of 21."""

PAYS: Mapping[str, tuple[str, ...]] = {
    "": ("pontoon", "regular"),
    "twenty_one": TWENTY_ONE_LINES,
    "insurance": ("insurance",),
    "trick": ("pontoon_dealer_bust", "pontoon_dealer_trick", "trick", "trick_dealer_bust", "royal"),
}
"""Results that a pay table must name, by section (``twenty_one``: where its ``lines`` apply)."""

DECISIONS: Mapping[str, tuple[str, ...]] = {
    "": (
        "surrender.half",
        "bust.plain",
        "bust.split",
        "dealer_pontoon.plain",
        "dealer_pontoon.split",
        "compare.dealer_bust",
        "compare.higher",
        "compare.lower",
        "compare.equal",
        "void",
    ),
    "twenty_one": ("pontoon.win", "twentyone.plain", "twentyone.split"),
    "insurance": ("insurance.win", "insurance.lose", "insurance.void"),
    "double": (
        "withdrawn",
        "bust.doubled",
        "twentyone.doubled",
        "dealer_pontoon.doubled",
        "dealer_pontoon.split_doubled",
    ),
    "surrender": ("surrender.dealer_pontoon",),
    "one_original": (
        "dealer_pontoon.original",
        "dealer_pontoon.spared",
        "dealer_pontoon.instead",
        "dealer_pontoon.gone",
    ),
    "trick": (
        "pontoon.stays",
        "pontoon.equal",
        "pontoon.dealer_bust",
        "pontoon.dealer_trick",
        "trick.stays",
        "trick.dealer_bust",
        "trick.dealer_trick",
        "compare.dealer_trick",
        "royal.win",
    ),
    "super_bonus": ("super_bonus.win", "super_bonus.share", "super_bonus.share_on_winning_box"),
}
"""Decisions that pay or take a wager, by the section that leads to them (``surrender``: where it
waits for the dealer's second card; ``one_original``: where the dealer's Pontoon takes one wager of
several); each names the clause that decides it."""

UNPLAYED: Mapping[str, tuple[str, ...]] = {
    "pandemonium": ("press", "nominate"),
    "insurance": ("insure",),
    "double": ("double", "withdraw", "keep"),
    "buy": ("buy", "free"),
    "absent": ("absent",),
    "add_or_choose": ("place",),
    "overdraw": ("overdraw",),
}
"""Steps that a document does not have when the section is absent (``add_or_choose``: when standing
bettors may not choose a split hand; ``overdraw``: when no case names it)."""

__all__ = ["Document", "Rule", "RuleSet", "SideWager"]
