"""The conformance run: does a device speak Table Link, byte by byte (docs/integrators.md).

``pytest hil_tests -m conformance --device PORT`` examines one device,
``pytest hil_tests -m conformance --bench FILE`` every real device of a bench, and without either
our own twins are examined. Every check names the section of the protocol that it is from.
"""
