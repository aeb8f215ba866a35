"""The sections of a rule file: what each key means and what it may be.

A key is a :class:`Rule`: the value and the clause of the document that gives it, or the default of
the rules matrix (``A-nn``) where the document is silent. A key with one permitted value is there
for its clause, by which something is refused; what has none either is a constant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args, get_origin

from controller.forms.expected import Expected, Form, FormField, Text, fields_reader
from controller.forms.faults import Wrong
from controller.forms.reading import form_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """A value and the clause that gives it: the document's own, and behind ``; `` those that add to
    it, where there are any: a default where the document is silent, or another that it needs."""

    value: T
    clause: str

    @property
    def own_clause(self) -> str:
        """The first clause alone."""
        return self.clause.partition("; ")[0]

    @property
    def added_clause(self) -> str:
        """What stands behind the first clause; "" for nothing."""
        return self.clause.partition("; ")[2]


Clause: TypeAlias = Annotated[str, Text("the clause as text")]


_CLAUSE: Final = form_of(Clause)


@dataclass(eq=False, repr=False)
class _Least(Expected):
    least: int

    def judged(self, value: int, folder: Any) -> int:
        if value < self.least:
            number = "a positive" if self.least else "no negative"
            raise ValueError(f"expected {number} number")
        return value


@dataclass(eq=False, repr=False)
class Permitted(Expected):
    """What a key means, and its permitted values; none: any, but no number below ``least``."""

    permitted: tuple[Any, ...] = ()
    least: int = 0

    def own_form(self, hint: Any) -> Form:
        """That of a :class:`Rule` has value and clause, any other is one of texts."""
        if get_origin(hint) is Rule:
            return _rule(form_of(self._narrowed(get_args(hint)[0])), self.what)
        if get_origin(hint) is Mapping:
            return form_of(hint)
        return form_of(self._narrowed(Annotated[hint, Text(f"text ({self.what})")]))

    def _narrowed(self, hint: Any) -> Any:
        """The type with the permitted values alone."""
        if get_origin(hint) is tuple:
            inner = (one if one is ... else self._narrowed(one) for one in get_args(hint))
            return tuple[tuple(inner)]  # type: ignore[misc]
        if self.permitted:
            return Literal[self.permitted]
        return Annotated[int, _Least("a whole number", self.least)] if hint is int else hint


def _rule(value: Form, what: str) -> Form:
    """That of a :class:`Rule`, whose value's faults are the rule's own."""
    expected = f'{{ value = …, clause = "…" }} ({what})'
    fields = [FormField("value", value, None, True), FormField("clause", _CLAUSE, None, True)]
    read_fields = fields_reader(fields)

    def read_value(given: object, context: Any) -> object:
        if not isinstance(given, Mapping):
            return Wrong.value(given, f"expected {expected}")
        found = read_fields(given, context)
        if isinstance(found, Wrong):
            return Wrong((where.removeprefix(".value"), why) for where, why in found.faults)
        return Rule(**found)

    return Form(read_value, expected, same=False)


def key(what: str, *permitted: object) -> Any:
    """A key of the rule file: what it means, and its permitted values (none: any of its type)."""
    return field(metadata={"expected": Permitted(what, permitted)})


Odds: TypeAlias = Annotated[
    Rule[tuple[int, int]], Permitted("two positive numbers, as in [3, 2]", least=1)
]


@dataclass(frozen=True, slots=True)
class Document:
    """Where the rules come from."""

    id: str = key("Name in configurations and round scripts")
    title: str = key("Title of the document")
    version: str = key("Version and date of entry into force")


@dataclass(frozen=True, slots=True)
class CardsRules:
    """Cards in play."""

    decks_min: Rule[int] = key("Fewest decks")
    decks_max: Rule[int] = key("Most decks")
    tens: Rule[bool] = key("Whether the decks contain tens", True, False)


@dataclass(frozen=True, slots=True)
class ShoeRules:
    """Shoe, shuffle and card sets."""

    burn: Rule[str] = key("Whether the first card of a new shoe is burned", "never", "new_shoe")
    cutting_card_first: Rule[str] = key(
        "The cutting card comes as the first card of a round", "finish_round", "shuffle_at_once"
    )
    cutting_card: Rule[str] = key("The cutting card comes during a round", "shuffle_after_round")
    after_reshuffle: Rule[str] = key(
        "After a round that was finished with shuffled discards", "shuffle_after_round", "goes_on"
    )
    cut: Rule[str] = key("Whether it is said who cuts", "who_had_the_card", "unsaid")
    discards: Rule[str] = key(
        "How the discards are shuffled and cut that a round is finished with",
        "riffled_once_next_hand_cuts",
        "as_after_a_round",
        "unsaid",
    )
    card_sets: Rule[int] = key("Card sets in turn where there is a shuffler", 2)
    faulty_set: Rule[str] = key("A set that comes back incomplete", "blocked")


@dataclass(frozen=True, slots=True)
class BettingRules:
    """Boxes, bettors and side wagers."""

    boxes_max: Rule[int] = key("Most boxes of a table")
    bettors_max: Rule[int] = key("Most bettors with a main wager on one box", 1, 2, 3)
    seated: Rule[str] = key("What the seated player does for his box", "decides")
    control: Rule[str] = key(
        "Who decides for a box without a seated player", "largest_wager", "nearest_dealer"
    )
    side_wagers: Rule[tuple[str, ...]] = key("Side wagers that may be made")
    offers_need: Rule[str] = key("What insurance and surrender need", "main_wager")
    outside_limits: Rule[str] = key(
        "A wager outside the limits, noticed before bets are closed", "refused"
    )
    below_minimum: Rule[str] = key(
        "A main wager below the minimum at a live table", "refused", "once", "plays"
    )
    box_max: Rule[str] = key(
        "The most that the main wagers on one box may sum to, where the house says nothing",
        "none",
        "table_maximum",
    )
    outside: Rule[str] = key(
        "What people without a place on a box may wager on it", "nothing", "side_wagers"
    )
    closed: Rule[str] = key("What the dealer's call does to later wagers", "refused")
    fractions: Rule[str] = key("Sums that are no whole cents", "refused_when_made")


@dataclass(frozen=True, slots=True)
class DealRules:
    """The initial deal and the order of play."""

    order: Rule[str] = key("Order in which boxes are dealt and settled", "clockwise")
    play_order: Rule[str] = key("Order in which boxes play", "clockwise")
    round_begins: Rule[str] = key("When a round begins", "call", "first_card")
    squeeze: Rule[bool] = key("Whether a player may be granted to squeeze his cards", True, False)


@dataclass(frozen=True, slots=True)
class DealerRules:
    """The dealer's hand."""

    soft17: Rule[str] = key("What the dealer does on soft 17", "draw", "stand")
    moot_draw: Rule[str] = key(
        "Whether the dealer draws when nothing depends on it", "either", "forbidden"
    )
    cards_max: Rule[int] = key("Most cards of the dealer's hand (0: any number)", 0, 5)


