"""Many trials, each judged and counted: by one process, or by several that play a part of them.

A round put right is held against its partner, cent for cent. Then it is played once more: as a
script, and at a live table in this process.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

from controller.files.rules import load_rules
from controller.game.commands.values import write_amount
from controller.game.round.model import Settlement
from controller.game.round.refusal import Refused
from controller.game.round.result_fields import RoundResult
from controller.game.round.results import round_result
from controller.game.round.state import Round
from controller.game.round.steps import Insure
from controller.game.rules.schema import RuleSet
from controller.game.scripts.runner import StepRefused, run_script
from controller.game.scripts.script import MalformedScript, read_json, read_script
from proof.put_right.mistakes import Fails
from proof.put_right.partner import LATE_21, Lacks, Partner, partner_of
from proof.put_right.remedies import met
from proof.put_right.table import NotComparable, Table
from proof.put_right.trial import trial
from proof.put_right.truth import Name, names_of
from tests.table.live.scripted import LiveScript


def as_script(script: dict[str, Any], rnd: Round) -> None:
    """Run the script and hold its result against the round.

    Raises:
        Fails: it is refused, or ends otherwise.
    """
    try:
        result = run_script(read_script(read_json(json.dumps(script)), lambda _: rnd.rules))
    except (MalformedScript, StepRefused) as error:
        raise Fails("the script does not run", str(error)) from error
    _compare("the script ends otherwise", result, rnd)


def at_live_table(script: dict[str, Any], rnd: Round) -> None:
    """Deal the script at a live table and hold its result against the round.

    Raises:
        Fails: it is refused, or ends otherwise.
    """
    try:
        _, result = LiveScript.result(script | {"title": script.get("title", "")})
    except Exception as error:  # whatever stops the live table is a finding
        raise Fails("the live table stops", f"{type(error).__name__}: {error}") from error
    _compare("the live table ends otherwise", result, rnd)


def _compare(what: str, result: RoundResult, rnd: Round) -> None:
    net = round_result(rnd, "")["net"]
    if result["net"] != net:
        raise Fails(what, f"is {result['net']}, here {net}")


Wager = tuple[int, str, Name, str]
"""A box, a bettor, a hand and a kind."""
Sums = dict[Wager, int]


class Verdict(NamedTuple):
    """What became of a trial: it ``failed``, and what was ``said``; ``why`` it is not comparable;
    the mistakes by kind with their moments, the clauses of exceptions that were met, and the
    script."""

    failed: str
    said: str
    why: str
    kinds: tuple[str, ...]
    moments: tuple[str, ...]
    met: tuple[str, ...]
    script: dict[str, Any]

    @property
    def size(self) -> int:
        """How long the script is to read."""
        parts = (self.script["wagers"], self.script["steps"], self.script["shoe"].split())
        return sum(map(len, parts))


def judge(rules: RuleSet, seed: str, *, live: bool = False) -> Verdict:
    """Play the trial of that seed and hold it against its partner; ``live``: its script at a live
    table, too."""
    played = trial(rules, seed, copies=1 if live else 8)  # at a table a card is told by its name
    failed = said = why = ""
    try:
        played.play()
        _hold(played.table, rules)
        script = played.table.script(seed)
        as_script(script, played.table.rnd)
        if live:
            at_live_table(script, played.table.rnd)
    except NotComparable as reason:
        why = str(reason)
    except Lacks as lacks:
        failed, said = f"lacks a {lacks.what}", str(lacks)
    except Fails as fails:
        failed, said = fails.what, str(fails)
    except Refused as refused:
        failed, said = "refused although permitted", str(refused)
    except (ValueError, LookupError, AssertionError) as error:
        failed, said = "breaks", f"{type(error).__name__}: {error}"
    done = played.done
    cases = met(rules.id, played.table.met)
    kinds, moments = tuple(one.kind for one in done), tuple(one.moment.value for one in done)
    return Verdict(failed, said, why, kinds, moments, tuple(cases), played.table.script(seed))


def _hold(table: Table, rules: RuleSet) -> None:
    """Hold the round against its partner.

    Raises:
        Fails: it does not end as that one, or permitted something else.
        Lacks, NotComparable: there is no partner.
    """
    is_now = wagers(table.rnd, table.truth.names)
    if table.voided:
        if is_now:
            raise Fails("not everything is returned", _differences(is_now, {}))
        return
    partner = partner_of(table, rules)
    right = partner.play()
    boxes = right.boxes
    if any(boxes[box].hands[0].is_pontoon for box in table.apart.short - table.apart.out):
        raise NotComparable(LATE_21)
    is_right = _shared_sums(table, wagers(right, lambda box: names_of(partner.splits, box)))
    if (mine := _shared_sums(table, is_now)) != is_right:
        if {wager[0] for wager, _ in mine.items() ^ is_right.items()} <= table.stands:
            raise NotComparable("a decision was said to stand")
        raise Fails("sums differ", _differences(mine, is_right))
    _check_returned(table, is_now)
    _compare_offers(table, partner)
    for key, steps in table.later.items():
        asked = partner.asked.get(key, steps)
        if asked != steps:
            where = _place(key[0][0], "", key[0][1])
            raise Fails("decisions differ", f"{where}: is {sorted(steps)}, right {sorted(asked)}")


def _compare_offers(table: Table, partner: Partner) -> None:
    """Compare who might insure or surrender once something was put right; what was declined before
    need not be offered again."""
    insured = [one.step for one in table.truth.said if isinstance(one.step, Insure)]
    if table.offered is None or any(map(table.apart.is_back, insured)):
        return
    offered = table.apart.open_to_others(table.offered[1])
    missing = sorted(partner.offered - table.declined - offered)
    more = sorted(offered - partner.offered)
    if missing or more:
        raise Fails("offers differ", f"missing {missing}, too many {more}")


def _check_returned(table: Table, sums: Sums) -> None:
    """Check that who took his wagers back neither wins nor loses what was open then."""
    for wager, sum_ in sums.items():
        before = table.before.get(wager[:2])
        insures = wager[3] == "insurance"  # of what another declined, as anybody may
        if before is not None and not insures and sum_ not in (0, before.get(wager, 0)):
            raise Fails("not returned", _differences({wager: sum_}, {}))


def _shared_sums(table: Table, sums: Sums) -> Sums:
    """The sums of those who have not taken their wagers back, without what they have insured of the
    others, or share of what these would have won."""
    shares = {"super_bonus_share"} if table.apart.out or table.apart.back else set()
    steps = [one.step for one in table.truth.said if isinstance(one.step, Insure)]
    insured = {
        (step.seat.box, step.seat.bettor or "a") for step in steps if table.apart.is_back(step)
    }
    return {
        wager: sum_
        for wager, sum_ in sums.items()
        if not table.apart.is_out(*wager[:2])
        and wager[3] not in shares
        and not (wager[3] == "insurance" and wager[:2] in insured)
    }


def wagers(rnd: Round, names: Callable[[int], list[Name]]) -> Sums:
    """The sum of each wager, after what reverses is cancelled; those of nothing left out."""
    sums: Counter[Wager] = Counter()
    for one in rnd.all_settlements:
        sums[_wager(one, names(one.box))] += one.net or 0
    return {wager: sum_ for wager, sum_ in sums.items() if sum_}


def _wager(one: Settlement, names: list[Name]) -> Wager:
    kind = "main" if one.kind == "split" else one.kind
    name = names[one.hand - 1] if one.hand <= len(names) else (-one.hand,)  # was taken back
    return one.box, one.bettor, name, kind


def _place(box: int, bettor: str, name: Name) -> str:
    return f"{box}{bettor}{''.join(f'.{number}' for number in name)}"


def _differences(mine: Sums, its: Sums) -> str:
    lines = []
    for wager in sorted({*mine, *its}):
        if mine.get(wager) != its.get(wager):
            box, bettor, name, kind = wager
            is_, right = (write_amount(sums.get(wager, 0)) for sums in (mine, its))
            lines.append(f"{_place(box, bettor, name)} {kind}: is {is_}, right {right}")
    return "; ".join(lines)


SHOWN: Final = 3
"""Scripts of each kind of failure."""


class Part(NamedTuple):
    """Rounds of a document."""

    document: str
    seed: int
    first: int
    rounds: int
    live: bool


@dataclass(slots=True)
class Tally:
    """What rounds of a document came to."""

    rounds: int = 0
    compared: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    apart: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    smallest: dict[str, list[Verdict]] = field(default_factory=dict)

    def count_verdict(self, verdict: Verdict) -> None:
        """Count one round."""
        self.rounds += 1
        self.kinds.update(verdict.kinds)
        self.moments.update(verdict.moments)
        self.met.update(verdict.met)
        if verdict.failed:
            self.failures[verdict.failed] += 1
            self._keep_smallest(verdict.failed, [verdict])
        elif verdict.why:
            self.apart[verdict.why] += 1
        else:
            self.compared += 1

    def add(self, other: Tally) -> None:
        """Count what another process has played."""
        self.rounds += other.rounds
        self.compared += other.compared
        for name in ("kinds", "moments", "apart", "met", "failures"):
            getattr(self, name).update(getattr(other, name))
        for failed, verdicts in other.smallest.items():
            self._keep_smallest(failed, verdicts)

    def _keep_smallest(self, failed: str, verdicts: Sequence[Verdict]) -> None:
        kept = [*self.smallest.get(failed, ()), *verdicts]
        self.smallest[failed] = sorted(kept, key=lambda one: one.size)[:SHOWN]


@cache
def _rules(document: str) -> RuleSet:
    return load_rules(document)


def play(part: Part) -> Tally:
    """Play and judge the rounds of a part."""
    found, rules = Tally(), _rules(part.document)
    for number in range(part.first, part.first + part.rounds):
        found.count_verdict(judge(rules, f"{part.document} {part.seed} {number}", live=part.live))
    return found
