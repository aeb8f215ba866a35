"""The Merkle tree over the entries (RFC 6962), its checkpoints, and proofs out of it.

- ``merkle``: the arithmetic; pure.
- ``signed_note``: signed notes and verifier keys (C2SP); ``checkpoint``: checkpoints as such;
  ``cosignature``: those of witnesses.
- ``nodes``: the nodes that are kept, in a file.
- ``growing``: the tree of a journal, and how it grows behind it.
- ``proving``: proofs of one round, and that a checkpoint extends another.
"""