@dataclass(frozen=True, slots=True)
class CompareRules:
    """Players' hands against the dealer's."""

    equal: Rule[str] = key("Equal hands", "stand_off", "dealer_wins")
    dealer_pontoon_split: Rule[str] = key(
        "What the dealer's Pontoon takes from split hands", "every_wager", "one_original"
    )
    dealer_pontoon_doubled: Rule[str] = key(
        "What the dealer's Pontoon takes from a doubled hand", "original", "not_applicable"
    )
    original_gone: Rule[str] = key(
        "What the dealer's Pontoon takes where a split hand was lost before",
        "not_applicable",
        "identity",
        "obbo",
        "bust_plus_one",
    )
    original_paid: Rule[str] = key(
        "Split hands whose original wager is paid before",
        "not_applicable",
        "leftmost_loses",
        "each_hand_loses",
    )


@dataclass(frozen=True, slots=True)
class SuperBonusRules:
    """Three suited sevens against the dealer's seven."""

    brackets: Rule[tuple[tuple[int, int], ...]] = key(
        "Wager from which a sum is paid, and the sum, in dollars"
    )
    paid: Rule[str] = key("When it is paid", "with_the_hand", "once_seen")
    share: Rule[int] = key("What the others receive, in dollars")
    share_when: Rule[str] = key("What brings the others that sum", "winner", "cards")
    share_to: Rule[str] = key(
        "Who receives that sum",
        "seated_of_other_boxes",
        "deciding_of_other_boxes",
        "every_other_original_wager",
    )

    def sum_for(self, stake_cents: int) -> int:
        """What is paid in cents for a main wager; 0 below the lowest bracket (matrix A-14)."""
        reached = [dollars for least, dollars in self.brackets.value if stake_cents >= least * 100]
        return reached[-1] * 100 if reached else 0


@dataclass(frozen=True, slots=True)
class AbsentRules:
    """A bettor who is not there in his turn."""

    hard_minimum: Rule[int] = key("The house draws to this hard total")
    soft_minimum: Rule[int] = key("The house draws to this soft total")
    others: Rule[str] = key("Another bettor on the box", "takes_over", "takes_over_his_hands")
