"""What the games return, by very many rounds of the kernel and by sums in closed form.

``jobs`` cuts a run into blocks; they are played here, in processes or by a cluster (``cluster``),
once ``compiling`` has told what that takes first, and what is done is kept in a file (``kept``).
``figures`` makes of their sums what ``results`` describes, beside what is known exactly
(``exactly``); ``risk`` tells what a shift may bring, ``worth`` what each value of the rules is
worth.
"""
