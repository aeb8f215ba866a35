"""Faults of cards and of the round: what the shoe reports, what the dealer or supervisor reports.

The particulars (which card, which box, which clause) are in the reason of the hold. Irregularities
have the name of their trigger in the rule file; the document gives the remedies of each.
"""

from __future__ import annotations

from typing import Final

from controller.faults.model import Clears, Fault, Severity, hold, notice
from controller.game.rules.cases import TRIGGERS

_LOOK: Final = (
    "Leave the card where it lies. Read the clause on the screen, then give one of the remedies "
    "listed there; what is the dealer's is in his own list."
)

_UNSHUFFLED: Final = (
    "Read the clause on the screen, then give one of the remedies listed there. From the round's "
    "end the cards are out of play: load a shuffled set, or the supervisor says `play-on`."
)

_OF_CARDS: Final = (
    hold(
        "card-unread",
        "A card left the card shoe and its face could not be read.",
        "Leave the card where it was dealt. The supervisor looks at it and names it: `card 9D`. "
        "If it happens again within a few rounds, clean the shoe's reader between rounds.",
        requirements=("LOG-06", "SHF-06"),
    ),
    hold(
        "card-foreign",
        "A card left the card shoe that does not belong to the set in play.",
        "Keep the card apart for the inspector. Give the remedy that the screen lists. From the "
        "round's end the set is out of play: load another one, or have it checked; the screen then "
        "says how it is let back.",
        requirements=("SHF-03", "SHF-06"),
    ),
    hold(
        "card-excess",
        "A card has come more often than the decks in the card shoe hold it.",
        "Give the remedy that the screen lists. From the round's end the set is out of play: load "
        "another one, or have it counted; the screen then says how it is let back.",
        requirements=("SHF-03", "SHF-06"),
    ),
    hold(
        "card-locked",
        "A card was drawn from the card shoe while its gate was locked.",
        f"{_LOOK} If nobody pulled it, have the shoe's gate looked at.",
        requirements=("SHF-06", "LOG-06"),
        clears=Clears.DEALER,
    ),
    hold(
        "card-face-up",
        "A card lay face up in the card shoe.",
        _LOOK,
        requirements=("LOG-06",),
        clears=Clears.DEALER,
    ),
    hold(
        "cards-together",
        "Two cards left the card shoe together, and their order is not known.",
        _LOOK,
        requirements=("LOG-06",),
        clears=Clears.DEALER,
    ),
    hold(
        "card-unexpected",
        "A card left the card shoe when no card was due.",
        "Give the remedy that the screen lists; between rounds the card is put away.",
        requirements=("SHF-06", "LOG-06"),
    ),
    hold(
        "void-unconfirmed",
        "A supervisor asked for a round to be void in which a multiplier was drawn.",
        "A second person agrees: another supervisor, as another user (`confirm void --by NAME`) or "
        "signed in with another PIN; or the key switch (`V #`), unless it has asked. Or "
        "`cancel void`, and play goes on.",
    ),
    Fault(
        "shoe-count",
        "The card shoe counts another number of cards than have been left in it.",
        "It was compared when the shoe was loaded, or with a card; then the round is finished "
        "first. Take the set out, have it counted and checked, load a full shuffled set, then "
        "`resume`. `resume` alone plays on with as many cards as the shoe says. Where the document "
        "makes a round void for it, report the count in that round.",
        requirements=("SHF-03",),
        severity=Severity.BETWEEN,
        clears=Clears.SUPERVISOR,
    ),
    notice(
        "shoe-in-order",
        "Six cards or more have left the card shoe in the rank order of one suit.",
        "The cards lie as in a new deck: they were hardly shuffled. Look at the next ones. In the "
        "round `report unshuffled`; then load a shuffled set, which ends this. A supervisor who "
        "lets them be played ends it with `play-on`.",
        requirements=("SHF-03",),
    ),
    hold(
        "shoe-reloaded",
        "The card shoe ran out and was loaded again in the middle of a round.",
        "Ask the dealer which cards were loaded. `resume` if the document lets the round go on "
        "with them; otherwise another remedy that the screen lists.",
        requirements=("LOG-06",),
    ),
    Fault(
        "shoe-empty",
        "A card is due and the card shoe is empty.",
        "Give the remedy that the screen lists. Discards that are to be used are shuffled, cut by "
        "the player whom the screen names, and loaded; play goes on by itself.",
        severity=Severity.WAIT,
        clears=Clears.ITSELF,
    ),
)

_NAMED_OTHERWISE: Final = frozenset(
    {"face-up", "foreign", "together", "drawn", "count", "power", "shoe-empty"}
)
"""Triggers whose hold has a different code."""

_REPORTED: Final = tuple(
    hold(
        trigger,
        f"The round has an irregularity: {said}.",
        _UNSHUFFLED if trigger == "unshuffled" else _LOOK,
        clears=Clears.DEALER,
    )
    for trigger, said in TRIGGERS.items()
    if trigger not in _NAMED_OTHERWISE
)

FAULTS: Final = (*_OF_CARDS, *_REPORTED)
