"""Dealer, players and supervisor in virtual time: they look at what the table says, and act.

They assume nothing: whatever is refused is looked at again, whoever finds no answer comes back
when the daemon is up again, and a table that is held is the supervisor's. What cannot come to rest
within :data:`PATIENCE` looks is a violation: play stands.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from hil_tests.people.playing import CARD, RandomPlayer
from proof.torture.virtual.ledger import Violation, unsettled
from proof.torture.virtual.site import Site

Json = dict[str, Any]

PATIENCE = 600
"""Looks at the table within one round."""
LINK_S = 15.0
"""By then every link is up that has a device at its end: backoff, HELLO and a retry."""
RARELY = 0.02
ENOUGH_CARDS = 80


class People:
    """Everybody at one table; ``before_look`` is called before each look (faults happen there)."""

    def __init__(self, site: Site, source: random.Random, before_look: Callable[[], None]) -> None:
        self.site = site
        self.rounds = 0
        self.voids = 0
        self._random = source
        self._player = RandomPlayer(source)
        self._before_look = before_look
        self._stubborn = 0
        self._reported = False
        self._eagerness = source.choice((0.5, 0.7, 0.9))

    # ---- a round ------------------------------------------------------------------------------

    def play_round(self) -> None:
        """One round, from open bets to the cleared table."""
        number: int | None = None
        for _ in range(PATIENCE):
            self._before_look()
            self._think()
            state = self.site.alive.status()
            if state is None:
                continue
            if number is not None and state["round"] == number and _between(state):
                self.rounds += 1
                return
            if state["round"] and not _between(state):
                number = state["round"]
            self._act(state)
        raise Violation(f"play stands: {_state_text(self.site.alive.status() or {})}")

    def come_to_rest(self) -> None:
        """Everything is good again: every link comes up, every event and card arrives."""
        for _ in range(PATIENCE):
            self.site.alive.status()
            lives = self.site.lives
            self.site.world.run_for(LINK_S)
            state = self.site.alive.status()
            if state is None or self.site.lives != lives:
                continue  # the last of the faults has ended it only now: it has just started
            down = [name for name, told in state["devices"].items() if told["link"] != "up"]
            if down:
                raise Violation(f"the wires are good and {down} do not come up")
            if any(device.twin.unacknowledged for device in self.site.devices.values()):
                raise Violation("the wires are good and an event is not acknowledged")
            return
        raise Violation("the daemon does not stay up")

    # ---- what to do ---------------------------------------------------------------------------

    def _think(self) -> None:
        self.site.world.run_for(self._random.uniform(0.02, 0.2))

    def _act(self, state: Json) -> None:
        if (state["held"] and state["awaiting"] in ("supervisor", "dealer")) or (
            state["awaiting"] == "supervisor"
        ):
            self._put_right(state)
        elif state["awaiting"] == "card":
            self._card()
        elif state["awaiting"] == "press":
            self._press()
        elif _between(state):
            self._prepare_round(state)
        elif state["state"] == "betting":
            self._bet(state)
        elif state["state"] in ("settled", "void"):
            if state["state"] == "settled" and (wrong := next(unsettled(state), "")):
                raise Violation(wrong)
            self._give_command("next")
        elif state["awaiting"] == "dealer":
            self._decide(state)
        elif state["held"] and state["held"]["remedies"] and self._random.random() < RARELY:
            self._put_right(state)

    def _prepare_round(self, state: Json) -> None:
        shoe = self.site.devices["shoe"]
        due = state["shoe"]["shuffle_due"] or state["shoe"]["blocked"]
        present = state["shoe"]["set"]
        if not state["shoe"]["shuffle_due"] and str(present) in state["shoe"]["blocked"]:
            self.site.alive.supervisor(f"clear-set {present}")  # it was counted
        elif due or len(shoe.model.cards) < ENOUGH_CARDS or shoe.model.lid_open:
            self._load()
        elif state["state"] == "closed":
            self._give_command("inspected")
            self.site.alive.supervisor("open-table")
        else:
            self._reported = self._reported or self.site.alive.ready()
            self._give_command("open")

    def _load(self) -> None:
        """A shuffled shoe."""
        tens = bool(self.site.config.table.rules.cards.tens.value)
        cut = self._random.choice((0, 40, 60, 90))
        shoe = self.site.devices["shoe"]
        seed = self._random.randrange(1 << 30)
        if shoe.twin.powered:
            shoe.handle("load", decks=self.site.config.table.decks, seed=seed, cut=cut, tens=tens)

    def _bet(self, state: Json) -> None:
        if self.site.devices["shoe"].model.unlocked:  # a card is to be burned
            self._card()
            return
        if "close" in state["permitted"] and self._random.random() < self._eagerness:
            if self._random.random() < 0.6:
                self._favour()
            self._give_command("close")
            return
        if "burn" in state["permitted"] and state["shoe"]["burn_due"]:
            self._give_command("burn")
            return
        kinds = ["main", *self.site.config.table.rules.side_wagers]
        box = self._random.randint(1, self.site.config.table.boxes)
        bettor = self._random.choice(("", "", "b"))
        for kind in kinds:
            if kind == "main" or self._random.random() < 0.7:
                self._give_command(f"wager {box}{bettor} {kind} {self._random.randint(10, 100)}")

    def _favour(self) -> None:
        """Shuffle the shoe again, with aces and pictures in front: Pontoons and jackpots."""
        cards = self.site.devices["shoe"].model.cards
        self._random.shuffle(cards)
        cards.sort(key=lambda card: not (card.rank == 1 or card.rank > 10))
        front = [card for card in cards[:40] if card.rank == 1][:6]
        rest = [card for card in cards if card not in front]
        cards[:] = [*front, *rest]

    def _decide(self, state: Json) -> None:
        try:
            said = self._player(state)
        except (IndexError, StopIteration, ValueError):
            said = CARD
        if said == CARD:
            self._card()
        elif self._random.random() < RARELY and "undo" in state["permitted"]:
            self._give_command("undo")
        else:
            self._give_command(said)

    def _give_command(self, command: str) -> None:
        self.site.alive.dealer(command)

    def _card(self, **marks: bool) -> None:
        shoe = self.site.devices["shoe"]
        if shoe.model.lid_open:
            shoe.handle("lid", open=False)
        elif shoe.twin.powered and shoe.model.unlocked and shoe.model.cards:
            shoe.handle("draw", **marks)
        elif not shoe.model.cards:
            self._load()

    def _press(self) -> None:
        unit = self.site.devices["jackpot"]
        if unit.twin.powered and unit.model.down_since is None and unit.model.state == 1:
            unit.handle("press")

    # ---- what went wrong ----------------------------------------------------------------------

    def _put_right(self, state: Json) -> None:
        """One of the remedies; the round is void when none helps for long."""
        remedies = (
            [self._filled(one) for one in state["held"]["remedy_actions"]] if state["held"] else []
        )
        usable = [text for text in remedies if text]
        milder = [text for text in usable if text != "void"] or usable
        self._stubborn += 1
        if self._stubborn > 30 and "void" in usable:
            chosen = "void"
        elif milder:
            chosen = self._random.choice(milder)
        else:
            permitted = [one["text"] for one in state["actions"] if not one["slots"]]
            if permitted and state["awaiting"] == "dealer":
                self._give_command(self._random.choice(permitted))
            return
        said = self.site.alive.supervisor(chosen)
        if said == "":
            self._stubborn = 0
            self.voids += chosen == "void"
            if chosen.startswith("card ") and self.site.ledger.unread:
                self.site.ledger.unread.pop(0)

    def _filled(self, remedy: Json) -> str:
        """A remedy with its gaps filled as somebody would who has looked; "" where it cannot be."""
        if remedy["verb"] == "card":
            unread = self.site.ledger.unread
            return f"card {script_name(unread[0])}" if unread else ""
        return "" if remedy["slots"] else str(remedy["text"])


def script_name(card: Any) -> str:
    """A simulator's card as round scripts write it."""
    return "A23456789TJQK"[card.rank - 1] + " CDHS"[card.suit]


def _between(state: Json) -> bool:
    return str(state["state"]).removeprefix("held.") in ("idle", "closed")


def _state_text(state: Json) -> str:
    keys = ("state", "prompt", "awaiting", "held", "permitted")
    return "; ".join(f"{key} {state.get(key)!r}" for key in keys)
