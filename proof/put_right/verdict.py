"""A round put right held against its partner, cent for cent."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from controller.game.round.model import Settlement
from controller.game.round.money import write_amount
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.rules.schema import RuleSet
from proof.put_right.irregular import TooLate
from proof.put_right.mistakes import AdviceFails, Unheard
from proof.put_right.partner import LATE_21, Lacks, partner_of
from proof.put_right.table import NotComparable, Table
from proof.put_right.trial import Endless, Trial, trial
from proof.put_right.truth import Name

Wager = tuple[int, str, Name, str]
"""A box, a bettor, a hand and a kind."""


class Verdict(NamedTuple):
    """What became of a trial: ``compared``; ``why`` it is not comparable, or has ``failed``; the
    mistakes by kind, the moments, and the script, with what is and what is right."""

    compared: bool
    failed: str
    why: str
    kinds: tuple[str, ...]
    moments: tuple[str, ...]
    script: dict[str, Any]
    said: str = ""


def judge(rules: RuleSet, seed: str) -> Verdict:
    """Play the trial of that seed and hold it against its partner."""
    played = trial(rules, seed)
    failed, why, said = "", "", ""
    try:
        played.play()
        failed, said = _against_partner(played, rules)
    except (Unheard, NotComparable) as unheard:
        why = str(unheard)
    except Lacks as lacks:
        failed, said = f"lacks a {lacks.what}", str(lacks)
    except (AdviceFails, Endless, TooLate) as broken:
        failed, said = type(broken).__name__, str(broken)
    except Refused as refused:
        failed, said = "refused", str(refused)
    except Exception as error:  # whatever breaks is a finding
        failed, said = f"breaks: {type(error).__name__}", str(error)
        import os, traceback
        if os.environ.get("TB"): traceback.print_exc()
    kinds = tuple(one.kind for one in played.done)
    moments = tuple(one.moment.value for one in played.done)
    script = played.table.script(seed)
    return Verdict(not failed and not why, failed, why, kinds, moments, script, said)


def _against_partner(played: Trial, rules: RuleSet) -> tuple[str, str]:
    table = played.table
    if table.voided:
        left = {wager: sum_ for wager, sum_ in wagers(table.rnd, table.truth.names).items() if sum_}
        return ("not all returned", _told(left, {})) if left else ("", "")
    partner = partner_of(table, rules)
    right = partner.play()
    barred = [b for b in table.one_card if b not in table.out and right.boxes[b].hands[0].is_pontoon]
    if barred:
        raise NotComparable(LATE_21)
    mine = _others(table, wagers(table.rnd, table.truth.names))
    its = _others(table, wagers(right, lambda box: partner_names(partner.splits, box)))
    if mine != its:
        return "sums differ", _told(mine, its)
    if table.offered:
        offered = partner.open_to_others(table.offered[1])
        missing = sorted(partner.offered - table.declined - offered)
        more = sorted(offered - partner.offered)
    if table.offered and (missing or more):
        return "offers differ", f"missing {missing}, too many {more}"
    for key, steps in table.later.items():
        if key in partner.asked and partner.asked[key] != steps:
            return "decisions differ", f"{key}: is {sorted(steps)}, right {sorted(partner.asked[key])}"
    return "", ""


def partner_names(splits: list[tuple[int, Name]], box: int) -> list[Name]:
    """The names of the partner's hands."""
    from proof.put_right.truth import names_of

    return names_of(splits, box)


def _others(table: Table, sums: dict[Wager, int]) -> dict[Wager, int]:
    """The sums of those who have not taken their wagers back."""
    return {w: sum_ for w, sum_ in sums.items() if w[0] not in table.out and w[:2] not in table.back}


def wagers(rnd: Round, names: Any) -> dict[Wager, int]:
    """The sum of each wager, after what reverses is cancelled; those of nothing left out."""
    sums: Counter[Wager] = Counter()
    for one in rnd.told:
        sums[_wager(one, names(one.box))] += one.net or 0
    return {wager: sum_ for wager, sum_ in sums.items() if sum_}


def _wager(one: Settlement, names: list[Name]) -> Wager:
    kind = "main" if one.kind == "split" else one.kind
    name = names[one.hand - 1] if one.hand <= len(names) else (-one.hand,)  # was taken back
    return one.box, one.bettor, name, kind


def _told(mine: dict[Wager, int], its: dict[Wager, int]) -> str:
    lines = []
    for wager in sorted({*mine, *its}):
        if mine.get(wager) != its.get(wager):
            box, bettor, name, kind = wager
            hand = "".join(f".{n}" for n in name)
            is_, right = (write_amount(x.get(wager, 0)) for x in (mine, its))
            lines.append(f"{box}{bettor}{hand} {kind}: is {is_}, right {right}")
    return "; ".join(lines)


__all__ = ["Table", "Verdict", "judge"]
