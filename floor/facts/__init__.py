"""What the entries of the tables' journals say, as facts that can be asked: rounds, settlements,
draws, shifts, holds, people, links and versions.

They are derived by the table's own code (:mod:`.deriving`, pure), written into tables of their own
(:mod:`.rows`), and can be made anew from the stored entries at any time.
"""
