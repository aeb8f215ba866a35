"""A round as a person reads it: how it was played, the cards on the table, the result of every
wager."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from controller.game.round.result_fields import RoundResult, SettlementResult
from controller.game.round.results import because, hand_totals
from controller.game.scripts.script_play import Happening
from controller.plain_text import columns


def account(result: RoundResult, course: Iterable[Happening] = ()) -> Iterator[str]:
    """The lines of a result of round scripts, or of a round from the journal."""
    number = result.get("round")
    title = result.get("title") or "A round"
    yield title if number is None or str(number) in title else f"Round {number}: {title}"
    yield f"  rules {result.get('rules')}, {result.get('outcome')}"
    if played := list(_played(course)):
        yield "play"
        yield from played
    if shoe := result.get("shoe"):
        yield f"shoe\n  {shoe}"
    if draws := result.get("draws"):
        yield "draws"
        yield columns(
            (f"offer {draw.get('offer')}", f"box {draw.get('box')}", f"{draw.get('multiplier')}x")
            for draw in draws
        )
    yield "hands"
    yield columns(_hands(result), right=(2,))
    if settlements := result.get("settlements"):
        yield "settled"
        known = result["dealer"]["cards"], hand_totals(result["boxes"])
        cells = ((*settled_cells(one), because(one, *known)) for one in settlements)
        yield columns(cells, right=(2, 5))
    if net := result.get("net"):
        yield "net"
        yield columns(((who, signed(amount)) for who, amount in net.items()), right=(1,))


def _played(course: Iterable[Happening]) -> Iterator[str]:
    """Cards that go on without a decision between them share a line. What was refused was tried
    after the cards that lead to the next step, and stands there."""
    cards: list[str] = []
    refused: list[str] = []
    for event in course:
        if event.what == "card":
            cards.append(f"{_hand(event.box, event.hand)} {event.text}")
        elif event.what == "refused":
            refused.append(f"  ! {event.text}")
        else:
            yield from _run_of(cards)
            yield from refused
            yield f"  {_event_words(event)}"
            cards, refused = [], []
    yield from _run_of(cards)
    yield from refused


def _event_words(event: Happening) -> str:
    if event.what == "drawn":
        return f"the meter shows {event.text}x"
    return f"  ({event.text})" if event.what in ("remark", "declined") else event.text


def _run_of(cards: list[str]) -> Iterator[str]:
    if cards:
        yield f"  {', '.join(cards)}"


def _hand(box: int | None, hand: int) -> str:
    if box is None:
        return "dealer"
    return f"box {box}" if hand == 1 else f"box {box}.{hand}"


def _hands(result: RoundResult) -> Iterator[tuple[str, str, str]]:
    for number, hands in result["boxes"].items():
        for index, hand in enumerate(hands, 1):
            yield _hand(int(number), index), hand["cards"] or "-", str(hand["total"] or "")
    dealer = result["dealer"]
    yield "dealer", dealer["cards"] or "-", str(dealer["total"] or "")


def settled_cells(settlement: SettlementResult) -> tuple[str, ...]:
    """A settlement as cells: wager, kind, stake, outcome, odds, net, clause."""
    hand = settlement["hand"]
    return (
        f"{settlement['box']}{settlement['bettor']}" + (f".{hand}" if hand != 1 else ""),
        str(settlement["kind"]),
        settlement["stake"] or "?",
        str(settlement["outcome"]).replace("_", " "),
        settlement["odds"] or "",
        signed(settlement["net"]),
        bracketed(str(settlement["clause"])),
    )


def bracketed(clause: str) -> str:
    """A clause in brackets, unless the document's own paragraphs are."""
    return clause if clause.startswith("[") else f"[{clause}]"


def signed(amount: str | None) -> str:
    """A sum with its sign; a question mark where the table knows no amounts."""
    if amount is None:
        return "?"
    return amount if amount.startswith("-") or not float(amount) else f"+{amount}"
