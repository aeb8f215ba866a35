"""``status``: the table as it is committed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from controller.cli.ages import ago
from controller.cli.connection import connect, status_of
from controller.cli.exits import DONE
from controller.cli.output import columns, say, say_json
from controller.json_values import JsonObject, checked
from controller.round.owed import owed_lines
from controller.round.result_fields import HandResult
from controller.table.showing.status_fields import Status

if TYPE_CHECKING:
    from controller.cli.group import Group


def register(top: Group) -> None:
    """Add the command."""
    top.command("status", show, "Table, round and state, what is awaited, every device's link")


def show(options: argparse.Namespace) -> int:
    """Print the state once."""
    with connect(options) as client:
        state = client.status()
    if options.json:
        say_json(state)
    else:
        say("\n".join(lines(state)))
    return DONE


def lines(answer: JsonObject) -> Iterator[str]:
    """The state as a person reads it."""
    state = status_of(answer)
    yield (
        f"Table {state.get('table')}, {state.get('rules')}, round {state.get('round')}: "
        f"{state.get('state')}"
    )
    yield f"  {state.get('prompt') or '-'}"
    if held := state.get("held"):
        yield f"  HELD, {held.get('fault')}: {held.get('reason')}"
        if held.get("next_step"):
            yield f"  next step: {held['next_step']}"
        yield f"  supervisor may: {', '.join(held.get('remedies', ())) or 'nothing yet'}"
    if state.get("awaiting"):
        yield f"  awaiting {state['awaiting']}"
    if permitted := state.get("permitted"):
        yield f"  dealer may: {', '.join(permitted)}"
    rows = list(_hands(state))
    if rows:
        yield ""
        yield columns(rows, right=(2,))
    if owed := state.get("owed"):
        yield ""
        yield from (f"  owed: {line}" for line in owed_lines(owed))
    if meter := state.get("meter"):
        yield f"  meter: {meter.get('multiplier')}x for box {meter.get('box')}"
    if shoe := state.get("shoe"):
        yield f"  shoe: {', '.join(_shoe(shoe))}"
    if devices := state.get("devices"):
        yield ""
        yield device_table(devices)


def _hands(state: Status) -> Iterator[tuple[str, str, str, str]]:
    turn = state.get("turn") or {"box": 0, "hand": 0}
    for number, box in state.get("boxes", {}).items():
        wagers = "; ".join(
            f"{bettor}: " + ", ".join(f"{kind} {sum_ or 'on'}" for kind, sum_ in placed.items())
            for bettor, placed in box.get("wagers", {}).items()
        )
        if away := box.get("absent"):
            wagers += f"; not there: {', '.join(away)}"
        for index, hand in enumerate(box.get("hands") or [HandResult(cards="", total=0)], 1):
            here = turn == {"box": int(number), "hand": index}
            name = f"{'>' if here else ' '} box {number}" + (f".{index}" if index > 1 else "")
            cards = hand["cards"] or "-"
            yield name, cards, str(hand["total"] or ""), wagers if index == 1 else ""
    dealer = state.get("dealer")
    if dealer and dealer["cards"]:
        yield "  dealer", dealer["cards"], str(dealer["total"] or ""), ""


def _shoe(shoe: JsonObject) -> Iterator[str]:
    if shoe.get("set"):
        yield f"set {shoe['set']}"
    left = shoe.get("remaining")
    yield "not counted" if left is None else f"{left} cards remain"
    if shoe.get("burned"):
        yield f"burned {shoe['burned']}"
    if shoe.get("burn_due"):
        yield "its first card is to be burned"
    if shoe.get("shuffle_due"):
        yield "a shuffle is due"
    for number, why in checked(dict[str, str], shoe.get("blocked") or {}).items():
        yield f"set {number} may not be played: {why}"


def device_table(devices: Mapping[str, JsonObject]) -> str:
    """Every device's link in columns."""
    rows: list[tuple[object, ...]] = [("device", "link", "serial", "since", "last event", "")]
    for name, device in devices.items():
        remarks = (device.get("reason"), device.get("faults"))
        rows.append(
            (
                name if device.get("kind") in (None, name) else f"{name} ({device['kind']})",
                device.get("link") or "?",
                device.get("serial") or "-",
                ago(device.get("since") or "-"),
                device.get("last_event") if device.get("last_event") is not None else "-",
                "; ".join(str(remark) for remark in remarks if remark),
            )
        )
    return columns(rows)
