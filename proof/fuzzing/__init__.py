"""What strangers may send us, tried out: bytes by the million, and nothing but clean refusals.

- ``targets``: one file for each surface, a function from bytes to how many things were judged; it
  raises only where there is a fault of ours;
- ``choices``: a run of decisions read from bytes, so that mutated bytes are another conversation;
- ``search``: the search for bytes that reach more of the code;
- ``guided``: the same target under libFuzzer, where atheris is installed;
- ``target``: a target, and a fault of it: its smallest bytes and the file that brings it about.

``python -m proof.fuzzing`` runs it; ``corpus/TARGET/`` keeps the bytes of faults that were mended,
each run again by ``tests/proof/fuzzing``.
"""
