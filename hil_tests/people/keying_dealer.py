"""A dealer, and a supervisor with his key, who work at the keypad alone.

Whatever is said is keyed as docs/supervisor.md has it: decisions by their letters, what goes wrong
by the list that ``X`` opens, which is read page by page on the two rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from controller.control.client import RefusedByController
from controller.game.rules.cards import parse_card
from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.steps import step
from hil_tests.people.dealer import Dealer
from hil_tests.people.record import rules_by_name
from hil_tests.people.shoe_hand import WAIT_S

LETTERS: Final = {"open": "O", "close": "N", "done": "E", "next": "E", "burn": "E", "void": "V#"}
LISTED: Final = frozenset(
    {
        *("report", "void-hand", "reconstruct", "use", "discard", "choose", "reshuffle", "hit"),
        *("cap", "pro-rata", "continue", "correct", "lies", "free"),
    }
)
CORRECTIONS: Final = {"correct": "CORRECT A CARD", "lies": "WHERE A CARD LIES"}
DRAWN: Final = {
    (False, False, False): "DRAWN IN ERROR",
    (False, False, True): "DRAWN, SEEN",
    (True, False, False): "DRAWN AT BOX",
    (True, False, True): "DRAWN BOX, SEEN",
    (False, True, False): "DRAWN AT DEALER",
}
"""The labels of reports of a card drawn in error: at a box, at the dealer's hand, seen."""

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

    def _key_command(self, command: str) -> None:
        verb, *words = command.split()
        if verb == "wager" and self._turned:
            self._press("X")
            self._find_row("A WAGER'S SUM")
            self._press(f"{_keyed(words[0])}#")
            self._find_row(words[1].upper())
            self._press(f"{words[2]}#")
        elif verb in LETTERS:
            self._press(LETTERS[verb])
        elif verb in LISTED:
            self._choose(verb, words)
        else:
            self._press(self._keys(verb, words))

    def _keys(self, verb: str, words: list[str]) -> str:
        """The keys of a wager or decision."""
        (seat, _, other), amount = words[0].partition("@"), (words[1:] or [""])[-1]
        box = "B" + _keyed(seat)
        bettor = box if len(seat) > 1 else ""
        match verb:
            case "wager":
                return f"{box}{self._kinds[words[1]]}{'' if len(words) < 3 else amount}#"
            case "insure":
                return f"{box}I{amount}{'B' + _keyed(other) if other else ''}#"
            case "surrender":
                return f"{box}U#"
            case "nominate":
                return "A#" if amount == "staff" else f"A{_keyed(amount)}#"
            case "place":
                return f"{bettor}A{amount}#"
            case "absent":
                return f"{bettor}A0#"
            case "double" | "buy":
                return f"{bettor}{'D' if verb == 'double' else 'Y'}{amount}#"
            case "keep":  # said of one of several, it shows in that the others withdraw
                return "" if self._others_choose(seat) else "E"
        letters = {"stand": "S", "split": "L", "follow": "L", "withdraw": "W"}
        return bettor + letters[verb]

    def _others_choose(self, seat: str) -> bool:
        permitted = [words.split() for words in self.status["permitted"]]
        return any(verb == "keep" and who != [seat] for verb, *who in permitted)

    # ---- lists ----------------------------------------------------------------------------------

    def _choose(self, verb: str, words: list[str]) -> None:
        """Open the list, find the command, key what it asks for."""
        held = self.status["held"]
        if held and held["fault"] == "card-locked" and words == ["drawn"]:
            return  # the shoe has said so already
        self._press("X")
        if verb in CORRECTIONS:
            self._find_row(CORRECTIONS[verb])
            number, what = words
            self._press(f"{number}#")
            self._press(f"{_card(what) if verb == 'correct' else _place(what)}#")
            return
        label, values = _label(verb, words)
        if verb == "choose" and not self._is_listed(label):
            label = label.replace(words[0].upper(), words[0][0])  # who decides is not named
        if verb == "report" and not self._is_listed(label):
            self._find_row("REPORT")
        self._find_row(label)
        for value in values:
            self._press(f"{_keyed(value) if value[-1].isalpha() else value}#")

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


def _keyed(seat: str) -> str:
    """``3b`` as it is keyed: ``3.2``."""
    return seat[0] + (f".{'abcdefgh'.index(seat[1]) + 1}" if len(seat) > 1 else "")


def _card(name: str) -> str:
    card = parse_card(name)
    return f"{card.rank}.{card.suit}"


def _place(place: str) -> str:
    return {"dealer": "0", "out": "."}.get(place, place)


def _label(verb: str, words: list[str]) -> tuple[str, list[str]]:
    """The label of a command in the list, and the values that it asks for."""
    if verb != "report":
        return " ".join([verb.replace("-", " "), *words]).upper(), []
    trigger, *rest = words
    if trigger == "drawn":
        box = next((word for word in rest if word.isdecimal()), "")
        return DRAWN[bool(box), "dealer" in rest, "seen" in rest], [box] if box else []
    if trigger == "together":
        return f"TOGETHER {' '.join(rest)}", []
    return trigger.replace("-", " ").upper(), rest
