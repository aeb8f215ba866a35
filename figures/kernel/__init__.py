"""Rounds of play as numbers: one source that runs as it stands, and compiled, to the same bit.

The table's own rounds (``controller.game.round``) say what is played; here the same is played again
from the same values of a rule file, without clauses, messages or people, some ten thousand times as
fast. ``tests/figures/kernel`` hold every round of it against the table's own.

``values`` makes numbers of a rule set, ``words`` packs a hand into one number, ``chance`` and
``shoe`` deal, ``felt`` is where a round lies, ``choices`` decides, ``hands``, ``dealer`` and
``against`` play and settle, ``rounds`` plays a round, ``blocks`` many of them, ``forced`` those
that begin as they are told. :mod:`figures.games` compiles what is marked by
:func:`~.marks.kernel`, and hands games to it.

The source is written for both ways: numbers are whole ones of 64 bits, constants whose bits alone
count are :class:`~.marks.Bits`, sequences are lists or rows, and nothing depends on which.
"""
