"""The law of a round put right: it ends as the round in which nothing was ever wrong.

Rounds by chance in which mistakes are made and put right, each beside its partner: the round with
the same cards at the same places in the end, the same decisions for each hand and the same
multiplier for each draw, played from what people did and never from what the engine made of it.
"""
