"""A round that 0.1 played, as ``round show`` tells it: from its entries alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from controller.cli.output import columns
from controller.cli.rounds.accounts import settled_cells, signed

if TYPE_CHECKING:
    from controller.replay.unplayed import Unplayed


def unplayed_lines(played: Unplayed) -> Iterator[str]:
    """What its entries say, on lines."""
    told: Mapping[str, Any] = played.as_json()
    yield f"Round {told['round']}, {told['not_played']}. Its entries say:"
    cells = ((str(one["seq"]), one["wall"], one["type"], one["what"]) for one in told["entries"])
    yield columns(cells, right=(0,))
    if told["shoe"]:
        yield f"shoe\n  {told['shoe']}"
    if told["settlements"]:
        yield "settled"
        yield columns(map(settled_cells, told["settlements"]), right=(2, 5))
        yield "net"
        yield columns(((who, signed(net)) for who, net in told["net"].items()), right=(1,))
