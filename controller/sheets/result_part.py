"""The result of a round on its page: hands, what every wager came to, and the clauses in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from controller.files.rule_words import clause_words
from controller.files.rules import clause_texts
from controller.game.round.model import REVERSED
from controller.game.round.result_fields import RoundResult, SettlementResult
from controller.sheets.accounts import signed
from controller.sheets.sheet import cards, row, table, text


def result_parts(result: RoundResult) -> Iterator[str]:
    """The parts of the page."""
    hands = [
        (_place(int(box), at), hand)
        for box, hands in result["boxes"].items()
        for at, hand in enumerate(hands, 1)
    ]
    yield table(
        ("Hand", "Total", "Cards"),
        (
            row((text(place), text(hand["total"] or ""), cards(hand["cards"])), right=(1,))
            for place, hand in [*hands, ("Dealer", result["dealer"])]
        ),
        "fixed",
        right=(1,),
        widths=(18, 8, 74),
    )
    if result["outcome"].endswith("void"):
        yield (
            "<p>The round is void: wagers were returned. What had been settled before was taken "
            "back, at the step that is marked VOID.</p>"
        )
    if not (settlements := result["settlements"]):
        yield "<p>Nothing was settled.</p>"
        return
    yield table(
        ("Bettor", "Hand", "Wager", "Stake", "Outcome", "Odds", "Net", "Clause"),
        _settlements(settlements, result["net"]),
        "fixed",
        right=(3, 6),
        widths=(10, 8, 18, 13, 15, 9, 13, 14),
    )
    if any(one["outcome"] == REVERSED for one in settlements):
        yield (
            "<p>REVERSED takes back an earlier line of the same wager; what was settled instead "
            "follows it. Nothing that was told is erased.</p>"
        )
    yield from _clauses(result, settlements)


def _clauses(result: RoundResult, settlements: Sequence[SettlementResult]) -> Iterator[str]:
    """The clauses that decided, in our own words; the document's own words count."""
    words = clause_texts(result["rules"])
    cited = dict.fromkeys(part for one in settlements for part in one["clause"].split("; "))
    if rows := [row((text(clause), text(words[clause]))) for clause in cited if clause in words]:
        yield table(("Clause", "In short, in our own words"), rows, "fixed", widths=(14, 86))


def _settlements(
    settlements: Sequence[SettlementResult], net: dict[str, str | None]
) -> Iterator[str]:
    def owner(one: SettlementResult) -> str:
        return f"{one['box']}{one['bettor']}"

    for who, lines in groupby(sorted(settlements, key=owner), owner):
        for one in lines:
            name = "marked" if one["outcome"] == REVERSED else ""
            yield row(_settled(who, one), name, right=(3, 6))
        sums = (text(who), "", "net", "", "", "", text(signed(net.get(who))), "")
        yield row(sums, "total", right=(3, 6))


def _settled(who: str, one: SettlementResult) -> tuple[str, ...]:
    return (
        text(who),
        text(one["hand"]),
        text(one["kind"]),
        text(one["stake"] or "?"),
        text(outcome_words(one)),
        text(one["odds"] or ""),
        text(signed(one["net"])),
        text(clause_words(one["clause"])),
    )


def outcome_words(one: SettlementResult) -> str:
    """The outcome; capitals where it takes another one back."""
    outcome = one["outcome"].replace("_", " ")
    return outcome.upper() if one["outcome"] == REVERSED else outcome


def _place(box: int, hand: int) -> str:
    return f"Box {box}" if hand == 1 else f"Box {box}, hand {hand}"
