"""The journal of a table, as ``tablectl journal export`` writes it, and what must hold in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from hil_tests.bench.interface import Json
from hil_tests.bench.processes import tablectl


def exported_entries(state: Path) -> list[Json]:
    """The journal in this state directory, an object for each entry.

    Raises:
        AssertionError: ``tablectl journal export`` failed.
    """
    told = tablectl("journal", "export", "--state", str(state))
    if told.returncode:
        raise AssertionError(f"journal export ended with {told.returncode}: {told.stderr}")
    return [json.loads(line) for line in told.stdout.splitlines()]


def card_name(entry: Json) -> str:
    """The card of an exported CARD as round scripts write it."""
    return "??A23456789TJQK"[entry["rank"] + 1] + "?CDHS"[entry["suit"]]


def numbering_errors(entries: Sequence[Json]) -> Iterator[str]:
    """Events of a device that are missing between two of its session, or there twice, in words."""
    numbers: dict[tuple[str, int], list[int]] = {}
    for entry in entries:
        if "event_no" in entry:
            numbers.setdefault((entry["device"], entry["session"]), []).append(entry["event_no"])
    for key, found in numbers.items():
        if found != list(range(found[0], found[0] + len(found))):
            yield f"events of {key} are not one after the other: {found}"


def draw_errors(entries: Sequence[Json]) -> Iterator[str]:
    """Where the draws are not those of the presses, in their order; in words."""
    pressed = [entry["offer_id"] for entry in entries if entry["type"] == "PRESS"]
    drawn = [entry["offer"] for entry in entries if entry["type"] == "draw"]
    if pressed != drawn:
        yield f"offers {pressed} were pressed, drawn was for {drawn}"
