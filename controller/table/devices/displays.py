"""Displays: meters that only show. Their faults are reported and never hold play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from controller.table.devices import links, reports
from controller.table.events import Event
from controller.table.state.table import Table


def _shown(table: Table, event: Event) -> None:
    """A display reports what it shows: a figure other than the drawn one is reported until the
    display shows a right one."""
    device, offer = table.named(event.device), table.jackpot.offer
    if device is None or offer is None or event.body["offer_id"] != offer.number:
        return
    read = event.whole("multiplier")
    device.misread = ""
    if read != offer.multiplier:
        reads = f"it reads {read}x" if read else "it cannot be read"
        device.misread = f"{offer.multiplier}x was drawn, {reads}"
        table.note(f"the {device.plain}: {device.misread}")


HANDLERS: Final[Mapping[str, Callable[[Table, Event], None]]] = {
    "link": links.link,
    "FAULT": reports.fault,
    "SHOWN": _shown,
}
"""Events of a display that the table handles. It has no button, so a press is ignored."""
