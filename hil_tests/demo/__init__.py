"""``tablectl demo``: a whole table on real links, played, killed, resumed and verified.

``plan`` looks on paper for a shuffled shoe in which a Pontoon meets a Pandemonium wager; ``stage``
plays it at a live table; ``narration`` tells a person.
"""
