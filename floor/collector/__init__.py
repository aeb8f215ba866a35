"""The collector: mirror and witness of the tables' journals, over HTTP. Any number of its processes
do the same work; nothing is kept in them.

- ``keys``: the cosigners; ``known``: the logs that the house knows, read again as they change.
- ``bodies``: a request's body within bounds; ``places``: how many are read at a time.
- ``checkpoints``, ``entries``: what is asked, carried out; ``comparing``: whether what is old is of
  the same history; ``metrics``: what a monitor is told; ``application``: which request goes where.
- ``serving``: HTTP by uvicorn, in bounds of time, until it is stopped.
"""
