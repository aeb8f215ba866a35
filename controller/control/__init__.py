"""The control socket: how ``tablectl`` and floor systems speak to the running controller.

``protocol`` says what a line means, ``address`` owns the socket's file, ``peers`` tells who is at
the other end, ``conversation`` serves one client within bounds, ``server`` all of them,
``attempts`` has what was refused kept, ``client`` is the other end for programs that may wait.
"""
