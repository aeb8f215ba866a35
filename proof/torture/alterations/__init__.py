"""A journal altered: by the attacker who knows everything but the key and rewrites all that lies
there, so that it fits; and byte by byte, as a disk or a hand alters files. A journal and all that
lies beside it is an image (:mod:`~.image`), made by real play (:mod:`~.material`); who must find
what is in :mod:`~.judging`.
"""
