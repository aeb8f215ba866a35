"""Rounds of live tables, played into every state of a document, for the documentation.

There is no chance in the core: what happens next is chosen by a fixed sequence of numbers, so that
the same rounds are played every time. A copy is kept of the first table met in each state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import Final, TypeVar

from controller.files.rules import load_rules
from controller.game.commands.verbs import VERBS, Fact
from controller.game.round.guards import CHECKS
from controller.game.round.machine import MACHINE, waiting_states
from controller.game.round.states import State
from controller.game.rules.cards import TEN, Card
from controller.game.rules.schema import RuleSet
from controller.table.dry_run import Mould
from controller.table.entering.commands import dealer_commands
from controller.table.showing.wanted import wants
from drivers.vocabulary import LOCKED
from pages.table import played_tables as live
from pages.table.played_tables import Played, card

T = TypeVar("T")
Passage = tuple[str, str, str]
"""A state, what caused it to be left, and the state that followed."""

MOST_EVENTS: Final = 300
FEWEST_ROUNDS: Final = 60
MOST_ROUNDS: Final = 600
OF_REMEDIES: Final = frozenset({"play.dealer_card", "offers.again", "regroup"})
"""States and a cause of passages that only a remedy brings."""
# Shoes that make Pontoons and splits common, or hands of many small cards.
_HIGH: Final = (1, 1, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 13, 13)
_LOW: Final = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 9, 12)
_SUITS: Final = (1, 2, 3, 4)


class Sequel:
    """A fixed sequence of choices (the linear congruence of Knuth's MMIX)."""

    def __init__(self, seed: int) -> None:
        self._at = seed

    def among(self, things: Sequence[T]) -> T:
        """The next choice."""
        self._at = (self._at * 6364136223846793005 + 1442695040888963407) % 2**64
        return things[(self._at >> 33) % len(things)]

    def card(self, rules: RuleSet, *, low: bool = False) -> Card:
        """A card of the set."""
        rank = self.among(_LOW if low else _HIGH)
        return Card(11 if rank == TEN and not rules.cards.tens.value else rank, self.among(_SUITS))


@contextmanager
def _watched() -> Iterator[set[Passage]]:
    """The passages from state to state that any round takes meanwhile, on trials too."""
    seen: set[Passage] = set()

    def note(passage: Passage, *_: object) -> None:
        seen.add(passage)

    transitions = [
        (transition, (State[source], trigger, State[transition.dest or source]))
        for trigger, event in MACHINE.events.items()
        for source, several in event.transitions.items()
        for transition in several
    ]
    for transition, passage in transitions:
        transition.add_callback("before", partial(note, passage))  # behind its own actions
    try:
        yield seen
    finally:
        for transition, _ in transitions:
            transition.before.pop()


NO_PLAY: Final = {"report", "correct"} | {
    verb for verb, row in VERBS.items() if Fact.POSSIBLE | Fact.UNTOLD in row.facts
}
"""Verbs that a tour leaves out, so that a new one beside play does not send it elsewhere."""


class Tour:
    """What is met in many rounds of a document: in ``met`` the first table in each state, in
    ``taken`` the states in which a verb was accepted, ``passages`` where nothing goes wrong."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.met: dict[str, Played] = {}
        self.taken: dict[str, set[str]] = defaultdict(set)
        self._sequel, begun = Sequel(1), Played(rules)
        self._begun, self._mould = begun, Mould(begun.table)
        with _watched() as passages:
            self._rounds()
        self.passages = frozenset(one for one in passages if not OF_REMEDIES & {*one})
        self._hold_and_void()

    def _rounds(self) -> None:
        """Until every state has been met, and some more; then with as many bettors as there are."""
        due = {"idle", "betting", "settled", *waiting_states(self.rules)} - OF_REMEDIES
        verbs = {kind.verb for kind in CHECKS} - set(self.rules.not_played) - {"press"}
        bettors = self.rules.betting.bettors_max.value
        if bettors == 1:
            verbs.discard("follow")
        for number in range(MOST_ROUNDS):
            if number >= FEWEST_ROUNDS and due <= set(self.met) and verbs <= set(self.taken):
                break
            self._round(*("1b",)[: bettors - 1])
        for _ in range(FEWEST_ROUNDS if bettors > 2 else 0):
            self._round("1b", "1c", "2b")

    def _hold_and_void(self) -> None:
        """A table of each family of states held by a card and by a power cut, and a void round."""
        families = {state.partition(".")[0]: state for state in self.met if "." in state}
        for state in families.values():
            held, cut = self.met[state].copy(), self.met[state].copy()
            held.apply(card(held.table, 2, 1, LOCKED))
            self.met[f"held.{state}"] = held
            cut.apply(live.start(cut.settings, "boot-2"))
            for name in live.DEVICES:
                cut.apply(live.link_up(cut.table, name))
            self.met[f"held.{state} by a power cut"] = cut
        self.met["void"] = ended = self.met["play.decide"].copy()
        ended.apply(live.order("void"))

    def _round(self, *standing: str) -> None:
        played, low = self._begun.copy(self._mould), self._sequel.among((False, True))
        for _ in range(MOST_EVENTS):
            state = played.table.state
            if state not in self.met and (state != "betting" or played.table.betting.sheet.boxes):
                self.met[state] = played.copy()
            if state == "settled":
                self._give_command(played, "next")
                return
            self._move(played, standing, low=low)

    def _move(self, played: Played, standing: Iterable[str], *, low: bool) -> None:
        """What is awaited comes."""
        table = played.table
        match table.state:
            case "idle":
                self._give_command(played, "open")
            case "betting" if table.betting.sheet.boxes:
                self._give_command(played, "close")
            case "betting":
                self._wagers(played, standing)
            case "jackpot.armed":
                assert table.jackpot.offer
                self._give_command(played, f"nominate {table.jackpot.offer.box} staff")
                played.press_button()
            case "jackpot.drawing" if wants(table).draw:
                played.apply(live.drawn(table))
            case "jackpot.drawing":
                played.show_multiplier()
            case _:
                self._play(played, low=low)

    def _wagers(self, played: Played, standing: Iterable[str]) -> None:
        """Bets on two boxes, and those of standing bettors."""
        for bet in ("1 main 20", "2 main 10", *(f"{seat} main 10" for seat in standing)):
            self._give_command(played, f"wager {bet}")
        for kind in self.rules.side_wagers:
            if self._sequel.among((True, False)):
                self._give_command(played, f"wager {self._sequel.among((1, 2))} {kind} 5")

    def _play(self, played: Played, *, low: bool) -> None:
        table = played.table
        commands = [one for one in dealer_commands(table) if one.verb not in NO_PLAY]
        if table.gate_cards and (not commands or self._sequel.among((True, False))):
            dealt = self._sequel.card(table.rules, low=low)
            if table.shoe.used[dealt] < table.settings.decks:
                played.apply(card(table, dealt.rank, dealt.suit))
            return
        self._give_command(played, live.filled(self._sequel.among(commands)))

    def _give_command(self, played: Played, command: str) -> None:
        """A command of the dealer, which is taken."""
        state = played.table.state
        played.give_command(command)
        self.taken[command.split(maxsplit=1)[0]].add(state)


@cache
def tour_of(document: str) -> Tour:
    """The tour of a rule document, made once: whoever asks for it changes nothing of it."""
    return Tour(load_rules(document))
