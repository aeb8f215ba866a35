"""What people do at a table, whatever bench it stands on (docs/decisions/0050).

- ``shoe_hand``: draws cards from the shoe and presses the button;
- ``dealer``: everything that a dealer enters, deals and waits for, kept in a ``record``;
  ``keying_dealer``: the same from the keypad alone;
- ``jackpot_button``: a round up to the jackpot button, and from there to its end;
- ``playing``: players, who decide from what the table shows, and a round played by them to its end;
- ``unplugging_dealer``: a dealer who has a cable unplugged once, in a given state.
"""
