"""The strategy of a rule document, exact for a full shoe but for splits, which are simulated.

``shoes``, ``hands`` and ``outcomes`` count: cards, the player's hands, the dealer's; ``payoffs``
has the kernel settle each against each; ``model`` brings them together. ``deciding`` goes from the
last card back to the first two. ``groups`` and ``preferring`` make of that tables
that tell fewer hands apart; ``policy`` hands them to the kernel, which plays ``splits`` by them.
``solving`` does it all for a document and decks; ``cards`` prints it.

What is exact: one box from a full shoe, a dealer's first card known by its value and the first two
cards by their class (:mod:`figures.kernel.words`), every later decision by all values of the hand.
No strategy here knows cards of earlier rounds or of other boxes, or insures. A Super Bonus counts
what it is said to bring to 1, and 0 where nothing is said.
"""
