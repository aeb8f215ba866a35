"""Displays: meters that only show. Their faults are reported and never hold play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.table.devices import links, reports
from controller.table.events.event import Event, Handler, on
from controller.table.events.of_devices import FaultsChanged, FigureShown
from controller.table.events.of_links import LinkCame, LinkWent
from controller.table.state.table import Table


def _shown(table: Table, event: FigureShown) -> None:
    """A display reports what it shows: a figure other than the drawn one is reported until the
    display shows a right one."""
    device, offer = table.named(event.device), table.jackpot.offer
    if device is None or offer is None or event.offer_id != offer.number:
        return
    read = event.multiplier
    device.misread = ""
    if read != offer.multiplier:
        reads = f"it reads {read}x" if read else "it cannot be read"
        device.misread = f"{offer.multiplier}x was drawn, {reads}"
        table.note(f"the {device.plain}: {device.misread}")


HANDLERS: Final[Mapping[type[Event], Handler[Table]]] = dict(
    [
        on(LinkCame, links.came),
        on(LinkWent, links.went),
        on(FaultsChanged, reports.fault),
        on(FigureShown, _shown),
    ]
)
"""Events of a display that the table handles. It has no button, so a press is ignored."""
