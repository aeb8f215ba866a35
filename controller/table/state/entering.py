"""Commands of people: those that wait for the gate, can be taken back, or are being keyed; and what
is owed, as pages of the keypad."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.values import Seat
from controller.game.round.model import Settlement
from controller.game.round.refusal import Refused
from controller.game.round.results import (
    DEALERS_PONTOON,
    account,
    because,
    deed,
    in_the_round,
    of_round,
    totals,
)
from controller.game.round.state import Round
from controller.table.events.of_people import Giver
from controller.table.state.parts import Part

ROW_LENGTH: Final = 20
"""Characters of a row of the keypad (protocol section 5)."""


@dataclass(slots=True)
class Pending:
    """A command that waits for the gate: its number, its source, the number of cards seen when it
    came, the round that it is for as it was then (``as_seen``: for no other), and the last event
    before the gate was locked, once known."""

    number: int
    entry: Command
    from_keypad: bool
    cards: int
    rnd: Round | None = None
    as_seen: bool = False
    locked_at: int | None = None


@dataclass(slots=True)
class Leftover:
    """A void round whose last cards may still be on their way. Its ``number`` is never that of a
    command."""

    number: int
    locked_at: int | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """The table before a command, which is ``said``: by part, the values that it may have changed;
    of one that others followed, only those that it did change."""

    said: Command
    parts: Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class MenuChoice:
    """A numbered choice of a keypad's list: its ``label``, the ``command`` that it stands for, with
    slots that are still to be asked (None: the label is a reason), and the ``clause``."""

    number: int
    label: str
    command: Command | None = None
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Menu:
    """A list or question on the keypad: ``choices``, of which the one at place ``at`` is shown, or
    none where a value is to be keyed. They are for the next open slot of ``command`` (None: they
    are commands), or for its reason where none is open. ``seen_in`` is the state of the table that
    it was opened in: in another one it is closed. ``supervisor``: the key switch was turned then.
    """

    seen_in: str
    supervisor: bool
    choices: tuple[MenuChoice, ...] = ()
    command: Command | None = None
    at: int = 0


@dataclass(slots=True)
class Keypad:
    """The keys pressed so far, the box chosen, the text of the second row, the keys that wait for
    an earlier command, the page of what is owed that is shown (0: none), and the list or question
    that is open."""

    keyed: str = ""
    seat: Seat | None = None
    says: str = ""
    waiting: list[tuple[str, bool]] = field(default_factory=list)
    page: int = 0
    menu: Menu | None = None

    def tell_result(self, refused: Refused | None, echo: str = "") -> None:
        """Show the result of a command made here, with what is repeated of it."""
        self.says = f"NO: {refused.short}" if refused else f"OK {echo}"[:ROW_LENGTH].strip()

    @property
    def has_refused(self) -> bool:
        """Whether the last key was refused."""
        return self.says.startswith("NO:")

    def hush(self) -> None:
        """Forget the answer to the last key, and the page that was read: something else is said."""
        self.says, self.page = "", 0

    def something_is_owed(self, *, answered: bool) -> None:
        """What is owed now counts for more than the answer to an earlier key, a refusal too, and
        than the page that was read. ``answered``: the same event has answered the last
        key; then a refusal stays."""
        self.page = 0
        if not answered:
            self.says = ""
        elif not self.has_refused:
            self.says = "OK, OWED: KEY ." if self.says.startswith("OK") else ""

    def leave_menu(self) -> None:
        """Close the list or question that is open, with the keys pressed for it."""
        if self.menu is not None:
            self.menu, self.keyed = None, ""

    def forget(self) -> None:
        """The waiting keys are discarded: what they assumed did not happen."""
        if self.waiting:
            self.waiting.clear()
            self.keyed, self.says = "", "NO: KEYS LOST, AGAIN"


@dataclass(slots=True)
class Entering(Part):
    """``entries`` numbers the commands of this table; ``saved`` are those that can be taken back,
    the last one first; ``notice`` is shown beside the prompt until the next command or card;
    ``void_asked`` is who has asked for a void that a second person has not confirmed yet, of the
    round or of the box ``void_hand``."""

    pending: Pending | None = None
    leftover: Leftover | None = None
    entries: int = 0
    saved: list[Saved] = field(default_factory=list)
    keypad: Keypad = field(default_factory=Keypad)
    notice: str = ""
    void_asked: Giver | None = None
    void_hand: int = 0

    def await_void(self, who: Giver | None, box: int = 0) -> None:
        """Record who has asked for a void that a second person confirms, of the round or of the
        hands of one box; None: it is confirmed, cancelled or not needed any more."""
        self.void_asked, self.void_hand = who, box

    def leave_over(self, round_number: int) -> None:
        """Record that the round is void and that cards may still be on their way for it."""
        self.leftover = Leftover(-round_number)

    def forget_saved(self) -> None:
        """Forget the saved state: nothing can be taken back from now on."""
        self.saved = []

    def lose_shoe(self) -> None:
        """Forget the state of the gate after the shoe's link was lost. Keys that wait for the lock
        are dropped: the dealer will not remember them when the shoe is back."""
        if self.leftover:
            self.leftover.locked_at = None
        if self.pending:
            self.pending.locked_at = None
            self.keypad.forget()

    def next_key(self) -> tuple[str, bool] | None:
        """Take the first of the keys that waited for a command, once none waits; whether it was
        pressed by a supervisor. None: there is none."""
        return self.keypad.waiting.pop(0) if self.keypad.waiting and not self.pending else None

    def notify(self, notice: str) -> None:
        """Show the notice beside the prompt."""
        self.notice = notice

    def card_came(self) -> None:
        """A card was dealt: forget the box chosen on the keypad, its list, and the notice."""
        self.keypad.leave_menu()
        self.keypad.hush()
        self.keypad.seat, self.notice = None, ""


def owed_pages(rnd: Round | None, all_owed: list[Settlement]) -> list[tuple[str, str]]:
    """What is owed in the round as pages of a keypad: the wager, and what is done about it; then
    each box with its totals, and what the round has come to for each of its bettors so far. Totals
    that are too long for a row take a page each."""
    owed = [one.as_result() for one in all_owed]
    known = of_round(rnd) if rnd else ("", None)
    pages = [
        (
            f"{s['box']}{s['bettor']}/{s['hand']} {s['kind']}",
            _with_reason(deed(s), because(s, *known)),
        )
        for s in owed
    ]
    pages += [(f"box {box} now", each) for box, said in totals(owed) for each in _rows(said)]
    if rnd is not None and owed:
        pages += in_the_round(owed, account(rnd, all_owed))
    return [(what, _row(done)) for what, done in pages]


def _rows(said: str) -> list[str]:
    """Totals in one row, or each in a row of its own: none is to be cut off."""
    return [said] if len(_row(said)) <= ROW_LENGTH else said.split(", ")


def _with_reason(done: str, why: str) -> str:
    """What is done, with the dealer's Pontoon for a reason where there is room for it."""
    said = f"{_row(done)}: pontoon".replace(" the wager", " wager")
    return said if why == DEALERS_PONTOON and len(said) <= ROW_LENGTH else done


def _row(said: str) -> str:
    """What is to be done as a keypad's row tells it; odds and wager are left out before a sum is
    cut."""
    plain = said.replace(".00", "").replace(",", "")
    if len(plain) > ROW_LENGTH:
        plain = plain.partition(" at ")[0].removesuffix(" of the wager")
    return plain
