"""The daemon in virtual time: nothing waits, time jumps to whatever happens next.

``world``: the clock, what is due, and an event loop for each life of the daemon; ``disk``: commits
through the real journal that take their time, fail, or end a life.
"""
