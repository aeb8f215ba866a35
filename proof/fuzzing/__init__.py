"""What strangers may send us, tried out: bytes by the million, and nothing but clean refusals.

A target is a function from bytes to how many things were judged; it raises only where there is a
fault of ours. ``corpus/TARGET/`` keeps the bytes of faults that were mended, each run again by
``tests/proof/fuzzing``.
"""
