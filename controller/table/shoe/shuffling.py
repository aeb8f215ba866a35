"""When a shuffle is due, what a cutting card does, and the burning of the first card of a new shoe.

- The cutting card during a round (``shoe.cutting_card``): the round is finished, then a shuffle is
  due: no bets are opened or closed until a new shoe is loaded, or the supervisor permits play to
  continue (``play-on``, with name and reason).
- Before a round's first card it belongs to that round (``shoe.cutting_card_first``):
  ``finish_round`` plays the round; ``shuffle_at_once`` takes the call back where bets were closed:
  the same wagers stand, and the shuffle comes first.
- Cards that are out of play (:mod:`~.card_sets`) are shuffled or exchanged first, too.
- ``shuffle SET`` is for the set that is not in play.
- Between rounds the prompt asks for the burn (``shoe.burn``). The dealer's ``burn`` opens the gate
  for exactly one card; that card is noted, counted among those that have left, and never dealt; it
  is shown on request. The documents know a burn that was left out (MBS 5.21) or leave it to the
  house (Division 15, 8.1): bets can be closed without it, which is noted, and what follows is
  handled as an irregularity.
"""

from __future__ import annotations

from controller.game.round.refusal import Refused
from controller.game.rules.cards import card_of
from controller.table import holds, sequence
from controller.table.events.of_devices import (
    CardsDiffer,
    CuttingCardCame,
    ShuffleDone,
    ShufflerReported,
)
from controller.table.shoe import card_sets, cutting
from controller.table.state.cards import LooseCard
from controller.table.state.parts import Phase
from controller.table.state.table import Table
from drivers.vocabulary import SHUFFLE_RESULTS, SHUFFLER_STATES, SHUFFLER_STOPPED


def burn_due(table: Table) -> bool:
    """Whether the first card of the shoe is still in it and to be burned."""
    return table.shoe.book.fresh and table.rules.shoe.burn.value != "never"


def may_burn(table: Table) -> bool:
    """Whether ``burn`` may be entered now."""
    return burn_due(table) and sequence.may(table, "burn")


def ask_for_burn(table: Table) -> None:
    """``burn``: the next card is burned."""
    rule = table.rules.shoe.burn
    if rule.value == "never":
        raise Refused("these rules burn no card", rule.clause, short="NOT PLAYED HERE")
    if table.shoe.burning:
        raise Refused("the card to be burned is awaited", rule.clause, short="DRAW THE CARD")
    sequence.check(table, "burn")
    if not burn_due(table):
        raise sequence.refusal(table, "burn")
    table.shoe.burning = True


def burn(table: Table, loose: LooseCard) -> None:
    """Discard the card, face down."""
    table.shoe.burning = False
    table.shoe.burn(str(loose))
    if loose.card is not None:
        table.shoe.use(loose.card)
    table.note(f"burned: {loose}")


def close_refused(table: Table) -> Refused | None:
    """The reason against closing bets while the gate is open for the card to be burned."""
    if not table.shoe.burning:
        return None
    return Refused(
        "the card to be burned has not come: draw it, or take that back",
        table.rules.shoe.burn.clause,
        short="BURN FIRST",
    )


def note_unburned(table: Table) -> None:
    """Note a burn that was left out, when bets are closed."""
    if burn_due(table):
        clause = table.rules.shoe.burn.clause
        table.note(f"the first card of the shoe was not burned ({clause})")


def cutting_card(table: Table, _: CuttingCardCame) -> None:
    """The cutting card has come; of two the first counts for the cut."""
    begun = table.mid_round and bool(table.dealing.drawn)
    if begun and table.rnd is not None and not table.shoe.cutting_card:
        table.shoe.cuts = cutting.due_where(table.rnd)
    table.shoe.cutting_card = True
    table.note("the cutting card has come")
    at_once = table.rules.shoe.cutting_card_first.value == "shuffle_at_once"
    why = "the cutting card has come"
    match table.phase:
        case Phase.PLAYING if at_once and not table.dealing.drawn:
            take_call_back(table)
            number, clause = table.round_number, table.rules.shoe.cutting_card_first.clause
            table.note(f"round {number} does not begin: shuffle first; the wagers stand ({clause})")
            table.shoe.shuffle_due(table.round_number - 1, why)
        case Phase.BETTING if at_once:
            table.shoe.shuffle_due(table.round_number - 1, why)
        case Phase.IDLE if not at_once:
            table.shoe.shuffle_due(table.round_number + 1, why)
        case _:
            table.shoe.shuffle_due(table.round_number, why)


def take_call_back(table: Table) -> None:
    """Open the bets again, as they were when they were closed."""
    sequence.pull(table, "call_back")
    table.dealing.call_back()
    table.jackpot.withdraw()
    table.entering.forget_saved()


def is_due(table: Table) -> bool:
    """Whether a shuffle is due before anything else is played."""
    return (bool(table.shoe.book.doubt) and not table.mid_round) or _after_round(table)


