"""The forms of what is told: JSON values in a fixed order, the same whether written or read.

The rules:

- Edges, shares and chances are fractions, not percent. An edge is the house's: positive, where the
  players lose. Per *initial* unit it is of what was staked before the deal; per *wagered* unit of
  that and of what was added in play (splits, doubles, bought cards).
- A standard error is that of a ratio of sums over shoes, which are independent of each other. It is
  null where fewer than two shoes were played. ``sigmas`` is a distance from what is exact, in
  standard errors.
- Net sums in a distribution are the players', in halves of a unit; a unit is a box's main wager,
  and each of its side wagers is as much. The Super Bonus and its shares are in no simulated sum,
  since they depend on how much is staked: they are in ``super_bonus``, in closed form.
- Fractions that are known exactly are also given as text, ``31/383``.
"""

from __future__ import annotations

from typing import TypedDict


class Origin(TypedDict):
    """Where figures come from: every page and picture says it. ``command`` gives them again;
    ``kernel`` is the SHA-256 of the kernel's source."""

    command: str
    seed: int
    version: str
    rules: str
    rules_digest: str
    kernel: str


class Setting(TypedDict):
    """What was played. ``weights`` are as ``100=4,50=8,…``."""

    decks: int
    boxes: int
    policy: str
    insured: bool
    penetration_percent: int
    sides: bool
    weights: str | None
    weights_id: str | None


class Edge(TypedDict):
    """A house edge and its standard error."""

    edge: float
    standard_error: float | None


class MainFigures(TypedDict):
    """Of main wagers and all that was added to them, without the Super Bonus. ``wagered`` is per
    initial unit. Variances are in units squared: of a round of all boxes, and that divided by the
    number of boxes, which for more than one is not that of a box alone."""

    per_initial: Edge
    per_wagered: Edge
    wagered: float
    variance_of_round: float
    variance_per_box: float


class ExactEdge(TypedDict):
    """From a full shoe: chance that the wager wins, and its edge."""

    chance: float
    edge: float
    chance_exactly: str
    edge_exactly: str


class SideFigures(TypedDict):
    """A side wager. Where the shoe is played to its cutting card, rounds rich in high cards take
    fewer cards, so the simulated edge may lie beyond chance from that of a full shoe."""

    kind: str
    simulated: Edge
    exact: ExactEdge
    sigmas: float | None


class MultiplierFigures(TypedDict):
    """A games multiplier: the chance that it is drawn, how often it was, and its part of all that
    the button's wager returns (stakes that come back included)."""

    multiplier: int
    chance: float
    drawn: int
    share: float | None
    part_of_return: float


class ButtonFigures(TypedDict):
    """The button's wager with its weights. ``returned`` is what comes back of a unit on average;
    ``draw_share`` the part of it that multipliers pay; the rest is stakes that come back."""

    wager: SideFigures
    returned: float
    draw_share: float
    multipliers: list[MultiplierFigures]


class InsuranceFigures(TypedDict):
    """Insurance against a dealer's first card, from a full shoe, for one who looks at no card."""

    against: str
    chance: float
    edge: float
    edge_exactly: str


class BracketFigures(TypedDict):
    """What the Super Bonus of a stake is worth, in cents and per unit staked at that stake: by it
    the main edge is less. ``shares`` is the same of what other boxes' bring."""

    stake: int
    bonus: int
    bonus_per_initial: float
    shares_per_initial: float


class SuperBonusFigures(TypedDict):
    """Suited sevens against a seven. ``suits``: of how many the policy hits two sevens there; null
    where it may come by splits, too, and nothing is exact. ``shares`` is the chance that a box has
    a share of others' with 1, 2, … boxes in play; ``share`` is in cents, ``share_by_cards``: it
    comes also where the Super Bonus is 0."""

    suits: int | None
    chance: float | None
    chance_exactly: str | None
    simulated: int
    expected: float | None
    sigmas: float | None
    share: int
    share_by_cards: bool
    shares: list[float]
    brackets: list[BracketFigures]


class HappeningRate(TypedDict):
    """How often something happened, and of what."""

    name: str
    count: int
    of: str
    of_count: int
    share: float


class Distributions(TypedDict):
    """Rounds by their net, each ``[halves of a unit, rounds]``: of main wagers, and of all."""

    main: list[list[int]]
    all: list[list[int]]


class EdgeFigures(TypedDict):
    """What a run came to. ``whole``: all rounds that were asked for. ``convergence`` is the main
    edge per initial unit after so many rounds, each ``[rounds, edge]``, in the order of blocks."""

    origin: Origin
    setting: Setting
    rounds: int
    hands: int
    shoes: int
    refills: int
    whole: bool
    main: MainFigures
    sides: list[SideFigures]
    button: ButtonFigures | None
    insurance: list[InsuranceFigures]
    super_bonus: SuperBonusFigures | None
    rates: list[HappeningRate]
    distributions: Distributions
    convergence: list[list[float]]


class ShiftFigures(TypedDict):
    """What a shift of ``rounds`` rounds may bring the house, in cents, where each box stakes
    ``stake`` cents on its main wager (and, with ``sides``, as much on each side wager).
    ``mean_error`` is the standard error of ``mean``, ``deviation`` the standard deviation of a
    shift. ``low`` and ``high`` bound the 95 % band; ``points`` are the chances of a curve, each
    ``[cents, chance that the house wins at most so much]``; ``loses_more_than`` are pairs
    ``[cents, chance]``."""

    origin: Origin
    setting: Setting
    rounds: int
    stake: int
    mean: float
    mean_error: float
    deviation: float
    low: int
    high: int
    loses: float
    loses_more_than: list[list[float]]
    points: list[list[float]]


class ValueWorth(TypedDict):
    """A value of the rule file changed to another: by how much the main edge per initial unit is
    more, played by the same cards. Where that and its standard error are 0, no block differed."""

    key: str
    value: str
    to: str
    clause: str
    change: float
    standard_error: float | None


class WorthFigures(TypedDict):
    """What each value is worth, in the order of the rule file. ``policy_anew``: the policy was made
    anew for each value, else it stayed. ``missing`` names what was not played to the end, where it
    is not ``whole``; of a value that is not there none was."""

    origin: Origin
    setting: Setting
    rounds: int
    whole: bool
    missing: list[str]
    policy_anew: bool
    base: Edge
    values: list[ValueWorth]
