"""A journal altered: by the attacker who knows everything but the key and rewrites all that lies
there, so that it fits; and byte by byte, as a disk or a hand alters files.

- :mod:`~.image`: a journal and all that lies beside it, in memory and as files;
- :mod:`~.material`: such ones made by real play;
- :mod:`~.judging`: the table of kinds, who must find each, and what start, verification, verifier
  and scrubber make of it;
- :mod:`~.rewriting`: entries altered by chance; :mod:`~.fitting`: chain, heads, side files anew;
- :mod:`~.attacks`: attacks by chance; :mod:`~.named`: those that have a name;
  :mod:`~.earlier`: an earlier state put back;
- :mod:`~.vouching`: a genuine start on a forged end, and what follows;
- :mod:`~.file_bytes`: bytes, pages, frames and files altered.
"""
