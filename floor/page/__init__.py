"""The page for people: the floor from above, a table, a round, a day's report. It reads and writes
nothing, in a process of its own behind the house's login.
"""
