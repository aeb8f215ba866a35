"""Write the game's terms in the console's languages.

The texts of ``console/words`` are held to these terms by tests/console/words/test_glossary.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the game: ``zh`` and ``ms`` are its words, the usual one first, others where it is
    inflected or means somebody else. ``forms`` are further English forms beside the plural; texts
    with the keys ``elsewhere`` have it in another meaning, or the other language has it in a
    value."""

    english: str
    meaning: str
    zh: Sequence[str]
    ms: Sequence[str]
    forms: Sequence[str] = ()
    elsewhere: Set[str] = frozenset()

    def missing(
        self, english: Mapping[str, str], other: Mapping[str, str], words: Sequence[str]
    ) -> list[str]:
        """Keys of the texts that have the term in English, and none of ``words`` in ``other``."""
        held = [
            key for key in self.texts_with_it(english) if key not in self.elsewhere and key in other
        ]
        return [key for key in held if not any(word in _own(other[key]) for word in words)]

    def texts_with_it(self, english: Mapping[str, str]) -> list[str]:
        """Keys of the texts that have the term in English."""
        spelt = "|".join(map(re.escape, (self.english.lower(), *self.forms)))
        spells = re.compile(rf"\b(?:{spelt})(?:s|es)?\b")
        return [key for key, text in english.items() if spells.search(_own(text))]


def _own(text: str) -> str:
    """The text in small letters, without the names of its values."""
    return re.sub(r"\{[\w-]+\}", "{}", text.lower())


TERMS: Final = (
    Term(
        "dealer",
        "the house's hand (庄家), and who deals it (荷官)",
        ("庄家", "荷官"),
        ("pengedar",),
    ),
    Term("player", "who sits at a box and decides", ("玩家",), ("pemain",)),
    Term("bettor", "who has a wager on a box", ("投注者",), ("petaruh",)),
    Term("box", "a numbered place for wagers and hands", ("格",), ("petak",)),
    Term("hand", "the cards that are played together", ("手", "牌"), ("tangan",)),
    Term("round", "from the first wager to the last payment", ("局",), ("pusingan",)),
    Term("card", "one of a pack", ("牌",), ("kad",), elsewhere={"asks.card-to-box"}),
    Term("wager", "money on an event of the round", ("注",), ("taruh",), ("bet",)),
    Term("main wager", "the wager that plays a hand", ("主注",), ("taruhan utama",)),
    Term("side wager", "a wager beside the main wager", ("边注",), ("taruhan sampingan",)),
    Term("chip", "what is wagered with", ("筹码",), ("cip",)),
    Term(
        "stand",
        "take no more cards",
        ("停牌",),
        ("berhenti",),
        elsewhere={"error.after-the-seated", "outcome.stand_off"},
    ),
    Term("double", "add to the wager for one more card", ("加倍",), ("ganda",), ("doubled",)),
    Term("split", "make two hands of a pair", ("分牌", "刚分"), ("belah",)),
    Term(
        "insurance",
        "a wager on the dealer's Pontoon",
        ("保险",),
        ("insurans",),
        ("insured", "insure"),
    ),
    Term(
        "surrender", "give up a hand for half of its wager", ("投降",), ("serah",), ("surrendered",)
    ),
    Term("buy", "pay for one more card, face down", ("买",), ("beli",), ("bought", "buying")),
    Term(
        "squeeze",
        "look at one's own cards slowly, face down",
        ("眯",),
        ("intai",),
        ("squeezing", "squeezed"),
    ),
    Term("stand-off", "nobody wins", ("和局",), ("seri",)),
    Term("bust", "above 21", ("爆牌",), ("lebih 21",)),
    Term("pontoon", "21 with two cards; the game, too", ("pontoon",), ("pontoon",)),
    Term("Pandemonium", "the wager paid at a drawn multiplier", ("pandemonium",), ("pandemonium",)),
    Term("Five Card Trick", "five cards up to 21", ("五龙",), ("lima kad",)),
    Term("Super Bonus", "what three suited sevens bring", ("超级奖金",), ("super bonus",)),
    Term("multiplier", "the number that the meter shows", ("倍",), ("pengganda",)),
    Term("meter", "the display of the multiplier", ("显示屏",), ("meter",)),
    Term("jackpot", "button, meter and their unit", ("积宝",), ("jackpot",)),
    Term("button", "that the player presses for a multiplier", ("按钮",), ("butang",)),
    Term("shoe", "from which cards are drawn", ("牌靴",), ("kasut",)),
    Term("shuffler", "the machine that shuffles", ("洗牌机",), ("mesin pengocok",)),
    Term(
        "shuffle",
        "bring cards into an order that nobody knows",
        ("洗",),
        ("kocok", "mengocok"),
        ("shuffled",),
    ),
    Term("set", "the packs that are shuffled together", ("牌组",), ("set",)),
    Term("discards", "cards that have been played", ("弃牌",), ("kad buangan",)),
    Term(
        "cutting card",
        "after which the round is the last of its shoe",
        ("切牌卡",),
        ("kad pemotong",),
    ),
    Term("burn", "put a card away that nobody sees", ("烧",), ("bakar",), ("burned",)),
    Term("face up", "everybody sees what it is", ("牌面朝上",), ("terbuka",)),
    Term("face down", "nobody sees what it is", ("面朝下",), ("tertutup",)),
    Term("limit", "what a wager may be at this table", ("限额",), ("had",)),
    Term("maximum", "the most that wagers may be", ("上限",), ("had maksimum",)),
    Term("minimum", "the least that a wager may be", ("下限",), ("minimum",)),
    Term(
        "void",
        "a round or hand that counts for nothing",
        ("作废",),
        ("tidak sah", "batal"),
        ("voided",),
    ),
    Term("undo", "take back what was given last", ("撤销",), ("buat asal",)),
    Term("correction", "a card is another one, or lay elsewhere", ("更正",), ("pembetulan",)),
    Term("supervisor", "who puts right what went wrong", ("主管",), ("penyelia",)),
    Term("staff", "who works for the house", ("工作人员",), ("kakitangan",)),
    Term("technician", "who looks after the devices", ("技术员",), ("juruteknik",)),
    Term("journal", "the table's signed record", ("日志",), ("jurnal",)),
    Term("witness", "a machine elsewhere that cosigns the journal", ("见证方",), ("saksi",)),
    Term("device", "shoe, jackpot unit, keypad or shuffler", ("设备",), ("peranti",)),
    Term("controller", "the program that conducts the table", ("控制器",), ("pengawal",)),
)

_HEAD: Final = """\
# The game's terms in the screens' languages

Generated by `make docs`; do not edit.

The words of the [table's screens](console.md#words-and-languages) in Chinese and Malay. A test
fails where a text has a term in English and none of its words in the other language. Where a term
has several words, the first is the usual one. Suits, ranks and amounts are written alike in all
three languages; clauses, names and the reasons that people type stay as they are.

| English | Chinese | Malay | what it is |
| --- | --- | --- | --- |
"""


def make_page() -> str:
    """The whole page."""
    return "".join([_HEAD, *_rows()])


def _rows() -> Iterator[str]:
    for term in sorted(TERMS, key=lambda term: term.english.lower()):
        cells = (term.english, " / ".join(term.zh), " / ".join(term.ms), term.meaning)
        yield f"| {' | '.join(cells)} |\n"
