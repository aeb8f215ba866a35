"""Options that several commands have, and what is made of them: a game, its run and its workers."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from controller import __version__
from controller.cli.command_line.numbers import many, whole
from controller.configuration.reading import load_configuration
from controller.draw.weights import Weights
from controller.files.rules import load_rules, rules_digest
from controller.game.rules.loader import RulesError
from controller.game.rules.schema import RuleSet
from controller.not_done import WRONG_USE, NotDone
from controller.verbs import complain
from figures.edges.cluster import on_cluster
from figures.edges.compiling import tell_compiling
from figures.edges.figures import AskedRun
from figures.edges.jobs import BLOCK, SeededRun, Workers, in_processes
from figures.edges.policies import policy_of
from figures.edges.results import Origin
from figures.edges.run_file import kept_seed
from figures.games.compiled import source_digest
from figures.games.games import Game, numbers_of
from figures.kernel.plans import Policy
from figures.rounds.run_options import MOST_SEED, any_seed, check_decks, weights_of

MOST_ROUNDS: Final = 10**12
LEAST_BLOCK: Final = 200
MOST_PARTS: Final = 1000


def optimal(
    rules: RuleSet, decks: int, insures: bool, smallest_buy: Fraction | None = None
) -> Policy:
    """The policy of the exact strategy.

    Raises:
        ImportError: NumPy or Numba is not installed.
    """
    from figures.strategy.solving import strategy_of  # noqa: PLC0415 - an extra

    tell_compiling("play_forced", complain)
    found = strategy_of(rules, decks, smallest_buy=smallest_buy)
    return found.policy._replace(insures=insures)


MakePolicy = Callable[[RuleSet, int, bool], Policy]
"""Makes a policy for rules and decks, which may always insure."""

POLICIES: Final[Mapping[str, MakePolicy]] = {
    "basic": lambda rules, _, insures: policy_of("basic", rules, insures=insures),
    "simple": lambda rules, _, insures: policy_of("simple", rules, insures=insures),
    "optimal": optimal,
}
"""By name."""


rounds = many(MOST_ROUNDS)
"""A type for argparse."""


def _block(text: str) -> int:
    """A type for argparse: rounds of a block, each of which begins with a new shoe."""
    if (many := rounds(text)) < LEAST_BLOCK:
        raise argparse.ArgumentTypeError(f"{text}: expected {LEAST_BLOCK} or more, some shoes")
    return many


def add_game(
    parser: argparse.ArgumentParser,
    usual_rounds: str,
    boxes: int | None = None,
    *,
    rules: bool = False,
) -> None:
    """Options of what is played; with ``rules`` the document may also be named by an option."""
    add = parser.add_argument
    what, nargs = "a rule set's name, or the path of a rule file", "?" if rules else None
    add("document", metavar="DOCUMENT", nargs=nargs, help=what)
    if rules:
        add("--rules", metavar="ID", help="the same as DOCUMENT")
    add("--decks", metavar="N", type=whole(1, 8), default=8, help="(8)")
    usual = str(boxes) if boxes else "all"
    add("--boxes", metavar="N", type=whole(1, 9), default=boxes, help=f"played ({usual})")
    add(
        "--rounds", metavar="N", type=rounds, default=rounds(usual_rounds), help=f"({usual_rounds})"
    )
    add("--policy", choices=POLICIES, help="of all players (basic)")
    add("--insure", action="store_true", help="take insurance wherever offered")
    add("--seed", metavar="N", type=whole(0, MOST_SEED), help="for the same cards again")


def add_smallest_buy(parser: argparse.ArgumentParser) -> None:
    """The option of what the smallest buy is."""
    what = "of the stake, for which a card may be bought, as 0.1 or 1/10 (only for the whole stake)"
    parser.add_argument("--smallest-buy", metavar="FRACTION", type=_fraction, help=what)


def _fraction(text: str) -> Fraction:
    """A type for argparse: a part of the stake."""
    try:
        found = Fraction(text)
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found <= 1 or found.denominator > MOST_PARTS:
        expected = f"a fraction of the stake above 0, up to 1, in {MOST_PARTS}ths or greater parts"
        raise argparse.ArgumentTypeError(f"{text!r}: expected {expected}")
    return found


def add_sides(parser: argparse.ArgumentParser) -> None:
    """Options of side wagers."""
    parser.add_argument(
        "--weights",
        metavar="100=4,…|FILE",
        help="of the multipliers: as written here, or a table's configuration that has them",
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Options of who plays."""
    add = parser.add_argument
    add("--jobs", metavar="N", type=whole(1, 256), default=1, help="processes at work (1)")
    add("--cluster", metavar="ADDRESS", help="a Dask scheduler's, which hands the work on instead")
    add(
        "--block",
        metavar="N",
        type=_block,
        default=BLOCK,
        help="rounds that are handed out at once, each time from a new shoe",
    )
    add("--uncompiled", action="store_true", help="without Numba: the source as it stands, slowly")


