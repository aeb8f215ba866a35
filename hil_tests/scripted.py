"""A round script played at a live table: the same wagers, cards and decisions, said by a dealer.

The button is pressed by the rig and the multipliers are the table's own draws; a script's ``!``
steps, which change nothing, are left out.
"""

from __future__ import annotations

from hil_tests.bench import Json
from hil_tests.dealer import WAIT_S, Dealer
from hil_tests.players import CARD, NOT_IN_PLAY
from hil_tests.playing import play_on

WINDOWS = {
    "offers.open": ("insure", "surrender"),
    "play.withdraw": ("withdraw", "keep"),
    "play.split_card": ("follow",),
}


class ScriptedTable:
    """A live table whose players do what a script says."""

    def __init__(self, dealer: Dealer, script: Json) -> None:
        self.dealer = dealer
        self._script = script
        self._steps = [step for step in script["steps"] if not step.startswith("!")]
        self._cards = len(script["shoe"].split())

    def play(self) -> Json:
        """Play the whole round; the state at its end."""
        dealer = self.dealer
        dealer.shoe.do("load", decks=8)
        dealer.stack(self._script["shoe"].replace("T", "10"))
        dealer.shoe.wait_for(lambda shoe: shoe["unacked"] == 0, WAIT_S, "the new shoe")
        dealer.open_bets()
        for box, told in dealer.status["boxes"].items():
            for bettor in told["wagers"]:
                dealer.say(f"wager {box}{bettor} main 0")
        for wager in self._script["wagers"]:
            seat = f"{wager['box']}{wager.get('bettor', '')}"
            kinds = {kind: wager[kind] for kind in wager if kind not in ("box", "bettor")}
            dealer.wager(seat, **kinds)
        dealer.no_more_bets()
        return play_on(self, self._decide)

    @property
    def status(self) -> Json:
        """The committed state."""
        return self.dealer.status

    def say(self, command: str) -> Json:
        """An entry."""
        return self.dealer.say(command)

    def card(self) -> str:
        """The next card."""
        self._cards -= 1
        return self.dealer.card()

    def press(self) -> int:
        """The button, handed over first where the script says so."""
        if self._next("nominate"):
            self.say(self._steps.pop(0))
        if self._next("press"):
            self._steps.pop(0)
        return self.dealer.press()

    def _next(self, *verbs: str) -> bool:
        return bool(self._steps) and self._steps[0].split()[0] in verbs

    def _decide(self, status: Json) -> str:
        """The script's next step if it belongs here; else what is on offer is declined."""
        state = status["state"]
        if state in WINDOWS:
            if self._next(*WINDOWS[state]):
                return str(self._steps.pop(0))
            return "done" if "done" in status["permitted"] else CARD
        if state == "play.double_card":
            heads = [t.rsplit(" ", 1)[0] for t in status["permitted"] if t.startswith("double")]
            mine = self._next("double") and any(self._steps[0].startswith(h) for h in heads)
            return str(self._steps.pop(0)) if mine else CARD
        if state == "play.decide":
            step = self._steps.pop(0)
            return CARD if step.startswith("hit ") else str(step)
        can = {text.split()[0] for text in status["permitted"]} - NOT_IN_PLAY
        moot = state.startswith("dealer.") and self._cards > 0
        return CARD if moot or "done" not in can else "done"
