"""Write requests and bounds of the control socket into its page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from controller.control.protocol import COMMANDS, REQUESTS, WITH_PIN
from controller.control.serving import acceptor, door
from controller.control.serving.door import Bounds
from controller.control.serving.rights import LISTS
from pages.generated import between, heads

WHO: Final = {
    None: "viewer",
    "dealer": "dealer",
    "supervisor": "supervisor",
    "technician": "supervisor; technician by PIN",
    "witness": "`table-witness`",
}


def make_page(present: str) -> str:
    """The page with its tables anew."""
    head = [*heads("`do`", "who", "keys, with the most characters")]
    text = between(present, "requests", [*head, *(_row(do) for do in REQUESTS)])
    return between(text, "bounds", [*heads("", ""), *_bounds(Bounds())])


def _bounds(at: Bounds) -> Iterator[str]:
    yield (
        f"| connections | {at.clients}, of these {at.same_user} by one user, "
        f"and {at.guests} by those who may only look |"
    )
    yield (
        f"| connecting | {at.connections} at once, then {at.connections_per_s:.0f} a second of one "
        f"user; beyond, `unavailable`. All together {acceptor.BURST}, then {acceptor.PER_S:.0f} "
        "a second; more wait |"
    )
    yield (
        f"| strangers, in none of the groups | looked up every {door.STRANGER_S:.0f} s at most. "
        f"If more than {acceptor.STRANGERS} come, and {acceptor.STRANGERS_PER_S:.0f} a second, the "
        f"kernel refuses `connect` (`EACCES`) to all but the groups for {acceptor.SHUT_S:.0f} s |"
    )
    yield (
        f"| requests | {at.burst} at once, then {at.requests_per_s:.0f} a second "
        f"(those who may only look: {at.guest_requests_per_s:.0f}); more wait |"
    )
    yield (
        f"| an answer that is not taken | {at.slow_s:.0f} s, then the connection is dropped; "
        f"a watcher: {at.stuck_s:.0f} s |"
    )
    yield f"| a connection without requests | {at.idle_s:.0f} s, unless it watches |"
    yield f"| malformed requests | {at.malformed}, then the connection is dropped |"
    yield f"| states sent to a watcher | at most {1 / at.watch_interval_s:.0f} a second |"


def _row(do: str) -> str:
    who = "root" if do in LISTS else "dealer" if do in WITH_PIN else WHO[REQUESTS[do].role]
    return f"| `{do}` | {who} | {', '.join(_keys(do)) or '–'} |"


def _keys(do: str) -> Iterator[str]:
    yield from (f"`{key}` {most}" for key, most in REQUESTS[do].texts.items())
    yield from (f"`{key}`" for key in REQUESTS[do].numbers)
    if do in COMMANDS:
        yield "`at`, `key`, `dry`, `commands`"
    if do in WITH_PIN:
        yield "`pin`"
    if do == "witnessed":
        yield "`cosignatures`"
