"""The Merkle tree over the entries (RFC 6962), its checkpoints, and proofs out of it.

- ``merkle``: the arithmetic; pure.
- ``checkpoint``: signed notes, verifier keys (C2SP) and checkpoints; ``cosignature``: those of
  witnesses.
- ``entries``: the tree of a journal, and its nodes that are kept; ``growing``: how it grows.
- ``proving``: proofs of one round, and that a checkpoint extends another.
"""
