"""What fell on a page, tap by tap, and whether the journal has only what was meant by it: what it
says was done, entry by entry, and how the table looked at each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn

from controller.game.commands.command import first_word
from controller.journal.reader import JournalReader
from controller.replay.counted_table import CountedTable
from controller.replay.replay import SNAPSHOT, event_of
from controller.replay.shown_state import ShownState
from controller.table.events.of_people import PersonCommanded
from hil_tests.bench.interface import Json


@dataclass(frozen=True, slots=True)
class Applied:
    """A person's command in the journal, entry ``seq``: given for the table with ``at``, which had
    ``before`` when the entry was made."""

    seq: int
    command: str
    key: str | None
    at: int | None
    before: int


@dataclass(frozen=True, slots=True)
class TableView:
    """How the table looked: its cards, boxes from the first and the dealer's hand behind them, and
    the first words of what was permitted."""

    cards: str
    verbs: frozenset[str]


class AppliedCommands:
    """Reads the journal in ``directory``, also of a table in play, and plays it again."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._counted = CountedTable()
        self._shown = ShownState(self._counted.table)
        self.looks: dict[int, TableView] = {}
        """By ``at``."""

    def new(self) -> Iterator[Applied]:
        """The commands that have come since it was last asked."""
        with JournalReader(self._directory) as reader:
            for entry in reader.iterate(self._shown.seq):
                if entry.type == SNAPSHOT:
                    self._shown.stored()
                    continue
                event = event_of(entry)
                self._shown.before(event.type)
                before = self._shown.at
                self._shown.happened(event, self._counted.apply(event))
                status = self._shown.find_status()
                verbs = frozenset(action["verb"] for action in status["actions"])
                self.looks[self._shown.at] = TableView(cards_of(status), verbs)
                if isinstance(event, PersonCommanded):
                    yield Applied(entry.seq, event.command, event.key, event.at, before)


def cards_of(status: Any) -> str:
    """The cards of a status as the page's felt has them, from left to right."""
    hands = [
        hand["cards"]
        for _, box in sorted(status["boxes"].items(), key=lambda item: int(item[0]))
        for hand in box["hands"]
    ]
    lying = [*hands, status["dealer"]["cards"]]
    return " ".join(cards for cards in lying if cards).replace("??", "?")


LATE_S: Final = 2.0
"""So long after something ended at the latest the page shows that it is not live. The page has a
second for it; the rest is for a busy machine."""
SHOWN: Final = 40
"""So many taps a counterexample shows."""


class Counterexample(AssertionError):
    """A command that nobody meant, with what led to it."""


@dataclass(slots=True)
class Tap:
    """A touch, or two in a row: ``downs`` is what the page showed as each came down, ``sent`` the
    commands that the page sent since; ``gone``: what was not there then, and since when in s."""

    number: int
    on: str
    gone: str
    gone_s: float
    happened: str
    downs: list[Json] = field(default_factory=list)
    sent: list[Json] = field(default_factory=list)

    def __str__(self) -> str:
        showed = [
            f"at {down['at']}{' overlay' if down['overlay'] else ''} on {down['on']!r}"
            for down in self.downs
        ]
        gave = [f"{one['command']!r} at {one['at']}, {_answer(one)}" for one in self.sent]
        gone = f" [{self.gone} for {self.gone_s:.1f} s]" if self.gone else ""
        more = f", meanwhile: {self.happened}" if self.happened else ""
        return f"{self.number}{gone} {self.on}: {'; '.join(showed)}{more} -> {gave}"


def _answer(one: Json) -> str:
    if one["answer"] is None:
        return "no answer"
    error = one["answer"].get("error")
    return f"refused {error['code']}" if error else f"done, at {one['answer']['result'].get('at')}"


class Account:
    """The taps of a walk held against the journal."""

    def __init__(self, applied: AppliedCommands, seed: int) -> None:
        self._applied = applied
        self._seed = seed
        self._taps: list[Tap] = []
        self._meant: dict[str, tuple[Tap, Json]] = {}
        self._done: dict[str, Applied] = {}
        self.counts: Counter[str] = Counter()

    def add_tap(self, tap: Tap) -> None:
        """Take a tap, and what has come into
        the journal since the last one.

        Raises:
            Counterexample: something was done that was not meant.
        """
        self._taps.append(tap)
        self.counts["taps"] += 1
        self.counts["touches"] += len(tap.downs)
        self.counts["on the overlay"] += any(down["overlay"] for down in tap.downs)
        self.counts["commands sent"] += len(tap.sent)
        for down in tap.downs:
            if not down["overlay"] and tap.gone and tap.gone_s > LATE_S and down["at"] is not None:
                self._wrong(f"not shown {tap.gone_s:.1f} s after: {tap.gone}")
        for one in tap.sent:
            self._sent(tap, one)
        self.journal()

    def journal(self) -> None:
        """Hold what has come into the journal against what was meant; raises as :meth:`add_tap`."""
        for entry in self._applied.new():
            if entry.key in self._meant:
                self._was_done(entry)
            elif entry.at is not None:
                self._wrong(f"nobody meant entry {entry.seq}, {entry.command!r} by {entry.key}")

    def _sent(self, tap: Tap, one: Json) -> None:
        if one["key"] in self._meant:  # no answer came: the page asks again by itself
            return
        down = tap.downs[one["down"]] if 0 <= one["down"] < len(tap.downs) else None
        if down is None or down["overlay"] or down["at"] is None:
            self._wrong(f"{one['command']!r} was sent by a tap on a page that is not live")
        earlier = [other for other in tap.sent if other is not one and other["answer"]]
        follows = {other["answer"].get("result", {}).get("at") for other in earlier}
        if one["at"] != down["at"] and one["at"] not in follows:
            self._wrong(f"{one['command']!r} was sent for {one['at']}, shown was {down['at']}")
        self._meant.setdefault(one["key"], (tap, down))

    def _was_done(self, entry: Applied) -> None:
        assert entry.key is not None
        tap, down = self._meant[entry.key]
        self.counts["commands done"] += 1
        if (before := self._done.get(entry.key)) is not None:
            self._wrong(f"done twice: entries {before.seq} and {entry.seq}, {entry.command!r}")
        self._done[entry.key] = entry
        if entry.at != entry.before:
            self._wrong(f"entry {entry.seq} is for {entry.at}, the table was at {entry.before}")
        doubles = [key for key, (other, _) in self._meant.items() if other is tap]
        if sum(key in self._done for key in doubles) > 1 and len(tap.downs) > 1:
            self._wrong(f"two touches at once did two things: {tap}")
        looked = self._applied.looks.get(down["at"])
        if looked is None:
            self._wrong(f"the page showed a table at {down['at']}, which there never was")
        if not down["fixing"] and down["cards"] != looked.cards:
            self._wrong(f"the page showed {down['cards']!r} at {down['at']}, not {looked.cards!r}")
        if more := {first_word(key) for key in down["keys"]} - looked.verbs:
            self._wrong(f"the page had keys for {more} at {down['at']}, which nobody may")

    def _wrong(self, words: str) -> NoReturn:
        last = "\n".join(map(str, self._taps[-SHOWN:]))
        raise Counterexample(f"{words}\nseed {self._seed}, the last taps:\n{last}")
