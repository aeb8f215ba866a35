"""What has changed between two states of the table, in words: the tail of events.

It is what was seen from outside, so it needs no right to the journal. Two changes within a
twentieth of a second may be seen as one; the journal has every entry (``tablectl journal find``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from controller.game.round.results import deed
from controller.table.showing.layout import NO_HAND, hand_name, insured, on_hand, plain_amount
from controller.table.showing.status_fields import ShownBox, ShownHand, Status

TOLD: Final = frozenset({"split", "doubled", "surrendered", "withdrawn", "void"})
"""Marks of a hand that are told when they come; the others follow from cards and settlements."""


class Change(NamedTuple):
    """One change; ``alarm``: it is trouble."""

    text: str
    alarm: bool = False


def changes(old: Status, new: Status) -> Iterator[Change]:
    """What has changed, trouble first."""
    yield from _hold(old, new)
    yield from _links(old, new)
    yield from _conditions(old, new)
    if _taken_back(old, new):  # the table stands as it did, and that was told
        yield Change(f"round {old.get('round')} taken back")
    else:
        yield from _round(old, new)
    yield from _shoe(old, new)
    if (phase := _phase(new)) != _phase(old):
        yield Change(f"now {phase}")


def _taken_back(old: Status, new: Status) -> bool:
    before, after = old.get("round"), new.get("round")
    return before is not None and after is not None and after < before


def _round(old: Status, new: Status) -> Iterator[Change]:
    if old.get("round") != new.get("round"):
        yield Change(f"round {new.get('round')} opened")
        old = {**old, "boxes": {}, "dealer": {"cards": "", "total": 0}, "owed": []}
    kept = old.get("owed", []) == new.get("owed", [])  # what is gone was not settled
    yield from _boxes(old.get("boxes", {}), new.get("boxes", {}), kept=kept)
    yield from _dealer(old, new)
    yield from _jackpot(old, new)
    yield from _owed(old, new)


def _phase(state: Status) -> str:
    return str(state.get("state", "")).partition(".")[0]


def _hold(old: Status, new: Status) -> Iterator[Change]:
    before, held = old.get("held") or {}, new.get("held") or {}
    if held and (before.get("fault"), before.get("reason")) != (
        held.get("fault"),
        held.get("reason"),
    ):
        yield Change(f"HELD, {held.get('fault')}: {held.get('reason')}", alarm=True)
    elif before and not held:
        yield Change("no longer held")


def _links(old: Status, new: Status) -> Iterator[Change]:
    before = old.get("devices", {})
    for name, device in new.get("devices", {}).items():
        known = before.get(name, {})
        if device.get("link") != known.get("link") and known:
            down = device.get("link") != "up"
            why = f": {device['reason']}" if down and device.get("reason") else ""
            yield Change(f"{name} {device.get('link')}{why}", alarm=down)
        if device.get("faults") != known.get("faults") and (known or device.get("faults")):
            told = device.get("faults")
            yield Change(f"{name} reports {told or 'no fault any more'}", alarm=bool(told))
        if known.get("serial") and device.get("serial") not in (None, known["serial"]):
            yield Change(f"{name} is another unit: {device['serial']}", alarm=True)


def _conditions(old: Status, new: Status) -> Iterator[Change]:
    before, after = old.get("conditions", {}), new.get("conditions", {})
    for code, detail in after.items():
        if code not in before:
            yield Change(f"{code}: {detail}" if detail else code, alarm=True)
    for code in before:
        if code not in after:
            yield Change(f"{code} is over")


def _boxes(
    old: Mapping[str, ShownBox], new: Mapping[str, ShownBox], *, kept: bool
) -> Iterator[Change]:
    """``kept``: nothing was settled, so what does not lie there any more was taken back."""
    for number, box in old.items():
        if number not in new:
            yield from _wagers(number, box, ShownBox(hands=[], wagers={}))
    for number, box in new.items():
        before = old.get(number, {})
        yield from _wagers(number, before, box)
        were = before.get("hands", [])
        for index, hand in enumerate(box.get("hands", [])):
            name = hand_name(number, index + 1)
            was = were[index] if index < len(were) else NO_HAND
            yield from _cards(name, was["cards"], hand["cards"], hand["total"])
            if were:
                yield from _stakes(name, was, hand)
            if kept:
                yield from _taken_from(name, was, hand)
        for taken in {*insured(box)} - {*insured(before)}:
            yield Change(f"insurance: {number}{taken}")
        for taken in {*insured(before)} - {*insured(box)} if kept else ():
            yield Change(f"insurance taken back: {number}{taken}")


def _stakes(name: str, old: ShownHand, new: ShownHand) -> Iterator[Change]:
    """What was put down on a hand since its first card, and what was decided for it."""
    before = on_hand(old)
    for bettor, placed in on_hand(new).items():
        for kind, amount in placed.items():
            if (was := before.get(bettor, {})).get(kind, "") != amount:
                all_in_all = " in all" if kind == "bought" and kind in was else ""
                yield Change(f"{name} {bettor} {kind} {plain_amount(amount)}{all_in_all}")
    for mark in new.get("marks", []):
        if mark in TOLD and mark not in old.get("marks", []):
            yield Change(f"{name} {mark}")


def _taken_from(name: str, old: ShownHand, new: ShownHand) -> Iterator[Change]:
    """What was put down on a hand and decided for it, and was taken back."""
    lies = on_hand(new)
    for bettor, placed in on_hand(old).items():
        for kind in placed:
            if kind not in lies.get(bettor, {}):
                yield Change(f"{name} {bettor} {kind} taken back")
    for mark in old.get("marks", []):
        if mark in TOLD and mark not in new.get("marks", []):
            yield Change(f"{name} {mark}: taken back")


def _wagers(number: str, old: ShownBox, new: ShownBox) -> Iterator[Change]:
    before, after = old.get("wagers", {}), new.get("wagers", {})
    for bettor in {**before, **after}:
        were, are = before.get(bettor, {}), after.get(bettor, {})
        for kind in {**were, **are}:
            if kind not in are:
                if not new.get("hands"):  # else it was settled, which is told
                    yield Change(f"wager {number}{bettor} {kind} taken out")
            elif kind not in were or were[kind] != are[kind]:
                yield Change(f"wager {number}{bettor} {kind} {plain_amount(are[kind])}")


def _dealer(old: Status, new: Status) -> Iterator[Change]:
    before, after = old.get("dealer"), new.get("dealer")
    if after is not None:
        yield from _cards(
            "dealer", before["cards"] if before else "", after["cards"], after["total"]
        )


def _cards(name: str, old: str, new: str, total: int) -> Iterator[Change]:
    if new == old or not new:
        return
    more = new[len(old) :].strip() if old and new.startswith(f"{old} ") else ""
    said = f"{name} + {more}" if more else f"{name}: {new}"
    yield Change(f"{said} ({total})" if total else said)


def _jackpot(old: Status, new: Status) -> Iterator[Change]:
    if (offer := new.get("offer")) and offer != old.get("offer"):
        yield Change(f"the jackpot button is offered to box {offer.get('box')}")
    if (meter := new.get("meter")) and meter != old.get("meter"):
        yield Change(f"METER {meter.get('multiplier')}x for box {meter.get('box')}")


def _owed(old: Status, new: Status) -> Iterator[Change]:
    before, after = old.get("owed", []), new.get("owed", [])
    first = len(before) if after[: len(before)] == before else 0
    for one in after[first:]:
        hand = "" if one["hand"] == 1 else f".{one['hand']}"
        yield Change(f"settled {one['box']}{one['bettor']}{hand} {one['kind']}: {deed(one)}")


def _shoe(old: Status, new: Status) -> Iterator[Change]:
    before, after = old.get("shoe", {}), new.get("shoe", {})
    if after.get("set") != before.get("set"):
        yield Change(f"set {after.get('set') or 'unknown'} is in the shoe")
    if after.get("shuffle_due") and not before.get("shuffle_due"):
        yield Change("a shuffle is due")
