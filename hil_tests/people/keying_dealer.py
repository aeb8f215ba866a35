"""A dealer, and a supervisor with his key, who work at the keypad alone.

Whatever is said is keyed as docs/supervisor.md has it: decisions by their letters, what goes wrong
by the list that ``X`` opens, which is read page by page on the two rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from controller.control.client import RefusedByController
from controller.game.commands.command import Command, read_dealers, read_supervisors
from controller.game.commands.values import Seat, brief_amount
from controller.game.commands.verbs import CORRECTIONS, LYING, VERBS, Fact, Family, those
from controller.game.round.model import BETTORS
from controller.game.rules.cards import Card
from controller.table.entering.choices import label_of
from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.steps import step
from hil_tests.people.dealer import Dealer
from hil_tests.people.record import rules_by_name
from hil_tests.people.shoe_hand import WAIT_S

LETTERS: Final = {
    name: row.key
    for name, row in VERBS.items()
    if name == "void" or (row.key and not row.slots and row.part in (Family.PLAY, Family.TABLE))
}
"""The keys of commands that are no more than their verbs."""
LISTED: Final = {v for v, row in VERBS.items() if row.part is Family.WRONG} | those(Fact.FIRST)

MOST_PAGES: Final = 100


class KeyingDealer(Dealer):
    """The people at a bench's table, at its keypad."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        wagers = rules_by_name()(bench.setup.rules).side_wagers
        self._kinds = {"main": "M", **{kind: rule.keypad for kind, rule in wagers.items()}}
        self._turned = False

    @step
    def enter(self, command: str) -> Json:
        """Any command of the dealer; raises ``Rejected`` when it is refused."""
        self._turn(supervisor=False)
        self._key_command(command)
        self.record.note_command(command)
        return self.status

    @step
    def supervisor(self, command: str, why: str = "told by the floor") -> Json:
        """A supervisor's command, by the key switch; the reason is the list's first."""
        self._turn(supervisor=True)
        self._key_command("done" if command == "resume" else command)
        if self.rows[0].startswith("1 CARD MISREAD"):
            self._press("1#")
        return self.status

    def second_person(self) -> None:
        """Another person, at a console, agrees that the round is void."""
        self.bench.control.supervisor("confirm void", by="S. Tan", why=None)

    # ---- keys -----------------------------------------------------------------------------------

    @property
    def rows(self) -> list[str]:
        """The keypad's two rows."""
        return [str(row) for row in self.status["keypad"]]

    def _turn(self, *, supervisor: bool) -> None:
        if self._turned != supervisor:
            self.bench.devices["keypad"].do("switch", supervisor=supervisor)
            self._turned = supervisor

    def _press(self, keys: str) -> None:
        """Press keys, and wait until the table has taken them.

        Raises:
            RefusedByController: the second row refuses them; the list that was open is left.
        """
        pad = self.bench.devices["keypad"]
        assert pad.do("key", keys=keys)["taken"] == len(keys)
        pad.wait_for(lambda look: look["unacked"] == 0, WAIT_S, "the keys' acknowledgement")
        state = self.status
        if state["keypad"][0] == "WAIT: SHOE":
            state = self.wait_until(lambda look: look["keypad"][0] != "WAIT: SHOE", "the gate")
        if state["keypad"][1].startswith("NO:"):
            said = state["keypad"][1]
            pad.do("key", keys="*")  # clears the refusal
            pad.wait_for(lambda look: look["unacked"] == 0, WAIT_S, "the keys' acknowledgement")
            while _is_list(self.rows):
                self._press("*")
            raise RefusedByController({"kind": "refused", "reason": f"{keys}: {said}"})

    def _key_command(self, text: str) -> None:
        command = (read_supervisors if self._turned else read_dealers)(text)
        if command.verb == "wager" and self._turned:
            self._press("X")
            self._find_row(LYING.label.upper())
            self._press(f"{_keyed(command.seat)}#")
            self._find_row(command.word(LYING.slots[1]).upper())
            self._press(f"{_sum(command)}#")
        elif command.verb in LETTERS:
            self._press(LETTERS[command.verb])
        elif command.verb in LISTED:
            self._choose(command)
        else:
            self._press(self._keys(command))

    def _keys(self, command: Command) -> str:
        """The keys of a wager or decision."""
        seat, key = command.seat, command.row.key
        box = "B" + _keyed(seat)
        bettor = box if seat and seat.bettor else ""
        match command.verb:
            case "wager":
                return f"{box}{self._kinds[command.kind]}{_sum(command)}#"
            case "insure":
                other = f"B{_keyed(command.owner)}" if command.owner else ""
                return f"{box}I{_sum(command)}{other}#"
            case "surrender":
                return box + key
            case "nominate":
                return f"A{_keyed(command.by)}#"
            case "place":
                return f"{bettor}A{command.hand}#"
            case "absent":
                return f"{bettor}A0#"
            case "double" | "buy":
                return f"{bettor}{key[0]}{_sum(command)}#"
            case "keep":  # said of one of several, it shows in that the others withdraw
                return "" if self._others_choose(command) else key
        return bettor + key

    def _others_choose(self, command: Command) -> bool:
        keeps = [one["text"] for one in self.status["actions"] if one["verb"] == command.verb]
        return any(text != str(command) for text in keeps)

    # ---- lists ----------------------------------------------------------------------------------

    def _choose(self, command: Command) -> None:
        """Open the list, find the command, key what it asks for."""
        held = self.status["held"]
        if held and held["fault"] == "card-locked" and str(command) == "report drawn":
            return  # the shoe has said so already
        self._press("X")
        if command.verb in CORRECTIONS:
            self._find_row(command.row.label.upper())
            self._press(f"{command.number}#")
            what = _card(command.card) if command.card else _place(str(command.place))
            self._press(f"{what}#")
            return
        label, values = _label(command)
        if command.verb == "choose" and command.seat and not self._is_listed(label):
            who = str(command.seat).upper()
            label = label.replace(who, who[0])  # who decides is not named
        if command.verb == "report" and not self._is_listed(label):
            self._find_row(command.row.label.upper())
        self._find_row(label)
        for value in values:
            self._press(f"{value}#")

    def _find_row(self, label: str) -> None:
        if not self._is_listed(label):
            self._press("*")
            raise RefusedByController({"kind": "refused", "reason": f"{label} is not in the list"})
        self._press("#")

    def _is_listed(self, label: str) -> bool:
        """Whether the list has that label; if so it is shown."""
        return self._page_to(lambda row: row.partition(" ")[2] == label[: 19 - row.index(" ")])

    def _page_to(self, wanted: Callable[[str], bool]) -> bool:
        first = self.rows[0]
        for _ in range(MOST_PAGES):
            if wanted(self.rows[0]):
                return True
            self._press(".")
            if self.rows[0] == first:
                return False
        raise AssertionError(f"the list has no end: {self.rows}")


def _is_list(rows: list[str]) -> bool:
    return rows[0][:1].isdigit() or rows[0].endswith(":")


def _keyed(seat: Seat | None) -> str:
    """``3b`` as it is keyed: ``3.2``; nothing for nobody."""
    if seat is None:
        return ""
    return f"{seat.box}.{BETTORS.index(seat.bettor) + 1}" if seat.bettor else str(seat.box)


def _sum(command: Command) -> str:
    return "" if command.amount is None else brief_amount(command.amount)


def _card(card: Card) -> str:
    return f"{card.rank}.{card.suit}"


def _place(place: str) -> str:
    return {"dealer": "0", "out": "."}.get(place, place)


def _label(command: Command) -> tuple[str, list[str]]:
    """The label of a command in the list, and the values that it asks for, as they are keyed."""
    if command.verb != "report" or command.cards:
        return label_of(command).upper(), []
    names = [slot.name for slot in command.slots if slot.kind in ("box", "amount")]
    asked = [] if command.seat is None else names
    listed = replace(command, seat=None, amount=None, open=tuple(asked))
    return label_of(listed).upper(), [*filter(None, (_keyed(command.seat), _sum(command)))]
