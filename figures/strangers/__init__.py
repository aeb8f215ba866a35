"""Published edges of other tables: their rules as files beside ours, played by the same kernel.

A file names the document of ours that it starts from and what differs, each with where that is said
(:mod:`~.rows`). :mod:`~.comparison` plays and compares, by the strategy that
:mod:`figures.strategy` finds.

What was published names its conditions by short words and leaves some out. For Pontoon three were
filled in by what comes nearest: that NLC is doubling on any number of cards, that OBBO takes one
wager of each hand, and a cutting card at 75 percent. So a Pontoon row that is met does not confirm
these readings; that Spanish 21 is met by full shoes needed none of them.
"""