def _after_round(table: Table) -> bool:
    """Whether the cutting card, or what else is not the cards' fault, calls for it."""
    after = table.shoe.book.due_after
    if after is None or table.mid_round:
        return False
    return table.round_number - (table.phase is Phase.BETTING) >= after


def why_due(table: Table) -> list[str]:
    """Why a shuffle is due, in words: the cards themselves first."""
    doubt, known = table.shoe.book.doubt, table.shoe.book
    due = [f"these cards are out of play: {doubt.why}"] if doubt else []
    return [*due, known.why] if _after_round(table) else due


def set_to_clear(table: Table) -> int | None:
    """The set in the shoe where its cards are out of play and it is blocked, too."""
    shoe = table.shoe
    return shoe.sets.in_shoe if shoe.book.doubt and shoe.sets.in_shoe in shoe.sets.blocked else None


def refused(table: Table) -> Refused | None:
    """The reason against opening or closing bets before a shuffle; None where there is none."""
    if not is_due(table):
        return None
    shoe, known = table.rules.shoe, table.shoe.book
    rule = shoe.cutting_card_first if table.phase is Phase.BETTING else shoe.cutting_card
    clause, may = rule.clause if table.shoe.cutting_card else "", "play-on"
    due = why_due(table)
    if known.doubt:
        clause = shoe.faulty_set.clause
        number = set_to_clear(table)
        may += f", or clear-set {number}" if number else ""
    return Refused(
        f"{'; '.join(due)}: load a shuffled shoe first; the supervisor may let it go on ({may})",
        clause,
        short="SHUFFLE FIRST",
    )


def cards_refused(table: Table) -> Refused | None:
    """The same on the present cards: a shuffle is due, or the set in the shoe is blocked."""
    return refused(table) or card_sets.refused(table)


def may_play_on(table: Table) -> bool:
    """Whether anything speaks against the cards of the present shoe."""
    in_order = card_sets.IN_ORDER in table.holds.conditions
    return is_due(table) or in_order or table.shoe.sets.in_shoe in table.shoe.sets.blocked


def play_on(table: Table) -> None:
    """``play-on``: the supervisor permits play with the present shoe, whatever speaks against its
    cards; Refused where nothing does."""
    if not may_play_on(table):
        raise Refused("no shuffle is due", short="NO SHUFFLE DUE")
    table.shoe.book.due_after = None
    card_sets.lift(table)
    table.shoe.sets.blocked.pop(table.shoe.sets.in_shoe or 0, None)
    holds.end_condition(table, card_sets.IN_ORDER)


def start(table: Table, card_set: int) -> None:
    """``shuffle SET``. A shuffle that has begun cannot be taken back."""
    if not table.is_up("shuffler"):
        known = table.devices.get("shuffler")
        reason = known.trouble() if known else "this table has no shuffler"
        raise Refused(reason, short="NO SHUFFLER")
    if card_set not in sets_to_shuffle(table):
        raise Refused(
            f"set {card_set} is in play: only the other one may be shuffled",
            table.rules.shoe.card_sets.clause,
            short="SET IS IN PLAY",
        )
    table.shoe.shuffle = card_set


def end_shuffle(table: Table, card_set: int) -> None:
    """The shuffler has finished a set, which no longer needs to be shuffled."""
    if table.shoe.shuffle == card_set:
        table.shoe.shuffle = None


def sets_to_shuffle(table: Table) -> list[int]:
    """The sets that may be shuffled now."""
    if not table.is_up("shuffler"):
        return []
    return [number for number in card_sets.SETS if number != table.shoe.sets.in_shoe]


# ---- what the shuffler reports ----------------------------------------------------------------


def shuffler_state(table: Table, event: ShufflerReported) -> None:
    """The shuffler reports its state."""
    device = table.named(event.device)
    if device is None:
        return
    state, card_set = event.state, event.set
    device.take_state(state)
    word = SHUFFLER_STATES[state] if state < len(SHUFFLER_STATES) else "unknown state"
    card_sets.record_set_state(table, card_set, word)
    if word != "loaded":
        end_shuffle(table, card_set)
    if word in SHUFFLER_STOPPED:
        holds.has_come(table, "shuffler-stopped", f"{word} (set {card_set})")
    else:
        holds.end_condition(table, "shuffler-stopped")


def shuffle_done(table: Table, event: ShuffleDone) -> None:
    """A set came out of the shuffler; if it is incomplete, that is reported."""
    card_set, result = event.set, event.result
    end_shuffle(table, card_set)
    word = SHUFFLE_RESULTS[result] if result < len(SHUFFLE_RESULTS) else "it is not complete"
    card_sets.record_shuffle_end(table, card_set, result, word)
    if result:
        said = f"shuffler: set {card_set} is not to be played: {word}"
        table.entering.notify(said)
        table.note(said)


def discrepancy(table: Table, event: CardsDiffer) -> None:
    """The shuffler has counted too many or too few of a card."""
    difference = event.difference
    named = card_of(event.rank, event.suit) or "a foreign card"
    word = "too many" if difference > 0 else "missing"
    said = f"{abs(difference)} {named} {word}"
    table.shoe.sets.amiss.append(said)
    table.note(f"shuffler: {said}")
