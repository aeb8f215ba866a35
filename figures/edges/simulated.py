"""What ``tablectl simulate`` asks of a table, played by the kernel: the same figures in the same
form as from the table's own rounds (:mod:`figures.rounds.figures`).

The kernel does not count by which odds main wagers and those on two cards were won, so their
``results`` are empty; those of the button follow from the multipliers drawn, those of insurance
from its net. It squares what shoes brought for main wagers alone, without the Super Bonus: for the
others the spread is that of wagers which do not depend on each other, by their chance in a full
shoe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from controller.game.round.wagers import MAIN
from figures.edges.jobs import RunSums, SeededRun, Workers
from figures.edges.policies import policy_of
from figures.edges.rates import rates_of
from figures.edges.running import carry_out
from figures.games.games import UNIT, Game, Played, numbers_of
from figures.kernel import blocks, tallies
from figures.kernel.tables import sides_of
from figures.rounds.exact import exact
from figures.rounds.figures import INSURANCE
from figures.rounds.playing import SimulatedTable
from figures.rounds.tally import Tally, WagerTally


def game_of(table: SimulatedTable) -> Game:
    """The kernel's game of a table."""
    return Game(
        table.rules,
        table.decks,
        policy_of(table.strategy, table.rules, insures=table.insured),
        table.boxes,
        sides=True,
        weights=table.weights,
        penetration=table.penetration,
        stake=table.main,
    )


def simulate(
    table: SimulatedTable, seed: int, rounds: int, workers: Workers, tell: Callable[[Tally], None]
) -> Tally:
    """Have that number of rounds played, or as many as there were until Ctrl-C; ``tell`` has what
    they came to so far.

    Raises:
        KeyboardInterrupt: before any block was played.
        NotForTheKernel: it has no place for something in the rules; ShoeTooSmall.
    """
    run = SeededRun(numbers_of(game_of(table)), seed, rounds)
    variances = _variances(table)

    def tell_tally(sums: Sequence[RunSums]) -> None:
        tell(tally_of(table, variances, sums[0].played))

    (sums,), _ = carry_out([run], workers, tell_tally)
    if not sums.rounds:
        raise KeyboardInterrupt
    return tally_of(table, variances, sums.played)


def tally_of(table: SimulatedTable, variances: Mapping[str, Fraction], played: Played) -> Tally:
    """The sums in the form of those of the table's own rounds: what the kernel played for a unit
    is what was staked. ``variances`` are of a unit of each side wager."""
    sums, weights = played.tally, table.weights
    rounds = sums[blocks.ROUNDS]
    count, staked = rounds * table.boxes, table.main * table.boxes
    tally = Tally(rounds, played.shoes)
    for rate in rates_of(table.rules, table.boxes, played):
        tally.seen[rate["name"]] = rate["count"]
    tally.seen["box dealt"], tally.seen["shoe ran out"] = count, played.refills
    tally.wagers[MAIN] = WagerTally(
        count,
        rounds * staked,
        sums[blocks.SUM_WAGERED] * table.main // UNIT,
        sums[blocks.SUM_NET] * table.main // UNIT
        + sums[blocks.SUM_BONUS]
        + sums[blocks.SUM_SHARED],
        sums[blocks.NET_SQUARED] * table.main**2 // UNIT**2,
        sums[blocks.ROUNDS_SQUARED] * staked * staked,
        sums[blocks.NET_BY_ROUNDS] * staked * table.main // UNIT,
    )
    nets = {
        kind: sums[blocks.SUM_SIDE_NET + place] for place, kind in enumerate(sides_of(table.rules))
    }
    button = table.rules.button_wager
    if button and weights:
        nets[button] = sums[blocks.SUM_BUTTON_NET]
        for place, (multiplier, _) in enumerate(weights.pairs):
            tally.drawn[multiplier] = played.seen[tallies.DRAWN + place]
    for kind, variance in variances.items():
        net = nets[kind] * table.side // UNIT
        tally.wagers[kind] = _independent(count, table.side, net, variance)
        if kind == button:
            wins = {f"{multiplier}:1": drawn for multiplier, drawn in tally.drawn.items()}
            tally.wagers[kind].results = _results(kind, count, wins)
    if sums[blocks.SUM_INSURED]:
        half, taken = table.main // 2, sums[blocks.SUM_INSURED]
        net = sums[blocks.SUM_INSURED_NET]
        odds = Fraction(*table.rules.pays[INSURANCE].value) + 1
        won = (Fraction(net, taken) + 1) / odds
        # All that are taken in a round win or lose together.
        variance = odds**2 * won * (1 - won) * table.boxes
        insured = tally.wagers[INSURANCE] = _independent(taken, half, net * half, variance)
        over, under = table.rules.pays[INSURANCE].value
        insured.results = _results(INSURANCE, taken, {f"{over}:{under}": int(won * taken)})
    return tally


def _results(kind: str, count: int, wins: Mapping[str, int]) -> Counter[tuple[str, str, str]]:
    """Results of that many wagers, by how many were won at which odds."""
    found = {(kind, "win", odds): won for odds, won in wins.items()}
    return +Counter({**found, (kind, "lose", ""): count - sum(wins.values())})


def _variances(table: SimulatedTable) -> dict[str, Fraction]:
    known = exact(table.rules, table.decks, table.weights)
    return {kind: one.square - one.edge**2 for kind, one in known.items()}


def _independent(count: int, stake: int, net: int, variance: Fraction) -> WagerTally:
    """Wagers of one stake that do not depend on each other; a unit of each varies by that much."""
    staked = count * stake
    return WagerTally(count, staked, staked, net, round(variance * count * stake * stake))
