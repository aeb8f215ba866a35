"""``make console-walk``: the dealer's page worked by a finger in a real browser.

Rounds worked out by hand are dealt through it, every command tapped (``touched_dealer``,
``touched_rounds``); and a thousand taps fall on whatever is there while console, daemon and network
are killed, cut and hung (``taps``), each held against the journal (``account``).
``watching.js`` sees what the page showed when the finger came down.
"""
