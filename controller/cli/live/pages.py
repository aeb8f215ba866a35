"""The pages behind the keys, as lines: a device, a round, faults, conditions, help. No terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from controller.cli.devices.link_counters import table
from controller.cli.live.known_table import SeenTable
from controller.cli.live.links import links
from controller.cli.live.spans import EMPTY, Line, line, rule, span, wrapped
from controller.faults.catalogue import CATALOGUE
from controller.faults.words import plain

HELP: Final = (
    (
        "d",
        (
            "a device: who it is, its link's counters, its traffic as it happens, which is told to "
            "supervisors"
        ),
    ),
    (
        "r",
        (
            "the last round that has a card, as it is played and settled; left and right: other "
            "rounds. Told to supervisors"
        ),
    ),
    ("f", "what the fault means that holds the table, and what to do; else all faults"),
    ("c", "the conditions that stand beside play"),
    ("n, PgDn", "the next page of boxes; p, PgUp: the one before; 0: that with the box in turn"),
    ("Esc", "back to the table"),
    ("?", "this page"),
    ("q", "the end"),
)
WORDS: Final = (
    ("live", "the controller has answered within a second and a half; it is asked twice a second"),
    (
        "FROZEN",
        "its process is there and does not answer. What is shown is what was last seen",
    ),
    ("NO CONTROLLER ANSWERS", "it was stopped, or its socket is gone; it is looked for for ever"),
    ("OWED NOW", "what the dealer pays and takes at this moment, the boxes that are paid first"),
    ("CAME TO", "nothing lies any more: what the round has come to for each bettor and the house"),
    ("changed", "how long ago the table last changed: a live table may be quiet for as long"),
    ("ms", "from a PING to its answer, the mean of the last minute"),
    ("again", "commands sent again in the last minute: an answer did not come within 150 ms"),
    ("bad", "messages that came damaged in the last minute"),
    ("heard", "how long ago the device's last message came"),
    (
        "DEGRADING",
        "three or more of these in a minute: exchange the cable, then the adapter, soon",
    ),
    (
        "events",
        "what was seen to change since this view was opened. All entries: tablectl journal find",
    ),
)


def help_page(width: int) -> Iterator[Line]:
    """Keys, and what the words on the screen mean."""
    yield rule("keys", width)
    yield from _explained(HELP, width)
    yield EMPTY
    yield rule("words", width)
    yield from _explained(WORDS, width)


def _explained(rows: Sequence[tuple[str, str]], width: int) -> Iterator[Line]:
    wide = max(len(name) for name, _ in rows) + 4
    for name, text in rows:
        first, *rest = wrapped(text, width - wide)
        yield (span(f"  {name}".ljust(wide), "title"), *first)
        yield from ((span(" " * wide), *one) for one in rest)


def fault_page(codes: Sequence[str], width: int) -> Iterator[Line]:
    """Every fact of these faults; one that the catalogue does not have is said to be that."""
    for code in codes:
        yield rule(code, width)
        fault = CATALOGUE.get(code)
        facts = plain(fault) if fault else [("unknown", "this program knows no such fault")]
        for name, text in facts:
            yield line(span(f"  {name}", "title"))
            yield from wrapped(text, width - 2, first="      ")
        yield EMPTY


def faults_shown(seen: SeenTable) -> list[str]:
    """The codes of the faults that are to be explained: of what holds, else of what stands, else
    all."""
    held = seen.state.get("held")
    if held:
        return list(held.get("faults") or [str(held.get("fault"))])
    return list(seen.state.get("conditions", {})) or list(CATALOGUE)


def conditions_page(seen: SeenTable, width: int) -> Iterator[Line]:
    """What stands beside play, each with what it means and the next step."""
    conditions: Mapping[str, str] = seen.state.get("conditions", {})
    if not conditions:
        yield line("  No condition stands.")
    for code, detail in conditions.items():
        yield rule(code, width)
        yield from wrapped(detail or "present", width - 2, "warning", first="  ")
        if fault := CATALOGUE.get(code):
            yield from wrapped(fault.text, width - 2, first="  ")
            yield from wrapped(f"next step: {fault.next_step}", width - 2, first="  ")
        yield EMPTY


def device_names(seen: SeenTable) -> list[str]:
    """The devices, in the order in which they are chosen from."""
    return list(seen.state.get("devices", {}))


def choice_page(seen: SeenTable, width: int) -> Iterator[Line]:
    """The devices with the digits that choose them."""
    for number, name in enumerate(device_names(seen), 1):
        device = seen.state.get("devices", {})[name]
        about = f"{device.get('link')}  {device.get('serial') or '-'}"
        yield line(span(f"  {number}  ", "title"), f"{name:<18} {about}")
    yield EMPTY
    yield from wrapped("The digit opens the device.", width - 2, first="  ")


def device_page(seen: SeenTable, name: str, width: int) -> Iterator[Line]:
    """Who a device is, how its link is, and what the link has counted."""
    device = seen.state.get("devices", {}).get(name)
    if device is None:
        yield line(span(f"  there is no device {name} any more", "alarm"))
        return
    [link] = [one for one in links(seen) if one.name in (name, f"{name} ({device.get('kind')})")]
    state = span("up" if link.up else "DOWN", "good" if link.up else "alarm")
    yield line(
        span(f"  {name}", "title"),
        f"  {device.get('kind')} {device.get('serial') or '-'}  firmware {device.get('firmware')}",
    )
    yield line("  link ", state, f" for {link.since}, last event {device.get('last_event')}")
    if link.word:
        yield from wrapped(link.word, width - 2, "warning", first="  ! ", indent="    ")
    yield EMPTY
    yield rule("counters", width, "last minute, last hour, since start")
    counted = seen.counted
    if counted.withheld:
        yield line(f"  {counted.withheld}")
        return
    windows = [window.get(name, {}) for window in (counted.minute, counted.hour, counted.start)]
    for text in table(*windows).splitlines():
        yield line(text[:width])
