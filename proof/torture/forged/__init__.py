"""The attacker who knows everything but the key: he rewrites all that lies there, so that it fits.

- :mod:`~.image`: a journal and all that lies beside it, in memory and as files;
- :mod:`~.material`: such ones made by real play;
- :mod:`~.fitting`: chain, heads and side files recomputed;
- :mod:`~.rewriting`: entries altered by chance;
- :mod:`~.attacks`: attacks by chance;
- :mod:`~.named`: those that have a name; :mod:`~.successors`: with a closed file;
  :mod:`~.earlier`: an earlier state put back;
- :mod:`~.judging`: what start, verification, verifier and scrubber make of an attack;
- :mod:`~.vouching`: a genuine start on a forged end, and what follows.
"""
