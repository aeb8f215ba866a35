"""``tablectl demo``: a whole table on real links, played, killed, resumed and verified.

``plan`` looks on paper for a shuffled shoe in which a Pontoon meets a Pandemonium wager; ``stage``
plays it at a live table; ``show`` tells a person; ``checks`` says whether all was as it must be.
"""