def asked_of(given: argparse.Namespace, *, penetration: int, sides: bool) -> AskedRun:
    """The game that was asked for; a seed is made up where none was given.

    Raises:
        NotDone: 2, options or the rule file cannot be used.
    """
    rules, digest = document_of(given)
    most = rules.betting.boxes_max
    given.boxes = given.boxes or most.value
    if given.boxes > most.value:
        expected = f"expected {most.value} at most ({most.clause})"
        raise NotDone(WRONG_USE, f"--boxes {given.boxes}: {expected}")
    if given.insure and rules.insurance is None:
        raise NotDone(WRONG_USE, f"--insure: {rules.id} has no insurance")
    smallest = smallest_buy_of(given, rules)
    if smallest:
        policy = optimal(rules, given.decks, given.insure, smallest)
    else:
        policy = POLICIES[given.policy](rules, given.decks, given.insure)
    weights = _weights(rules, given.decks, given.weights) if sides else None
    given.weights = weights.canonical if weights else None
    game = Game(
        rules,
        given.decks,
        policy,
        given.boxes,
        sides,
        weights,
        penetration,
        smallest_buy=smallest,
    )
    playing = f"{given.policy}, smallest buy {smallest}" if smallest else given.policy
    return AskedRun(game, origin_of(given, rules.id, digest), playing, given.rounds)


def smallest_buy_of(given: argparse.Namespace, rules: RuleSet) -> Fraction | None:
    """The smallest buy that was asked for; None: cards are bought for the stake. Where no policy
    was asked for beside it, it is the exact strategy.

    Raises:
        NotDone: 2, no card is bought by these rules, or another policy was asked for.
    """
    smallest: Fraction | None = getattr(given, "smallest_buy", None)
    if smallest is None:
        if "policy" in given:
            given.policy = given.policy or "basic"
        return None
    if rules.buy is None:
        raise NotDone(WRONG_USE, f"--smallest-buy: no card is bought in {rules.id}")
    if "policy" in given:
        given.policy = given.policy or "optimal"
        if given.policy != "optimal":
            why = f"policy {given.policy} buys for the stake alone; expected optimal"
            raise NotDone(WRONG_USE, f"--smallest-buy: {why}")
    return None if smallest == 1 else smallest


def document_of(given: argparse.Namespace) -> tuple[RuleSet, str]:
    """The rules that were asked for, for so many decks, and the digest of their file; a seed is
    made up where none was given.

    Raises:
        NotDone: 2, the rule file cannot be used, or not with so many decks.
    """
    try:
        rules, digest = load_rules(given.document), rules_digest(given.document)
    except (RulesError, OSError) as error:
        raise NotDone(WRONG_USE, str(error)) from error
    check_decks(rules, given.decks)
    choose_seed(given)
    return rules, digest


def choose_seed(given: argparse.Namespace) -> None:
    """Where no seed was given, it is that of what is kept, or one is made up."""
    if given.seed is None and getattr(given, "resume", None):
        given.seed = kept_seed(given.resume)
    if given.seed is None:
        given.seed = any_seed()


def origin_of(given: argparse.Namespace, rules: str, digest: str) -> Origin:
    """Where figures of these options come from."""
    return Origin(
        command=_command(given),
        seed=given.seed,
        version=__version__,
        rules=rules,
        rules_digest=digest,
        kernel=source_digest(),
    )


def run_of(given: argparse.Namespace, asked: AskedRun) -> SeededRun:
    """The run of a game that was asked for.

    Raises:
        NotForTheKernel: it has no place for something of the rules.
    """
    return SeededRun(numbers_of(asked.game), given.seed, given.rounds, given.block, compiles(given))


def compiles(given: argparse.Namespace) -> bool:
    """Whether the kernel is compiled."""
    return not given.uncompiled and find_spec("numba") is not None


def workers_of(given: argparse.Namespace) -> Workers:
    """Who plays; said beside it are the seed, and what makes it slow."""
    complain(f"seed {given.seed}")
    if not compiles(given) and not given.uncompiled:
        complain("Numba is not installed: the kernel runs uncompiled, some hundred times slower")
    if given.cluster is not None:
        return on_cluster(given.cluster)
    return in_processes(given.jobs, complain)


def _command(given: argparse.Namespace) -> str:
    """The command that gives the same figures again, whoever plays."""
    words = ["table-figures", given.verb, *getattr(given, "names", ())]
    words += [given.document] if "document" in given else []
    names = ("decks", "boxes", "rounds", "policy", "smallest_buy", "penetration", "weights", "seed")
    for name in (*names, "block", "error", "bonus"):
        if getattr(given, name, None) is not None:
            words += [f"--{name.replace('_', '-')}", str(getattr(given, name))]
    words += [f"--{name}" for name in ("insure", "anew") if getattr(given, name, False)]
    if getattr(given, "values", None):
        words += ["--values", *given.values]
    return shlex.join(words)


def _weights(rules: RuleSet, decks: int, given: str | None) -> Weights | None:
    """The weights of ``100=4,50=8,…``, or of the configuration at that path."""
    if given == "":
        expected = "expected weights as 100=4,50=8,… or the path of a table's configuration"
        raise NotDone(WRONG_USE, f"--weights '': {expected}")
    if given is None or "=" in given or rules.pandemonium is None:
        return weights_of(rules, given)
    found = load_configuration(Path(given))
    if found.weights is None:
        raise NotDone(WRONG_USE, f"--weights {given}: that configuration has none")
    if found.table.rules.id != rules.id:
        why = f"that configuration is of {found.table.rules.id}, this run of {rules.id}"
        raise NotDone(WRONG_USE, f"--weights {given}: {why}; write the weights to take them")
    if found.table.decks != decks:
        complain(f"--weights {given}: that table has {found.table.decks} decks, this run {decks}")
    return weights_of(rules, found.weights.canonical)
