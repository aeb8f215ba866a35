"""Table Link v1, the protocol between the controller and its devices.

Sans-I/O: nothing here knows a clock, a port or a source of random numbers. Bytes and ``now``
(monotonic seconds) go in, bytes and frozen events come out. One file for each idea:

- ``layout``, ``messages``: what the messages are, as data, and their encoding (sections 1, 5).
- ``framing``: frames on a serial line (section 2).
- ``timing``: the protocol's periods (sections 3 and 4).
- ``controller_session`` with ``outstanding``, ``greeting`` and ``event_stream``: the controller's
  half.
- ``device_session`` with ``answers`` and ``event_queue``: the device's half, for simulated devices.
- ``link_events``: what each half reports.
"""
