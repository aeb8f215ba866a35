"""Many rounds of play through the table's own rounds, without a table: what the games return.

``run_options`` checks what is asked for, ``shoe`` deals as the rules shuffle and burn,
``strategies`` decide for the players, ``playing`` plays blocks of rounds, ``tally`` counts them and
what happened, ``figures`` makes returns and frequencies of the counts, and ``exact`` computes what
has a closed form; the random source is an argument. ``jobs`` spreads blocks over
processes.
"""
