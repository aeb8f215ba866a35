"""The control socket: how ``tablectl`` and floor systems speak to the running controller."""
