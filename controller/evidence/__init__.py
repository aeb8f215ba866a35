"""What proves a journal, and is proven by it: heads, the tree over its entries, checks, searches.

- ``heads``, ``recorded``, ``at_start``: heads, what the journal records of its signing, and what a
  start judges by both; ``trust``: which keys count.
- ``verify``, ``verification``, ``scrub``, ``examine``: whether a journal is whole and vouched for.
- ``tree/``: the Merkle tree over the entries, its checkpoints and proofs out of it.
- ``keys/``: where the key that signs is kept.
"""
