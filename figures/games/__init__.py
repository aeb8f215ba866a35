"""Games handed to the kernel as numbers: ``games`` makes them and plays blocks of rounds,
``compiled`` compiles what :func:`figures.kernel.marks.kernel` has marked, ``with_numba`` mends what
is kept of that and makes the arrays that compiled functions take."""
