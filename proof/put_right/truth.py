"""What really happened in a round: true cards and where people put them, decisions as they were
made at each hand, and what was drawn. The table may have been told otherwise.

A hand is named by how it came to be: ``()`` is the box's first, ``(0,)`` the one that its first
split has formed, ``(0, 1)`` the one that the second split of that one has formed. So a hand has the
same name in two rounds that form it at other moments.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from controller.game.round.steps import Absent, AtBox, Decision, Double, Keep, Split, Step, Withdraw
from controller.game.round.wagers import Sheet
from controller.game.rules.cards import Card

Name = tuple[int, ...]
Place = tuple[int, Name]
"""A box and the name of a hand there."""

DEALER: Final[Place] = (0, ())
OUT: Final[Place] = (-1, ())
WAITS: Final[Place] = (-2, ())
OFFERS: Final[Place] = (-3, ())
"""Where an insurance, or a surrender before play, was said."""


@dataclass(slots=True)
class Dealt:
    """A card of the round: what it is, where it lies and when it came there."""

    card: Card
    place: Place
    when: int


@dataclass(frozen=True, slots=True)
class SaidDecision:
    """A decision. ``forced``: nobody was asked, the hand had to take a card; ``by_house``: no more
    is asked of the hand, whatever its total. ``by`` is the bettor who decided for the box."""

    step: Step
    place: Place
    when: int
    forced: bool = False
    by_house: bool = False
    by: str = ""


Item = Dealt | SaidDecision
"""What happened at a place."""


@dataclass(slots=True)
class Truth:
    """What really happened; ``sheet`` has the wagers as the chips lay."""

    sheet: Sheet
    cards: list[Dealt] = field(default_factory=list)
    said: list[SaidDecision] = field(default_factory=list)
    draws: dict[int, int] = field(default_factory=dict)
    clock: int = 0

    def tick(self) -> int:
        """The next moment."""
        self.clock += 1
        return self.clock

    def deal(self, card: Card, place: Place) -> int:
        """A card that has left the shoe; its number in the round."""
        self.cards.append(Dealt(card, place, self.tick()))
        return len(self.cards)

    def note_decision(
        self,
        step: Step,
        place: Place,
        *,
        forced: bool = False,
        by_house: bool = False,
        by: str = "",
    ) -> SaidDecision:
        """A decision made at the place."""
        said = SaidDecision(step, place, self.tick(), forced, by_house, by)
        self.said.append(said)
        return said

    def names(self, box: int) -> list[Name]:
        """The names of the box's hands, in the order in which they were formed."""
        return names_of([one.place for one in self.said if isinstance(one.step, Split)], box)

    def splits_of(self, place: Place) -> int:
        """How often the hand was split."""
        return sum(isinstance(one.step, Split) and one.place == place for one in self.said)

    def items_at(self, place: Place) -> list[Item]:
        """What happened there, in order."""
        items: list[Item] = [one for one in self.cards if one.place == place]
        items += [one for one in self.said if one.place == place]
        return sorted(items, key=lambda item: item.when)

    def last_of(self, box: int) -> SaidDecision | None:
        """The last decision of the box; of a double that others followed the first."""
        found: SaidDecision | None = None
        for one in self.said:
            if not _decides(one, box):
                continue
            doubles = found and isinstance(found.step, Double) and isinstance(one.step, Double)
            if found and doubles and not self._dealt_between(found.when, one.when):
                continue
            found = one
        return found

    def _dealt_between(self, first: int, then: int) -> bool:
        return any(first < dealt.when < then for dealt in self.cards)

    def left_late(self) -> bool:
        """Whether somebody left at a hand asked again once a hand behind it had decided."""
        left = [one for one in self.said if isinstance(one.step, Absent)]
        return any(
            other.place[0] == one.place[0]
            and other.when < one.when
            and in_order(other.place) > in_order(one.place)
            for one in left
            for other in self.said
        )

    def take_back(self, said: SaidDecision) -> None:
        """Everything decided from that decision on was never said; cards dealt since wait."""
        self.said = [one for one in self.said if one.when < said.when]
        for dealt in self.cards:
            if dealt.when > said.when and dealt.place != OUT:
                dealt.place = WAITS


def in_order(place: Place) -> list[int]:
    """By which the hands of a box are in order: one that a split has formed comes right behind."""
    return [-number for number in place[1]]


def names_of(splits: list[Place], box: int) -> list[Name]:
    """The names of the box's hands where hands were split at those places, one after the other."""
    names: list[Name] = [()]
    count: Counter[Name] = Counter()
    for number, name in splits:
        if number == box:
            names.append((*name, count[name]))
            count[name] += 1
    return names


def _decides(one: SaidDecision, box: int) -> bool:
    """Whether it is a decision of the box that people may take back."""
    step = one.step
    if one.forced or one.by_house or not isinstance(step, AtBox) or step.seat.box != box:
        return False
    return isinstance(step, Decision | Keep | Withdraw)
