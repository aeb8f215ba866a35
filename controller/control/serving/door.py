"""Who of those that connect is let in, and who is turned away before he costs anything.

The rules:

- The kernel's note of who connected decides at the door, before a conversation or a question to the
  user database is begun. The bounds of one user are his own: nobody can use up another's.
- Root and the daemon's own user are not bounded, but by the number of places.
- A stranger, whom the user database has named and who is in none of the groups, is not looked up
  again for ``STRANGER_S``, unless his process has taken on one of the groups meanwhile.
- Those whom the kernel gives no role and the user database has yet to name have places of their
  own number, as have those who only look: they cannot take the dealers'.
- A connection beyond the user's own share is a refused attempt, each counted. One for which others
  have taken the places is none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from controller.control.peers import Groups, Peer
from controller.control.protocol import ErrorKind, encode_error
from controller.rate import Rate


@dataclass(frozen=True, slots=True)
class Bounds:
    """``clients`` are all places. ``same_user`` bounds the connections that one user has, and
    ``connections`` at once, then ``connections_per_s``, those that he makes; root and the daemon's
    own user aside. ``guests`` are those who may only look; ``unnamed`` those of whom nobody knows
    yet whether they may."""

    clients: int = 48
    same_user: int = 16
    connections: int = 40
    connections_per_s: float = 20.0
    guests: int = 16
    unnamed: int = 8
    guest_requests_per_s: float = 20.0
    requests_per_s: float = 500.0
    burst: int = 50
    malformed: int = 10
    idle_s: float = 300.0
    slow_s: float = 5.0
    stuck_s: float = 60.0
    watch_interval_s: float = 0.05
    capture_s: float = 0.5
    identify_s: float = 2.0


class Dropped(Exception):
    """The conversation ends; the message is for the client, with ``code`` and ``kind``."""

    def __init__(self, reason: str, code: str, kind: ErrorKind = "unavailable") -> None:
        super().__init__(reason)
        self.code = code
        self.kind: ErrorKind = kind

    @cached_property
    def line(self) -> bytes:
        """What the client is sent."""
        return encode_error(None, self.kind, str(self), code=self.code)


STRANGER_S: Final = 5.0
"""So long a stranger stays one, whatever is done to his groups in the user database."""

MOST_USERS: Final = 256
"""Users that are remembered; of more, the ones that came first are forgotten."""


@dataclass(slots=True)
class _Place:
    """Of one connection; ``peer`` is what is known of the user so far."""

    peer: Peer
    named: bool = False


@dataclass(frozen=True, slots=True)
class _Stranger:
    """Until when (monotonic seconds) he is one, why, and what he is told."""

    until: float
    why: str
    told: Dropped


class Door:
    """``refused`` hears of every refused attempt: who, what and why."""

    def __init__(
        self,
        groups: Groups,
        bounds: Bounds,
        refused: Callable[[Peer, str, str], None],
        now: Callable[[], float],
    ) -> None:
        self._groups = groups
        self._bounds = bounds
        self._refused = refused
        self._now = now
        self._places: dict[Hashable, _Place] = {}
        self._rates: dict[int, Rate] = {}
        self._strangers: dict[int, _Stranger] = {}

    def enter(self, who: Hashable, peer: Peer) -> Dropped | None:
        """Give ``who`` a place; or why not. ``peer`` is the user by the kernel's word alone."""
        bounds, now = self._bounds, self._now()
        stranger = None if peer.may_look else self._strangers.get(peer.uid)
        if stranger is not None and now < stranger.until:
            self._refused(peer, "a connection", stranger.why)
            return stranger.told
        free = peer.uid in (0, os.getuid())
        if not free and self._rate(peer.uid, now).wait_s(now):
            why = f"{bounds.connections_per_s:g} a second are his"
            return self._beyond_his_share(peer, "a flood of connections", why)
        held = sum(place.peer.uid == peer.uid for place in self._places.values())
        if not free:
            self._rate(peer.uid, now).count_one(now)
            if held >= bounds.same_user:
                why = f"all {bounds.same_user} places of one user are taken"
                return self._beyond_his_share(peer, "one more connection", why)
        if len(self._places) >= bounds.clients:
            why = f"all {bounds.clients} places are taken"
            if held >= min(bounds.same_user, bounds.clients):
                return self._beyond_his_share(peer, "one more connection", why)
            return Dropped(why, "busy")
        unnamed = sum(not (place.named or place.peer.roles) for place in self._places.values())
        if not peer.roles and unnamed >= bounds.unnamed:
            return Dropped("the user database has others to look up first: connect again", "busy")
        self._places[who] = _Place(peer)
        return None

    def named(self, who: Hashable, peer: Peer) -> None:
        """The user is now known better; Dropped where he may not come in after all."""
        place = self._places[who]
        if not peer.may_look:
            if not peer.known:
                raise Dropped(
                    f"the user database does not say now whether {peer.name} is in one of the "
                    f"groups {self._groups.named}: connect again",
                    "groups-unknown",
                )
            raise self._stranger(peer)
        place.peer, place.named = peer, True
        guests = sum(place.named and not place.peer.roles for place in self._places.values())
        if not peer.roles and guests > self._bounds.guests:
            raise Dropped(
                f"all {self._bounds.guests} places of those who only look are taken", "busy"
            )

    def leave(self, who: Hashable) -> None:
        """The connection is gone; harmless when done twice."""
        self._places.pop(who, None)

    def _stranger(self, peer: Peer) -> Dropped:
        why = f"in none of the groups {self._groups.named}"
        told = Dropped(
            f"{peer.name} may not look at this table: he is {why}", "not-allowed", "not_allowed"
        )
        self._strangers.pop(peer.uid, None)  # to the end of the order
        if len(self._strangers) >= MOST_USERS:
            del self._strangers[next(iter(self._strangers))]
        self._strangers[peer.uid] = _Stranger(self._now() + STRANGER_S, why, told)
        self._refused(peer, "a connection", why)
        return told

    def _beyond_his_share(self, peer: Peer, what: str, why: str) -> Dropped:
        self._refused(peer, what, why)
        return Dropped(why, "beyond-your-share")

    def _rate(self, uid: int, now: float) -> Rate:
        rate = self._rates.get(uid)
        if rate is None:
            if len(self._rates) >= MOST_USERS:
                self._forget(now)
            bounds = self._bounds
            rate = self._rates[uid] = Rate(bounds.connections, bounds.connections_per_s)
        return rate

    def _forget(self, now: float) -> None:
        """Make room for another user: forget whom nothing is held against, or who came first."""
        self._rates = {uid: rate for uid, rate in self._rates.items() if not rate.is_whole(now)}
        if len(self._rates) >= MOST_USERS:
            del self._rates[next(iter(self._rates))]
