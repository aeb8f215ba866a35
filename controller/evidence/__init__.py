"""What proves a journal, and is proven by it: seals, the tree over its entries, checks, searches.

- ``tree/``: the Merkle tree over the entries, its checkpoints and proofs out of it.
- ``seals/``: signed heads, which keys count, what a journal records of its signing.
- ``checks/``: whether a journal is whole and vouched for.
- ``keys/``: where the key that signs is kept.
"""
